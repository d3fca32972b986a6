package run

import (
	"errors"
	"io/fs"
	"os"
	"slices"
)

// A run under construction removes intermediate files that no later stage reads. It records that in the state first,
// so that a stopped run does not miss them. If a stage is done again because of damage and needs such a file, the
// stage that wrote the file must be done again first: see Freed and Forget.

// Free removes files of finished stages, and forgets the parts that wrote them. The stages stay finished.
func (d *Dir) Free(names ...string) error {
	d.parting.Lock()
	defer d.parting.Unlock()
	freed := map[string]bool{}
	for i := range d.state.Stages {
		s := &d.state.Stages[i]
		for _, o := range s.Outputs {
			if slices.Contains(names, o.Name) && !slices.Contains(s.Freed, o.Name) {
				s.Freed, freed[o.Name] = append(s.Freed, o.Name), true
			}
		}
	}
	if len(freed) == 0 {
		return nil
	}
	if err := d.saveState(); err != nil {
		return err
	}
	err := d.keepParts(func(p part) bool {
		return !slices.ContainsFunc(p.Files, func(f output) bool { return freed[f.Name] })
	})
	for name := range freed {
		if gone := os.Remove(d.Path(name)); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// Freed returns the stage that wrote a file that Free has removed, or "" if the file was not removed.
func (s *state) Freed(name string) (stage string) {
	for _, done := range s.Stages {
		if slices.Contains(done.Freed, name) {
			return done.Name
		}
	}
	return ""
}

// left returns the outputs of a stage that were not removed.
func (s stage) left() []output {
	return slices.DeleteFunc(slices.Clone(s.Outputs), func(o output) bool { return slices.Contains(s.Freed, o.Name) })
}
