package crawl

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Expand turns the arguments of a command into the list of inputs to Open. A folder that holds crawl files
// (.warc, .arc, .wacz, .wat, .wet, .jsonl, .ndjson, .parquet, .csv, .tsv, also .gz and .zst) and no HTML stands for these files, in the order of their
// paths. Every other argument stands for itself: a folder with any HTML in it is read as a site. An
// argument that is given twice counts once.
func Expand(args []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	for _, arg := range args {
		files := []string{arg}
		if info, err := os.Stat(arg); arg != "-" && err != nil {
			return nil, &Skip{Pos: Position{File: arg}, Reason: ReasonUnreadableFile, Err: err}
		} else if arg != "-" && info.IsDir() {
			if inside, err := crawlFiles(arg); err != nil {
				return nil, &Skip{Pos: Position{File: arg}, Reason: ReasonUnreadableFile, Err: err}
			} else if len(inside) > 0 {
				files = inside
			}
		}
		for _, f := range files {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out, nil
}

var errIsSite = errors.New("folder of HTML")

// crawlFiles lists the crawl files under a folder; none when it is a site.
func crawlFiles(root string) ([]string, error) {
	var files []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return err
		case err != nil || d.IsDir():
			return nil // a folder that cannot be read is reported when it is opened
		case isHTMLName(strings.TrimSuffix(strings.ToLower(name), ".gz")):
			return errIsSite
		case isCrawlName(d.Name()):
			files = append(files, filepath.Join(root, filepath.FromSlash(name)))
		}
		return nil
	})
	if errors.Is(err, errIsSite) {
		return nil, nil
	}
	slices.Sort(files)
	return files, err
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
