package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/record"
)

// Expand turns the arguments of a command into the list of inputs to Open. It replaces a folder that holds crawl files
// (.warc, .arc, .wacz, .wat, .wet, .jsonl, .ndjson, .parquet, .csv, .tsv, also with .gz and .zst) and no HTML by these
// files, sorted by path. Every other argument is an input itself; a folder with any HTML in it is read as a site.
// Expand drops repeated arguments and leaves out run directories inside a folder. A run directory as an argument is an
// error, and so is an argument that does not exist. For an argument that exists and cannot be read, Open returns the
// error.
func Expand(args []string) (files []string, left []*record.Skip, err error) {
	seen := map[string]bool{}
	for _, arg := range args {
		inside, runs, err := expand(arg)
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
func expand(arg string) (files []string, runs []*record.Skip, err error) {
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
	files, runs, err = crawlFiles(arg)
	if err != nil || len(files) == 0 {
		return itself, nil, nil
	}
	return files, runs, nil
}

// isLink reports whether a path is a symbolic link, whatever its target.
func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

var errIsSite = errors.New("folder of HTML")

// crawlFiles lists the crawl files and the run directories under a folder. If the folder is a site, it returns none.
func crawlFiles(root string) (files []string, runs []*record.Skip, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		path := filepath.Join(root, filepath.FromSlash(name))
		switch {
		case err != nil && name == ".":
			return err
		case err == nil && d.IsDir() && IsRun(path):
			runs = append(runs, runSkip(path))
			return fs.SkipDir
		case err != nil || d.IsDir():
			return nil // Open reports a folder that cannot be read
		case isHTMLName(strings.TrimSuffix(strings.ToLower(name), ".gz")):
			return errIsSite
		case isCrawlName(d.Name()):
			files = append(files, path)
		}
		return nil
	})
	if errors.Is(err, errIsSite) {
		return nil, nil, nil
	}
	slices.Sort(files)
	return files, runs, err
}

func isCrawlName(name string) bool {
	name = strings.ToLower(name)
	for _, outer := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, outer)
	}
	switch filepath.Ext(name) {
	case ".warc", ".arc", ".wacz", ".jsonl", ".ndjson", ".wet", ".wat", ".parquet", ".csv", ".tsv":
		return true
	}
	return false
}
