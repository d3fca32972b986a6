package main

import (
	"encoding/json"
	"errors"
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
	done  int
	last  string // last stage that is done
	dir   string
	small bool // it has small parts
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

// needStops stops a run after each of its stages.
func needStops(b *bench) (err error) {
	if err := needWorld(b); err != nil {
		return err
	}
	b.world.once.Do(func() { err = errors.Join(b.makeStops(false), b.makeStops(true)) })
	return err
}

// attempts limits how often a stop is tried, because a stage may end before the process is killed.
const attempts = 40

// makeStops makes stops of runs with large or small parts.
func (b *bench) makeStops(small bool) error {
	w := b.world
	names := stagesOf(filepath.Join(w.run, "run.json"))
	got, before := map[int]bool{}, len(w.stops)
	for n := range attempts {
		for want := 1; want <= len(names); want++ {
			if got[want] {
				continue
			}
			dir := filepath.Join(b.home, fmt.Sprintf("stop-%d-%d-%d", before, want, n))
			done, err := b.stopBehind(small, dir, want)
			if err != nil {
				return err
			}
			if done == 0 || got[done] {
				os.RemoveAll(dir)
				continue
			}
			got[done] = true
			w.stops = append(w.stops, stop{done, names[done-1], filepath.Join(dir, "run"), small})
		}
	}
	slices.SortStableFunc(w.stops, func(a, b stop) int { return a.done - b.done })
	if len(w.stops)-before < len(names)-2 {
		return fmt.Errorf("a run could be stopped after %d of %d stages only", len(w.stops), len(names))
	}
	for i, name := range names {
		if !got[i+1] {
			fmt.Fprintf(b.log, "stops: none after the stage %s\n", name)
		}
	}
	return nil
}

// stopBehind kills a run when a number of stages is done, and returns how many stages really were done, or 0 if the run
// was finished.
func (b *bench) stopBehind(small bool, dir string, want int) (int, error) {
	t := &trial{bench: b, dir: dir, small: small}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	p, err := t.start(b.world.cluster("--workers", "1", "-q")...)
	if err != nil {
		return 0, err
	}
	ended := make(chan error, 1)
	go func() {
		_, err := p.end(patience)
		ended <- err
	}()
	for len(t.stages()) < want {
		select {
		case err := <-ended:
			return 0, err
		case <-time.After(50 * time.Microsecond):
		}
	}
	_ = p.cmd.Process.Kill()
	if err := <-ended; err != nil {
		return 0, err
	}
	if _, err := os.Stat(filepath.Join(dir, "run", "run.json")); err == nil {
		return 0, nil
	}
	return len(t.stages()), nil
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
