package dedup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// input is a file that is read.
type input struct {
	Path     string    `json:"path"`
	Name     string    `json:"name"` // of the file in the output; "" for one that was seen
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	Lines    bool      `json:"lines,omitempty"` // it is large, and lines of it can be read by themselves
}

// expand returns the files that arguments name: files, folders with all files in them, and patterns. If runs may be among
// them, it returns what they were made from.
func expand(args []string, runs bool) (files []input, err error) {
	for _, arg := range args {
		paths := []string{arg}
		if _, err := os.Stat(arg); err != nil && strings.ContainsAny(arg, "*?[") {
			if paths, err = filepath.Glob(arg); err != nil || len(paths) == 0 {
				return nil, fmt.Errorf("%s: no file has such a name", arg)
			}
		}
		for _, path := range paths {
			if path == "-" {
				return nil, errors.New("standard input cannot be read twice: write it to a file")
			}
			sources := []string{path}
			if crawl.IsRun(path) {
				if sources = sourcesOf(path); !runs || len(sources) == 0 {
					return nil, fmt.Errorf("%s is a run, which holds no texts: give what it was made from", path)
				}
			}
			for _, source := range sources {
				if files, err = walk(files, source); err != nil && source != path {
					return nil, fmt.Errorf("%s is a run of files that are not there: %w; give copies of them", path, err)
				} else if err != nil {
					return nil, err
				}
			}
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(files, func(in input) bool {
		full, _ := filepath.Abs(in.Path)
		twice := seen[full]
		seen[full] = true
		return twice
	}), nil
}

// sourcesOf returns the inputs of a run.
func sourcesOf(run string) (paths []string) {
	var state struct {
		Inputs []struct {
			Path string `json:"path"`
		} `json:"inputs"`
	}
	if readJSON(filepath.Join(run, "run.json"), &state) != nil && readJSON(filepath.Join(run, "work", "state.json"), &state) != nil {
		return nil
	}
	for _, in := range state.Inputs {
		paths = append(paths, in.Path)
	}
	return paths
}

// walk adds a file, or the files of a folder in the order of their paths. In the output of dedup, it passes over the
// reports.
func walk(files []input, root string) ([]input, error) {
	top := filepath.Dir(root)
	info, err := os.Stat(root)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		top = root
	}
	ours := exists(filepath.Join(root, ReportName))
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(top, path)
		switch {
		case err != nil:
			return err
		case ours && slices.Contains(reports, name):
			return nil
		case d.IsDir() && path != root && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		info, err := os.Stat(path) // of what a link points at
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		files = append(files, input{Path: path, Name: top, Size: info.Size(), Modified: info.ModTime().UTC()})
		return nil
	})
	return files, err
}

// reports are files of the output that are no inputs.
var reports = []string{ReportName, RemovedName, removedTable, AgainstName}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// name gives each file its name in the output: its path below the folder that all arguments have in common.
func name(files []input) error {
	common := ""
	for i, f := range files {
		top, err := filepath.Abs(f.Name)
		if err != nil {
			return err
		}
		if i == 0 {
			common = top
		}
		for !within(top, common) {
			common = filepath.Dir(common)
		}
	}
	taken := map[string]string{workName: ""}
	for _, name := range reports {
		taken[name] = ""
	}
	for i := range files {
		f := &files[i]
		full, err := filepath.Abs(f.Path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(common, full)
		if err != nil {
			return err
		}
		f.Name = filepath.ToSlash(rel)
		if _, twice := taken[f.Name]; twice {
			return fmt.Errorf("%s: the output has a file %s of its own: rename the input", f.Path, f.Name)
		}
		taken[f.Name] = f.Path
	}
	return nil
}

// within reports whether a path is a folder or below it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
