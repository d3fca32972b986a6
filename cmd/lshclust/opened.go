package main

import (
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
)

// opened holds the runs that the command has opened.
var opened struct {
	sync.Mutex
	runs []*runs.Run
}

// openRun opens a finished run for queries and remembers it for orDamage.
func openRun(path string) (*runs.Run, error) {
	r, err := runs.Open(path)
	if errors.Is(err, run.ErrNotRun) && isSketches(path) {
		err = fmt.Errorf("%s: a file of sketches goes with query --by host, moved, changes and compare of two only", path)
	}
	return remembered(r, err)
}

// isSketches reports whether path is a file of sketches.
func isSketches(path string) bool {
	r, err := runs.OpenSketches(path)
	if err != nil {
		return false
	}
	r.Close()
	return true
}

// openEither is openRun for a finished run or a file of sketches.
func openEither(path string) (*runs.Run, error) {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return remembered(runs.OpenSketches(path))
	}
	return openRun(path)
}

// remembered remembers an opened run for orDamage.
func remembered(r *runs.Run, err error) (*runs.Run, error) {
	if err == nil {
		opened.Lock()
		opened.runs = append(opened.runs, r)
		opened.Unlock()
	}
	return r, err
}

// withRun opens a finished run, calls ask with it and closes it.
func withRun(path string, ask func(*runs.Run) error) error {
	r, err := openRun(path)
	if err != nil {
		return err
	}
	defer r.Close()
	return ask(r)
}

// withTopical is like withRun but requires a run with the topical view.
func withTopical(path string, ask func(*runs.Run) error) error {
	return withRun(path, func(r *runs.Run) error {
		if err := r.Need(config.Topical); err != nil {
			return err
		}
		return ask(r)
	})
}

// orDamage returns the error of a command. If the command read damaged tables, it adds that to the error, because the
// printed answer may be wrong and the damage may have caused the failure. orDamage forgets the opened runs.
func orDamage(err error) error {
	opened.Lock()
	defer opened.Unlock()
	defer func() { opened.runs = nil }()
	var damage []error
	what := "the run is damaged, and what was printed may be wrong; lshclust info --check tells more"
	for _, r := range opened.runs {
		damage = append(damage, r.Err())
		if r.Err() != nil && r.SketchFile != "" {
			what = "the file of sketches is damaged, and what was printed may be wrong"
		}
	}
	if found := errors.Join(damage...); found != nil {
		err = errors.Join(err, fmt.Errorf("%s: %w", what, found))
		return &exit{exitCondition, false, err}
	}
	return err
}

// noteSketches says on stderr that the figures of the syntactic view are estimates, if they are.
func noteSketches(r *runs.Run) {
	switch {
	case runs.Sketches(r) == "":
	case runs.NeedContainment(r) != nil:
		say("note: the run keeps sketches %s: resemblance is an estimate, and containment is not known", runs.Sketches(r))
	default:
		say("note: the run keeps sketches %s: resemblance and containment are estimates", runs.Sketches(r))
	}
}
