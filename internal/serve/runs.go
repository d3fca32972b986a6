package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// Source names a run to serve.
type Source struct {
	Name string // value of the parameter run
	Path string // path of the run, or of a symbolic link to it
}

// runs holds the runs of a server.
type runList struct {
	names  []string
	served map[string]*served
}

// served is a named run, which may be replaced at any time.
type served struct {
	source   Source
	names    []string
	swapping sync.RWMutex
	current  *opened // nil when the server is closed

	reloading sync.Mutex
	failure   string // of the last attempt to open a newer run
	seen      state  // state of the files when the current run was opened, or when opening a newer one last failed
}

// opened is an open run with the number of its users. served.current counts as one; the run is closed when there are
// none.
type opened struct {
	*api.Run
	users atomic.Int64
}

// openRuns opens all runs. If it cannot open one, it closes the others.
func openRuns(sources []Source) (*runList, error) {
	all := &runList{served: map[string]*served{}}
	for _, s := range sources {
		if all.served[s.Name] != nil {
			return nil, fmt.Errorf("two runs have the name %q; give them different names with NAME=RUN", s.Name)
		}
		all.names = append(all.names, s.Name)
		all.served[s.Name] = &served{source: s}
	}
	for _, name := range all.names {
		s := all.served[name]
		s.names = all.names
		if _, err := s.reload(false); err != nil {
			return nil, errors.Join(err, all.close())
		}
	}
	return all, nil
}

// close closes all runs: unused ones at once, the others when they are released.
func (all *runList) close() error {
	var failed []error
	for _, name := range all.names {
		if o := all.served[name].swap(nil); o != nil {
			failed = append(failed, o.release())
		}
	}
	return errors.Join(failed...)
}

// acquire returns the named run, or the first one for "". The caller must release it. It returns nil if there is no
// such run or the server is closed.
func (all *runList) acquire(name string) *opened {
	if name == "" {
		name = all.names[0]
	}
	s := all.served[name]
	if s == nil {
		return nil
	}
	s.swapping.RLock()
	defer s.swapping.RUnlock()
	if s.current != nil {
		s.current.users.Add(1)
	}
	return s.current
}

// swap puts a run in the place of another, which the caller releases unless it is nil.
func (s *served) swap(o *opened) (old *opened) {
	s.swapping.Lock()
	defer s.swapping.Unlock()
	old, s.current = s.current, o
	return old
}

// release removes a user. The last one closes the run.
func (o *opened) release() error {
	if o.users.Add(-1) > 0 {
		return nil
	}
	return o.Close()
}

// reload opens the run again if its source names another run, if the run was replaced in its place, or if force is
// set. It reports whether it did. Questions in progress keep the old run.
func (s *served) reload(force bool) (bool, error) {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	path, at, err := s.source.look()
	if err != nil || at == s.seen && !force {
		return false, err
	}
	s.seen = at
	r, err := runs.Open(path)
	if err != nil {
		return false, err
	}
	o := &opened{Run: api.NewRun(r, s.source.Name, s.names)}
	o.users.Store(1)
	old := s.swap(o)
	if old == nil {
		return true, nil
	}
	return true, old.release()
}

// state identifies a run by its path and its manifest, which is written last.
type state struct {
	path     string
	modified int64
	size     int64
}

// look returns the path of the run that a source names, and its state.
func (s Source) look() (path string, at state, err error) {
	path, err = filepath.EvalSymlinks(s.Path)
	if err != nil {
		return "", at, err
	}
	info, err := os.Stat(filepath.Join(path, run.ManifestName))
	if err != nil {
		return path, state{path: path}, nil //nolint:nilerr // opening it will say what is wrong
	}
	return path, state{path, info.ModTime().UnixNano(), info.Size()}, nil
}

// failed reports whether an error differs from the one of the last attempt to reload the run.
func (s *served) failed(err error) bool {
	s.reloading.Lock()
	defer s.reloading.Unlock()
	again := s.failure == err.Error()
	s.failure = err.Error()
	return !again
}
