package crawl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// Expand turns the arguments of a command into the list of inputs to Open. It replaces a folder by the crawl files in
// it, sorted by path: archives, and unless there is HTML, tables, JSON and zip archives that hold pages, or else
// indexes. Names that say nothing are judged by content. A folder with any HTML follows its archives as an input of its
// own, and a folder without crawl files is an input too. m is Options.Map. Set Options.Expanded to open them. Of an unpacked WACZ, only
// the archives are inputs. Expand drops repeated arguments and leaves out run directories inside a folder. A run
// directory as an argument is an error, and so is an argument that does not exist. For an argument that exists and
// cannot be read, Open returns the error.
func Expand(args []string, m record.Map) (files []string, left []*record.Skip, err error) {
	seen := map[string]bool{}
	for _, arg := range args {
		inside, runs, err := expand(arg, m)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range inside {
			if !seen[f] {
				seen[f] = true
				files = append(files, f)
			}
		}
		left = append(left, runs...)
	}
	return files, left, nil
}

// expand returns the inputs for one argument.
func expand(arg string, m record.Map) (files []string, runs []*record.Skip, err error) {
	itself := []string{arg}
	if arg == "-" {
		return itself, nil, nil
	}
	info, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !isLink(arg):
		return nil, nil, &record.Skip{Pos: record.Position{File: arg}, Reason: record.ReasonUnreadableFile, Err: err}
	case err != nil || !info.IsDir():
		return itself, nil, nil
	case IsRun(arg):
		return nil, nil, fmt.Errorf("%s is a run directory, which is no input: give what the run was made from", arg)
	}
	s := survey{root: arg, columns: m}
	files, err = s.inputs()
	if err != nil || len(files) == 0 {
		return itself, nil, nil
	}
	if s.found[pageKind] > 0 {
		return append(files, arg), nil, nil // the folder leaves out its run directories itself
	}
	return files, s.runs, nil
}

// isLink reports whether a path is a symbolic link, whatever its target.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// survey finds out what is in a folder.
type survey struct {
	root    string
	columns record.Map
	found   contents
	files   [otherKind + 1][]string // paths of archives, tables, JSON and indexes
	runs    []*record.Skip
}

// inputs returns the crawl files to read, sorted by path.
func (s *survey) inputs() (files []string, err error) {
	if err := s.walk(func() bool { return false }); err != nil {
		return nil, err
	}
	if s.found[pageKind] == 0 {
		s.files[jsonKind] = slices.DeleteFunc(s.files[jsonKind], func(f string) bool { return !holdsPages(f, s.columns) })
	}
	s.found[jsonKind] = len(s.files[jsonKind])
	for k, of := range s.files {
		if s.found.reads(kind(k)) {
			files = append(files, of...)
		}
	}
	slices.Sort(files)
	return files, nil
}

// walk looks at the names in the folder, in their order, until enough returns true.
func (s *survey) walk(enough func() bool) error {
	files, wacz := os.DirFS(s.root), ""
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil:
			return nil // Open reports a folder that cannot be read
		case enough():
			return fs.SkipAll
		case wacz != "" && isBelow(name, wacz) && name != wacz && !isBelow(name, path.Join(wacz, "archive")):
			return nil // what describes the archives
		case !d.IsDir():
			s.add(name, d)
		case name != "." && isCompanion(strings.ToLower(d.Name())):
			return fs.SkipDir
		case isRun(files, name):
			s.runs = append(s.runs, runSkip(filepath.Join(s.root, filepath.FromSlash(name))))
			return fs.SkipDir
		case isPackage(files, name):
			wacz = name
		}
		return nil
	})
}

// isBelow reports whether a name is that of a folder or below it.
func isBelow(name, folder string) bool {
	return folder == "." || name == folder || strings.HasPrefix(name, folder+"/")
}

// add adds a file. If its name says nothing, its content decides, until there is HTML.
func (s *survey) add(name string, d fs.DirEntry) {
	k := kindInside(name)
	full := filepath.Join(s.root, filepath.FromSlash(name))
	switch {
	case k == unknownKind && (s.found[pageKind] > 0 || notRegular(record.Position{File: full}, d) != nil):
		return
	case k == unknownKind:
		k = sniffFile(full)
	}
	s.found[k]++
	switch k {
	case archiveKind, tableKind, indexKind, jsonKind:
		s.files[k] = append(s.files[k], full)
	}
}

// sniffFile returns the kind of a file by its first bytes, or otherKind if they say nothing.
func sniffFile(name string) kind {
	f, err := os.Open(name)
	if err != nil {
		return otherKind
	}
	defer f.Close()
	return sniffKind(name, f)
}

// sniffKind returns the kind of a file by the first bytes of r, or otherKind if they say nothing.
func sniffKind(name string, r io.Reader) kind {
	head := make([]byte, payload.SniffLen)
	n, _ := io.ReadFull(r, head)
	if head = head[:n]; stream.IsPacked(head) {
		m, err := stream.NewMembers(stream.New(name, io.NopCloser(io.MultiReader(bytes.NewReader(head), r)), nil, -1), 0)
		if err != nil {
			return otherKind
		}
		defer m.Close()
		head, _ = m.Head(payload.SniffLen)
	}
	switch formatOf(head) {
	case "html":
		if isSource(head) {
			return otherKind
		}
		return pageKind
	case "warc", "arc", "parquet", "csv":
		return tableKind // beside HTML, only the name of an archive counts
	case "jsonl":
		return jsonKind
	}
	return otherKind
}

// isSource reports whether HTML is the source of a program that makes pages.
func isSource(head []byte) bool {
	return bytes.Contains(head, []byte("<?php")) || bytes.Contains(head, []byte("<?=")) || bytes.Contains(head, []byte("<%@"))
}

// holdsPages reports whether there is a page, or links, among the first records of a file.
func holdsPages(name string, m record.Map) bool {
	src, err := Open(name, record.Options{MaxPage: 1 << 20, MaxLine: 8 << 20, Memory: 64 << 20, Map: m})
	if err != nil {
		return false
	}
	return holds(src)
}

// holds is holdsPages for a source that is open. It closes it.
func holds(src record.Source) bool {
	defer src.Close()
	n := 0
	for rec, err := range src.Records(context.Background()) {
		if err == nil {
			_, err = rec.Page()
			rec.Release()
		}
		if n++; err == nil || n == 20 {
			return err == nil
		}
	}
	return false
}
