// Package shareddata finds the shared test data: pages, golds and WARC files that are not in the repository, because
// their licences allow measuring with them but not copying them.
package shareddata

import (
	"bufio"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Env names the environment variable that holds the path of the data. The default is ../shared/data.
const Env = "LSHCLUST_DATA"

// mainModule is the first line of the main module's go.mod.
const mainModule = "module github.com/lshclust/lshclust\n"

// Dir returns the path of a folder of the shared data, such as "docs". If the folder is missing, the test is skipped;
// with CI=true it fails, because nobody would notice a test that never runs.
func Dir(t testing.TB, name string) string {
	t.Helper()
	base, err := base()
	if err != nil {
		t.Fatalf("shared data: %v; set %s", err, Env)
	}
	dir := filepath.Join(base, name)
	info, err := os.Stat(dir)
	if err == nil && info.IsDir() {
		return dir
	}
	missing := t.Skipf
	if os.Getenv("CI") == "true" {
		missing = t.Fatalf
	}
	missing("shared data folder %s is missing: set %s to the folder that holds %s", dir, Env, name)
	return ""
}

// Faults returns the path of a folder of inputs that once were read wrong, such as "text". They lie in the folder faults
// beside the shared data.
func Faults(t testing.TB, name string) string {
	t.Helper()
	return Dir(t, filepath.Join("..", "faults", name))
}

// base returns the folder of the shared data, whether it exists or not. Without Env, it is beside the folder above the
// working directory, which go test sets to that of the package, whose go.mod is that of the main module. A nested module is
// not it.
func base() (string, error) {
	if env := os.Getenv(Env); env != "" {
		return filepath.Abs(env)
	}
	start, err := os.Getwd()
	for dir := start; err == nil; dir = filepath.Dir(dir) {
		if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(mod), mainModule) {
			return filepath.Join(dir, "..", "shared", "data"), nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("the main module is neither " + start + " nor above it")
		}
	}
	return "", err
}

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
