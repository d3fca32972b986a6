package crawl

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl/record"
)

// IsRun reports whether a folder is a run directory, finished or under construction. Its tables could be mistaken for
// input, and a run that is built inside its own input would change that input.
func IsRun(dir string) bool {
	return isFile(dir, "work", "state.json") || isFile(dir, "run.json") && isFile(dir, "pages.parquet")
}

func isFile(path ...string) bool {
	info, err := os.Stat(filepath.Join(path...))
	return err == nil && info.Mode().IsRegular()
}

// runSkip returns the skip for a run directory.
func runSkip(dir string) *record.Skip {
	return &record.Skip{Pos: record.Position{File: dir}, Reason: record.ReasonRunDir, Err: errors.New("a run of lshclust cluster is no input")}
}
