package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/zeebo/xxh3"
)

// ErrForeign is wrapped by the error for a folder with contents that Write did not make.
var ErrForeign = errors.New("it holds something that is no report of lshclust, or that was changed")

// listName is the name of the file that lists the others. It distinguishes a report from other folders.
const listName = "lshclust-report.json"

// list is the content of that file.
type list struct {
	Kind  string   `json:"kind"` // kindOfList
	Files []listed `json:"files"`
}

type listed struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	Hash  string `json:"xxh3"`
}

const kindOfList = "static report of lshclust, 1"

// ours matches the file names of a report.
var ours = regexp.MustCompile(`^[a-z][a-z0-9.-]*\.(html|css|js)$`)

// mostListed limits the bytes of a list that is read.
const mostListed = 64 << 20

// Write writes the files of a report to a folder. The folder must not exist, be empty, or contain an unmodified
// report, which Write replaces in one step. Otherwise the error wraps [ErrForeign], and nothing is written.
func Write(dir string, files []File) (err error) {
	at, err := resolved(dir)
	if err != nil {
		return err
	}
	there, err := check(at)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
		return err
	}
	work, err := os.MkdirTemp(filepath.Dir(at), "."+filepath.Base(at)+"-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	fresh, old := filepath.Join(work, "new"), filepath.Join(work, "old")
	if err := fill(fresh, files); err != nil {
		return err
	}
	switch there {
	case nothing:
		return os.Rename(fresh, at)
	case empty:
		return moveInto(at, fresh)
	}
	if err := os.Rename(at, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, at); err != nil {
		return errors.Join(err, os.Rename(old, at))
	}
	return nil
}

// moveInto moves the files of one folder into an empty one, which may be the current folder. The list comes first, so
// that the folder is recognized as a report even if Write is stopped.
func moveInto(dir, from string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	names := []string{listName}
	for _, e := range entries {
		if e.Name() != listName {
			names = append(names, e.Name())
		}
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(from, name), filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// resolved returns the absolute path of a folder with symbolic links resolved. The folder need not exist.
func resolved(dir string) (string, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	behind, err := filepath.EvalSymlinks(at)
	switch {
	case err == nil:
		return behind, nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	if _, err := os.Lstat(at); err == nil {
		return "", fmt.Errorf("%s: it is a symbolic link that leads nowhere", dir)
	}
	return at, nil
}

// fill creates a folder with the files and their list.
func fill(dir string, files []File) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	l := list{Kind: kindOfList, Files: []listed{}}
	for _, f := range files {
		if !ours.MatchString(f.Name) {
			return fmt.Errorf("%q is no name of a file of a report", f.Name)
		}
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Body, 0o666); err != nil {
			return err
		}
		l.Files = append(l.Files, listed{f.Name, int64(len(f.Body)), hash(f.Body)})
	}
	text, err := json.MarshalIndent(l, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, listName), append(text, '\n'), 0o666)
}

func hash(b []byte) string { return fmt.Sprintf("%016x", xxh3.Hash(b)) }

// content describes what a folder contains.
type content int

const (
	nothing content = iota // the folder does not exist
	empty
	aReport
)

// check returns what is at a path. It returns an error unless that is nothing, an empty folder, or an unmodified
// report.
func check(dir string) (content, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nothing, nil
	case err != nil:
		return nothing, err
	case len(entries) == 0:
		return empty, nil
	}
	var l list
	text, err := readFile(filepath.Join(dir, listName), mostListed)
	if err != nil || json.Unmarshal(text, &l) != nil || l.Kind != kindOfList {
		return aReport, ErrForeign
	}
	known := map[string]listed{}
	for _, f := range l.Files {
		known[f.Name] = f
	}
	for _, e := range entries {
		if e.Name() == listName {
			continue
		}
		f, ok := known[e.Name()]
		if !ok {
			return aReport, fmt.Errorf("%w: %s", ErrForeign, e.Name())
		}
		body, err := readFile(filepath.Join(dir, e.Name()), f.Bytes)
		if err != nil || hash(body) != f.Hash {
			return aReport, fmt.Errorf("%w: %s", ErrForeign, e.Name())
		}
	}
	return aReport, nil
}

// readFile reads a regular file of at most most bytes.
func readFile(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, ErrForeign
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}
