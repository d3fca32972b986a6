package crawl

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"github.com/lshclust/lshclust/crawl/record"
)

// IsRun reports whether a folder is a run directory, finished or under construction. Its tables could be mistaken for
// input, and a run that is built inside its own input would change that input.
func IsRun(dir string) bool {
	return isRun(os.DirFS(dir), ".")
}

func isRun(files fs.FS, dir string) bool {
	has := func(name string) bool { return isFile(files, path.Join(dir, name)) }
	return has("work/state.json") || has("run.json") && has("pages.parquet")
}

// isFile reports whether there is a regular file, or a link to one.
func isFile(files fs.FS, name string) bool {
	info, err := fs.Stat(files, name)
	return err == nil && info.Mode().IsRegular()
}

// runSkip returns the skip for a run directory.
func runSkip(dir string) *record.Skip {
	return &record.Skip{Pos: record.Position{File: dir}, Reason: record.ReasonRunDir, Err: errors.New("a run of lshclust cluster is no input")}
}
