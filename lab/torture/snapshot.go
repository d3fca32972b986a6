package torture

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// snapshot maps the files of a finished run to their checksums. Of run.json it holds only what does not depend on when
// and how the run was made.
type snapshot map[string]string

func takeSnapshot(dir string) (snapshot, error) {
	s := snapshot{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		switch {
		case err != nil:
			return err
		case name == "run.json":
			s[name], err = lasting(b)
			return err
		case strings.HasPrefix(name, "run.json."): // checksum of run.json with everything, times included
			return nil
		}
		s[name] = fmt.Sprintf("%d bytes, %x", len(b), xxh3.Hash(b))
		return nil
	})
	return s, err
}

// lasting returns what a manifest says, except for times, memory and its digest.
func lasting(manifest []byte) (string, error) {
	var m map[string]any
	if err := json.Unmarshal(manifest, &m); err != nil {
		return "", err
	}
	for _, key := range []string{"tool_version", "started", "finished", "digest", "checksum", "manifest_digest"} {
		delete(m, key)
	}
	stages, _ := m["stages"].([]any)
	for i, s := range stages {
		stage, _ := s.(map[string]any)
		stages[i] = map[string]any{"name": stage["name"], "in": stage["in"], "out": stage["out"], "dropped": stage["dropped"], "counts": stage["counts"]}
	}
	b, err := json.Marshal(m)
	return string(b), err
}

// differs names the files in which a run differs from another one.
func (s snapshot) differs(o snapshot) error {
	var names []string
	for name, is := range s {
		switch was, ok := o[name]; {
		case !ok:
			names = append(names, name+" is missing")
		case was != is && name == "run.json":
			names = append(names, name+": "+difference(is, was))
		case was != is:
			names = append(names, name)
		}
	}
	for name := range o {
		if _, ok := s[name]; !ok {
			names = append(names, name+" should not be there")
		}
	}
	if len(names) == 0 {
		return nil
	}
	slices.Sort(names)
	return fmt.Errorf("differs from the undisturbed run: %s", strings.Join(names, ", "))
}

// difference shows where two texts begin to differ.
func difference(want, got string) string {
	i := 0
	for i < min(len(want), len(got)) && want[i] == got[i] {
		i++
	}
	from := max(0, i-40)
	return fmt.Sprintf("%.90q, want %.90q", got[from:], want[from:])
}

// copyTree copies a folder. It ignores files that disappear while it copies.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		}
		b, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return errors.Join(err, os.WriteFile(filepath.Join(to, name), b, 0o666))
	})
}
