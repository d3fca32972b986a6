package run

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Run is a finished run, open for reading.
type Run struct {
	path     string
	Manifest *Manifest
}

// Open opens the finished run at path and checks the digest of its manifest. It tries to remove intermediate files
// left by a killed process. Errors are an *UnfinishedError, ErrNotRun, ErrFormat, ErrManifest, or an error of the
// file system.
func Open(path string) (*Run, error) {
	switch at, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: there is no such file or folder", path, ErrNotRun)
	case err == nil && !at.IsDir():
		return nil, fmt.Errorf("%s: %w but a file; lshclust cluster -o RUN FILE makes a run of a crawl", path, ErrNotRun)
	}
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
		return nil, fmt.Errorf("%w; repeat the command that began the run to rebuild it", err)
	}
	if err != nil {
		return nil, err
	}
	e := &UnfinishedError{Path: path}
	for _, d := range s.Stages {
		e.Done = append(e.Done, d.Name)
	}
	parts, err := readParts(path)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if !slices.Contains(e.Done, p.Stage) {
			e.Stage, e.Parts = p.Stage, e.Parts+1
		}
	}
	return nil, e
}

// Root returns the path of the directory.
func (r *Run) Root() string { return r.path }

// Path returns the path of the named file of the run.
func (r *Run) Path(name string) string { return filepath.Join(r.path, filepath.FromSlash(name)) }

// Has reports whether the manifest lists the table.
func (r *Run) Has(name string) bool {
	_, ok := r.Manifest.Table(name)
	return ok
}
