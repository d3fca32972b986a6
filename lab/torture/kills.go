package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	promiseKilled      = "a run that is killed at random moments and resumed with other workers and memory has the same bytes"
	promiseInterrupted = "an interrupted run exits with 130, is resumed, and has the same bytes"
	promiseRivals      = "if two processes build one run, one is refused, and the run has the same bytes"
)

var killing = suite{name: "kills", parts: true, promises: []string{promiseKilled}, trials: 100, prepare: needWorld, try: func(t *trial) error {
	kills, want := 0, 1+t.IntN(4)
	for kills < want {
		r, ended, err := t.cut(syscall.SIGKILL)
		if err == nil && ended {
			err = t.finished(r)
		}
		if err != nil {
			return err
		}
		if ended && kills > 0 {
			break
		}
		if ended { // it ended before it was killed: try again
			if err := os.RemoveAll(filepath.Join(t.dir, "run")); err != nil {
				return err
			}
			continue
		}
		kills++
	}
	t.table.remark(promiseKilled, "kills", kills)
	return t.finish()
}}

var interrupting = suite{name: "interrupts", parts: true, promises: []string{promiseInterrupted}, trials: 10, prepare: needWorld, try: func(t *trial) error {
	for range 1 + t.IntN(3) {
		r, ended, err := t.cut(pick(t.Rand, syscall.SIGINT, syscall.SIGTERM))
		switch {
		case err != nil:
			return err
		case r.code == t.world.code:
			return t.finish()
		case ended || r.code != exitInterrupted && r.code >= 0: // a process that does not yet listen is ended by the signal
			return r.unexpected("130")
		}
	}
	return t.finish()
}}

// cut begins or continues a run and sends a signal at a random moment. ended reports that the signal came too late.
func (t *trial) cut(signal syscall.Signal) (r result, ended bool, err error) {
	p, err := t.start(t.world.cluster(anyhow(t.Rand)...)...)
	if err != nil {
		return r, false, err
	}
	done := t.stages()
	left := 1.1 - float64(len(done))/float64(t.world.stages)
	after := time.Duration(t.Float64() * left * t.world.took * float64(time.Second))
	t.tell("%v after %v, stages done: %s", signal, after.Round(time.Millisecond), strings.Join(done, " "))
	time.Sleep(after)
	ended = p.cmd.Process.Signal(signal) != nil
	r, err = p.end(patience)
	if err == nil && crash.MatchString(r.said) {
		err = r.crashed()
	}
	return r, ended || r.code >= 0 && signal == syscall.SIGKILL, err
}

// finish continues a run to its end and compares it with the undisturbed run.
func (t *trial) finish() error {
	if _, err := os.Stat(filepath.Join(t.dir, "run", "run.json")); err == nil {
		return t.tidied()
	}
	r, err := t.run(t.world.cluster(anyhow(t.Rand)...)...)
	if err != nil {
		return err
	}
	return t.finished(r)
}

// finished checks the exit code of a command that finished a run, and compares the run with the undisturbed run.
func (t *trial) finished(r result) error {
	if strings.Contains(r.said, "finished") && r.code == exitCondition { // the run was finished before the last kill
		return t.tidied()
	}
	if r.code != t.world.code {
		return r.unexpected(fmt.Sprint(t.world.code))
	}
	return t.same()
}

// tidied checks a run that was killed after its manifest was written: the next command finds it valid and removes the
// intermediate files.
func (t *trial) tidied() error {
	if _, err := t.run(t.world.cluster()...); err != nil {
		return err
	}
	r, err := t.run("info", "run", "--check")
	if err != nil {
		return err
	}
	if r.code != exitDone {
		return fmt.Errorf("killed after run.json: %w", r.unexpected("0"))
	}
	return t.same()
}

func (t *trial) same() error {
	got, err := takeSnapshot(filepath.Join(t.dir, "run"))
	if err != nil {
		return err
	}
	return t.world.want.differs(got)
}

var rivalling = suite{name: "rivals", parts: true, promises: []string{promiseRivals}, trials: 10, prepare: needWorld, try: func(t *trial) error {
	one, err := t.start(t.world.cluster(anyhow(t.Rand)...)...)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(t.Float64() * t.world.took * float64(time.Second)))
	two, err := t.start(t.world.cluster(anyhow(t.Rand)...)...)
	if err != nil {
		return err
	}
	late := false // the first one was faster than usual, and had finished
	var codes []int
	for _, p := range []*process{one, two} {
		r, err := p.end(patience)
		if err == nil {
			err = r.crashed()
		}
		if err != nil {
			return err
		}
		t.tell("exit code %d: %.300s", r.code, lastLine(r.said))
		codes = append(codes, r.code)
		late = late || strings.Contains(r.said, "was finished before")
	}
	if codes[0] != t.world.code && codes[1] != t.world.code || codes[0] == codes[1] && !late {
		return fmt.Errorf("exit codes %v, want %d and %d", codes, t.world.code, exitCondition)
	}
	return t.same()
}}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}
