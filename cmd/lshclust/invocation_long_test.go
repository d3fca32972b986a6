package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLongTryNext runs the commands that demo prints, as they stand, in the folder in which it was started: by go run, by
// a path with a space, and by its name.
func TestLongTryNext(t *testing.T) {
	module, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	lshclust, err := exec.LookPath("lshclust") // in a folder of testscript, where programs can be run; t.TempDir may be in memory
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(filepath.Dir(lshclust))
	bin := filepath.Join(dir, "a bin")
	inFolder(t, module, "go build -o '"+bin+"/lshclust' ./cmd/lshclust")
	for name, c := range map[string]struct{ in, program, path string }{
		"by go run":            {module, "go run ./cmd/lshclust", without(t, os.Getenv("PATH"))},
		"by go run, elsewhere": {filepath.Join(module, "docs"), "go run github.com/lshclust/lshclust/cmd/lshclust", without(t, os.Getenv("PATH"))},
		"by a path":            {dir, "'./a bin/lshclust'", without(t, os.Getenv("PATH"))},
		"by its name":          {dir, "lshclust", bin + string(filepath.ListSeparator) + os.Getenv("PATH")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", c.path)
			run := filepath.Join(t.TempDir(), "a run")
			_, next, _ := strings.Cut(inFolder(t, c.in, c.program+" demo -q -o '"+run+"'"), "Try next:\n")
			tried := 0
			for line := range strings.Lines(next) {
				if line = strings.TrimSpace(line); !strings.HasPrefix(line, c.program+" ") {
					t.Errorf("%q does not begin with %s", line, c.program)
				}
				if strings.Contains(line, " serve ") || strings.Contains(line, "your-crawl") {
					continue // one does not end, the other names a file that is not there
				}
				if tried++; tried == 1 || !strings.HasPrefix(c.program, "go run ") { // which takes two seconds
					inFolder(t, c.in, line)
				}
			}
			if tried < 5 {
				t.Errorf("%d commands:\n%s", tried, next)
			}
		})
	}
}

// without removes the folders that hold lshclust from PATH.
func without(t *testing.T, path string) string {
	t.Helper()
	var left []string
	for _, dir := range filepath.SplitList(path) {
		if _, err := os.Stat(filepath.Join(dir, "lshclust")); err != nil {
			left = append(left, dir)
		}
	}
	return strings.Join(left, string(filepath.ListSeparator))
}

// inFolder runs a line of a shell and returns its standard output.
func inFolder(t *testing.T, dir, line string) string {
	t.Helper()
	c := exec.Command("sh", "-c", line)
	var said bytes.Buffer
	c.Dir, c.Stderr, c.Env = dir, &said, append(os.Environ(), "TMPDIR=") // go run runs programs in TMPDIR
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, &said)
	}
	return string(out)
}
