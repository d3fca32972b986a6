package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
)

const (
	promiseFlipped = "a flipped bit in an intermediate file of a stopped run does not change the bytes"
	promiseTorn    = "an intermediate file that is cut, zeroed, swapped, doubled or lost does not change the bytes"
)

var flipping = suite{name: "flips", parts: true, promises: []string{promiseFlipped}, trials: 500, prepare: needWorld, try: func(t *trial) error {
	return t.damage(promiseFlipped, func(path string) (string, error) {
		at, err := flip(t.Rand, path)
		return fmt.Sprintf("a bit at byte %d", at), err
	})
}}

var tearing = suite{name: "tears", parts: true, promises: []string{promiseTorn}, trials: 100, prepare: needWorld, try: func(t *trial) error {
	return t.damage(promiseTorn, t.tear)
}}

// damage stops a run, damages one of its files and continues. Sometimes it also kills the process that continues, and
// damages another file.
func (t *trial) damage(promise string, spoil func(path string) (string, error)) error {
	stop, err := t.stopped(1+t.number/2%t.world.stages, t.small)
	if err != nil {
		return err
	}
	run := filepath.Join(t.dir, "run")
	if err := copyTree(stop.run, run); err != nil {
		return err
	}
	t.tell("stopped after %s", stop.last)
	for {
		path, _, err := victim(t.Rand, run)
		if err != nil {
			return err
		}
		how, err := spoil(path)
		if err != nil {
			return err
		}
		t.tell("%s of %s", how, strings.TrimPrefix(path, run+"/"))
		if t.IntN(5) > 0 {
			break
		}
		r, ended, err := t.cut(syscall.SIGKILL)
		if err != nil {
			return err
		}
		if ended {
			return t.outcome(promise, r)
		}
		if _, err := os.Stat(filepath.Join(run, "run.json")); err == nil {
			return t.tidied()
		}
	}
	r, err := t.run(t.world.cluster(anyhow(t.Rand)...)...)
	if err != nil {
		return err
	}
	return t.outcome(promise, r)
}

// outcome judges a command that continued a damaged run.
func (t *trial) outcome(promise string, r result) error {
	switch {
	case r.code == t.world.code && noticed.MatchString(r.said):
		t.table.remark(promise, "noticed, and the file made again", 1)
	case r.code == t.world.code:
		t.table.remark(promise, "without consequence", 1)
	default:
		return t.refused(promise, r)
	}
	return t.same()
}

var (
	noticed = regexp.MustCompile(`(?i)damaged|checksum|again`)
	advice  = regexp.MustCompile(`(?i)\bremove\b|\bdelete\b|another output directory|anew`)
)

// refused checks that a command that refuses to continue a run says what to do.
func (t *trial) refused(promise string, r result) error {
	if r.code != exitCondition || !advice.MatchString(r.said) {
		again, err := t.run(t.world.cluster()...)
		if err == nil && again.code == t.world.code && t.same() == nil {
			t.table.remark(promise, "refused once, without saying what to do", 1)
			return nil
		}
		return fmt.Errorf("it does not continue, then or later, and does not say what to do: %w", r.unexpected(fmt.Sprint(t.world.code)))
	}
	t.table.remark(promise, "refused, saying what to do", 1)
	return nil
}

// tear damages a file as a disk or a person might.
func (t *trial) tear(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	at := t.IntN(len(b))
	switch t.IntN(6) {
	case 0:
		return fmt.Sprintf("cut off from byte %d", at), os.Truncate(path, int64(at))
	case 1:
		clear(b[at:min(len(b), at+512)])
		return fmt.Sprintf("512 zeros at byte %d", at), os.WriteFile(path, b, 0o666)
	case 2:
		b = append(b, b[at:]...)
		return fmt.Sprintf("everything doubled from byte %d", at), os.WriteFile(path, b, 0o666)
	case 3:
		return "the absence", os.Remove(path)
	case 4:
		n := min(16, len(b)/2)
		for i := range n {
			b[i], b[len(b)-n+i] = b[len(b)-n+i], b[i]
		}
		return fmt.Sprintf("first and last %d bytes swapped", n), os.WriteFile(path, b, 0o666)
	}
	other, kind, err := victim(t.Rand, filepath.Dir(path))
	if err != nil {
		return "", err
	}
	b, err = os.ReadFile(other)
	if err != nil {
		return "", err
	}
	return "the contents of " + kind + " instead", os.WriteFile(path, b, 0o666)
}
