package torture

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stop is a run that was killed when a certain number of stages was recorded as done.
type stop struct {
	last string // last stage that is done
	run  string
}

// stages returns the names of the stages that an unfinished run records as done.
func (t *trial) stages() (names []string) {
	return stagesOf(filepath.Join(t.dir, "run", "work", "state.json"))
}

// stagesOf reads the stages of a manifest or of the state of a run. It returns none if the file cannot be read.
func stagesOf(path string) (names []string) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var state struct {
		Stages []struct{ Name string }
	}
	if json.Unmarshal(b, &state) != nil {
		return nil
	}
	for _, s := range state.Stages {
		names = append(names, s.Name)
	}
	return names
}

// attempts limits how often a stop is tried, because a stage may end before the process is killed.
const attempts = 10

// stopped returns a run that was killed when so many stages were done, or nearly so many if it cannot be stopped there.
// Trials that want the same share it.
func (b *bench) stopped(want int, small bool) (*stop, error) {
	w := b.world
	w.stopping.Lock()
	defer w.stopping.Unlock()
	stops := w.stops[small]
	for range attempts {
		if stops[want] != nil {
			return stops[want], nil
		}
		dir, err := os.MkdirTemp(filepath.Dir(w.run), "stop-")
		if err != nil {
			return nil, err
		}
		names, err := b.stopBehind(small, dir, want)
		if err != nil {
			return nil, err
		}
		if done := len(names); done > 0 && stops[done] == nil {
			stops[done] = &stop{last: names[done-1], run: filepath.Join(dir, "run")}
			continue
		}
		os.RemoveAll(dir)
	}
	for far := range w.stages {
		if near := cmp.Or(stops[max(0, want-far)], stops[min(want+far, w.stages)]); near != nil {
			stops[want] = near
			return near, nil
		}
	}
	return nil, fmt.Errorf("a run could not be stopped after %d stages", want)
}

// stopBehind kills a run when a number of stages is done, and returns the stages that really were done, or none if the run
// was finished.
func (b *bench) stopBehind(small bool, dir string, want int) ([]string, error) {
	t := &trial{bench: b, dir: dir, small: small}
	p, err := t.start(b.world.cluster("--workers", "1", "-q")...)
	if err != nil {
		return nil, err
	}
	ended := make(chan error, 1)
	go func() {
		_, err := p.end(patience)
		ended <- err
	}()
	for len(t.stages()) < want {
		select {
		case err := <-ended:
			return nil, err
		case <-time.After(50 * time.Microsecond):
		}
	}
	_ = p.cmd.Process.Kill()
	if err := <-ended; err != nil {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(dir, "run", "run.json")); err == nil {
		return nil, nil
	}
	return t.stages(), nil
}

// victim draws a file of a folder. It draws the kind of file first, so that kinds with many files are not drawn more
// often.
func victim(r *rand.Rand, dir string) (path, kind string, err error) {
	kinds := map[string][]string{}
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		if info, err := e.Info(); err != nil || info.Size() == 0 {
			return err
		}
		name, err := filepath.Rel(dir, path)
		kind := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return -1
			}
			return r
		}, name)
		kinds[kind] = append(kinds[kind], path)
		return err
	})
	if err != nil || len(kinds) == 0 {
		return "", "", fmt.Errorf("no file in %s: %w", dir, err)
	}
	var names []string
	for k := range kinds {
		names = append(names, k)
	}
	slices.Sort(names)
	kind = pick(r, names...)
	return pick(r, kinds[kind]...), kind, nil
}

// flip flips one bit of a file.
func flip(r *rand.Rand, path string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	at := r.IntN(len(b))
	b[at] ^= 1 << r.IntN(8)
	return int64(at), os.WriteFile(path, b, 0o666)
}
