package main

import (
	"errors"
	"fmt"
	"sync"

	"github.com/lshclust/lshclust/query"
)

// opened are the runs that the command has opened.
var opened struct {
	sync.Mutex
	runs []*query.Run
}

// openRun opens a finished run for questions. Main asks it for damage when the command is done.
func openRun(path string) (*query.Run, error) {
	r, err := query.Open(path)
	if err == nil {
		opened.Lock()
		opened.runs = append(opened.runs, r)
		opened.Unlock()
	}
	return r, err
}

// orDamage is the error of a command, or the damage in the tables that it has read: what it printed may be wrong then, and
// what it failed of may be the damage.
func orDamage(err error) error {
	opened.Lock()
	defer opened.Unlock()
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
