// Package shareddata finds the shared test data: pages, golds and WARC files that are not in the repository, because
// their licences allow measuring with them but not copying them.
package shareddata

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
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
	return dir(t, name)
}

// Faults returns the path of a folder of inputs that once were read wrong, such as "text". They lie in the folder faults
// beside the shared data.
func Faults(t testing.TB, name string) string {
	t.Helper()
	return dir(t, filepath.Join("..", "faults", name))
}

func dir(t testing.TB, name string) string {
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

// base returns the folder of the shared data, whether it exists or not.
func base() (string, error) {
	if env := os.Getenv(Env); env != "" {
		return filepath.Abs(env)
	}
	root, err := moduleRoot()
	return filepath.Join(root, "..", "shared", "data"), err
}

// moduleRoot searches upwards from this source file. If it was compiled with -trimpath and does not know its place,
// it searches from the working directory, which go test sets to the folder of the package.
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

// rootAbove returns start, or the nearest folder above it, whose go.mod is that of the main module. A nested module is
// not it.
func rootAbove(start string) (string, error) {
	for dir := start; ; dir = filepath.Dir(dir) {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), mainModule) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("the main module is neither " + start + " nor above it")
		}
	}
}
