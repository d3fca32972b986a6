package shareddata

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// recorder is a test that records how it ended.
type recorder struct {
	testing.TB
	ended, why string
}

func (r *recorder) Helper() {}

func (r *recorder) Skipf(format string, args ...any)  { r.end("skipped", format, args) }
func (r *recorder) Fatalf(format string, args ...any) { r.end("failed", format, args) }

func (r *recorder) end(how, format string, args []any) {
	r.ended, r.why = how, fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// try calls Dir as a test would.
func try(t *testing.T, name string) (dir string, r *recorder) {
	r = &recorder{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		dir = Dir(r, name)
	}()
	<-done
	return dir, r
}

func TestDirFromEnvironment(t *testing.T) {
	data := t.TempDir()
	t.Setenv(Env, data)
	t.Setenv("CI", "true")
	want := filepath.Join(data, "docs")
	if err := os.Mkdir(want, 0o755); err != nil {
		t.Fatal(err)
	}
	if got, r := try(t, "docs"); got != want || r.ended != "" {
		t.Errorf("Dir = %q (%s), want %q", got, r.ended, want)
	}
}

func TestDirMissing(t *testing.T) {
	data := t.TempDir()
	t.Setenv(Env, data)
	if err := os.WriteFile(filepath.Join(data, "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ ci, name, ended string }{
		{"", "docs", "skipped"},
		{"false", "docs", "skipped"},
		{"true", "docs", "failed"},
		{"", "file", "skipped"}, // exists, but is not a folder
	} {
		t.Setenv("CI", c.ci)
		dir, r := try(t, c.name)
		want := fmt.Sprintf("shared data folder %s is missing: set LSHCLUST_DATA to the folder that holds %s",
			filepath.Join(data, c.name), c.name)
		if dir != "" || r.ended != c.ended || r.why != want {
			t.Errorf("CI=%s: Dir(%s) = %q, %s: %s", c.ci, c.name, dir, r.ended, r.why)
		}
	}
}

func TestBaseStandsBesideTheRepository(t *testing.T) {
	t.Setenv(Env, "")
	root := t.TempDir()
	deep := filepath.Join(root, "a", "b")
	if err := os.MkdirAll(deep, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(deep)
	if got, err := base(); err == nil {
		t.Errorf("found %s where there is no module", got)
	}
	nested := filepath.Join(root, "a", "go.mod")
	for path, text := range map[string]string{nested: "module github.com/lshclust/lshclust/a\n", filepath.Join(root, "go.mod"): mainModule} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := filepath.Join(filepath.Dir(root), "shared", "data")
	for _, start := range []string{deep, root} {
		t.Chdir(start)
		if got, err := base(); err != nil || got != want {
			t.Errorf("base in %s = %q, %v, want %s", start, got, err, want)
		}
	}
}
