package run

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
)

// Run is a finished run, open for reading.
type Run struct {
	path     string
	Manifest *Manifest
}

// Open reads the manifest of the finished run at path and checks its digest. It removes
// intermediate files that a killed process has left, if it can. Errors: an
// *UnfinishedError, ErrNotRun, ErrFormat, ErrManifest, or that of the file system.
func Open(path string) (*Run, error) {
	m, err := readManifest(filepath.Join(path, ManifestName))
	if err == nil {
		tidy(path)
		return &Run{path, m}, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s, err := readState(filepath.Join(path, workName, stateName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w: there is no %s", path, ErrNotRun, ManifestName)
	}
	if errors.Is(err, ErrDamaged) {
		return nil, fmt.Errorf("%w; give the command that began the run again to begin anew", err)
	}
	if err != nil {
		return nil, err
	}
	e := &UnfinishedError{Path: path}
	for _, d := range s.Stages {
		e.Done = append(e.Done, d.Name)
	}
	return nil, e
}

// Root returns the path of the directory.
func (r *Run) Root() string { return r.path }

// Path returns where the file name of the run is.
func (r *Run) Path(name string) string { return filepath.Join(r.path, filepath.FromSlash(name)) }

// Has reports whether the manifest lists the table.
func (r *Run) Has(name string) bool {
	_, ok := r.Manifest.Table(name)
	return ok
}
