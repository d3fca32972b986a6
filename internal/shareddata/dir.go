// Package shareddata finds the shared test data: pages, gold and WARC files that lie beside the repository
// because their licences let them be measured with and not be copied into it.
package shareddata

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Env names the environment variable that says where the data is, if not in ../shared/data.
const Env = "LSHCLUST_DATA"

// Dir gives the path of a folder of the shared data, such as "docs". Where it is missing the test is skipped,
// but with CI=true it fails: a test that is never run there would hide.
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
	missing("shared data folder %s is not there: set %s to the folder that holds %s", dir, Env, name)
	return ""
}

// base gives the folder of the shared data, whether it is there or not.
func base() (string, error) {
	if env := os.Getenv(Env); env != "" {
		return filepath.Abs(env)
	}
	root, err := moduleRoot()
	return filepath.Join(root, "..", "shared", "data"), err
}

// moduleRoot looks upwards from this source file or, when it was compiled with -trimpath and does not
// know where it is, from the working directory, which go test makes that of the package.
func moduleRoot() (string, error) {
	_, file, _, _ := runtime.Caller(0)
	start := filepath.Dir(file)
	if !filepath.IsAbs(file) {
		var err error
		if start, err = os.Getwd(); err != nil {
			return "", err
		}
	}
	return rootAbove(start)
}

// rootAbove gives the nearest folder with a go.mod, start or above.
func rootAbove(start string) (string, error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod in " + start + " or above")
		}
	}
}
