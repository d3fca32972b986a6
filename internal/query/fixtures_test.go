package query

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/sample"
)

// samplePages returns the first lines of the embedded sample.
func samplePages(t testing.TB, n int) []string {
	t.Helper()
	var out []string
	s := bufio.NewScanner(sample.Open())
	s.Buffer(nil, 1<<24)
	for s.Scan() && len(out) < n {
		out = append(out, s.Text())
	}
	if s.Err() != nil || len(out) < n {
		t.Fatalf("%d pages: %v", len(out), s.Err())
	}
	return out
}

// lines returns JSON Lines of pages with a URL and markup each.
func lines(t testing.TB, pages ...[2]string) []string {
	t.Helper()
	var out []string
	for _, p := range pages {
		b, err := json.Marshal(map[string]string{"url": p[0], "html": p[1]})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(b))
	}
	return out
}

// built holds the runs of the tests, so that tests with the same settings and pages share one. They must not change
// it.
var built = struct {
	dir  func() (string, error)
	runs map[string]string // the run directory by settings and pages
}{
	dir:  sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "query") }),
	runs: map[string]string{},
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built.dir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// build builds a run from pages, unless a test has done so, and returns its directory. A test that changes the run
// must use [copyRun].
func build(t testing.TB, c config.Config, pages []string) string {
	t.Helper()
	text := strings.Join(pages, "\n")
	key := fmt.Sprintf("%+v\n%s", c, text)
	if out, ok := built.runs[key]; ok {
		return out
	}
	dir, err := built.dir()
	if err != nil {
		t.Fatal(err)
	}
	name := strconv.Itoa(len(built.runs))
	in, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	built.runs[key] = out
	return out
}

func preset(t testing.TB, name string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// opened builds a run from pages. It stays open until the test ends.
func opened(t testing.TB, c config.Config, pages []string) *Run {
	t.Helper()
	r, err := Open(build(t, c, pages))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// defaultWho holds the options of most tests.
var defaultWho = WhoOptions{By: "host", Min: 0.2, Words: 30, Limit: 20, Pages: 5, Passages: 2}
