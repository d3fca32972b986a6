package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
)

// opened are the runs that the command has opened.
var opened struct {
	sync.Mutex
	runs []*query.Run
}

// openRun opens a finished run for queries and remembers it for orDamage.
func openRun(path string) (*query.Run, error) {
	r, err := query.Open(path)
	if err == nil {
		opened.Lock()
		opened.runs = append(opened.runs, r)
		opened.Unlock()
	}
	return r, err
}

// withTopical opens a finished run that has the topical view, calls ask with it and closes it.
func withTopical(path string, ask func(*query.Run) error) error {
	r, err := openRun(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	return ask(r)
}

// orDamage returns the error of a command. If the command read damaged tables, the error says so too, because what the
// command printed may be wrong, and the damage may be why it failed. orDamage forgets the runs that were opened.
func orDamage(err error) error {
	opened.Lock()
	defer opened.Unlock()
	defer func() { opened.runs = nil }()
	var damage []error
	for _, r := range opened.runs {
		damage = append(damage, r.Err())
	}
	if found := errors.Join(damage...); found != nil {
		err = errors.Join(err, fmt.Errorf("the run is damaged, and what was printed may be wrong; lshclust check tells more: %w", found))
		return &exit{exitCondition, false, err}
	}
	return err
}
