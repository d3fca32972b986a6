package shareddata

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
)

// longestLine is the number of bytes that Lines takes as one line.
const longestLine = 1 << 26

// Lines returns the first n lines of a compressed file in the folder name. It skips the test like [Dir], and fails it if
// the file has fewer lines.
func Lines(t testing.TB, name, file string, n int) (lines []string) {
	t.Helper()
	f, err := os.Open(filepath.Join(Dir(t, name), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := bufio.NewScanner(z)
	s.Buffer(nil, longestLine)
	for len(lines) < n && s.Scan() {
		lines = append(lines, s.Text())
	}
	if s.Err() != nil || len(lines) < n {
		t.Fatalf("%s: %d lines of %d: %v", f.Name(), len(lines), n, s.Err())
	}
	return lines
}
