// Package runtest builds runs for tests, each once in a process.
package runtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
)

// Broken runs the checks on a run directory and returns "rule: error" for each one that fails.
func Broken(t *testing.T, dir string) string {
	t.Helper()
	of, err := run.Open(dir)
	Must(t, err)
	var out []string
	for _, c := range runs.Checks() {
		if err := c.Func(context.Background(), of); err != nil {
			out = append(out, c.Name+": "+err.Error())
		}
	}
	return strings.Join(out, "\n")
}

// CopyRun copies a run to a temporary folder.
func CopyRun(t *testing.T, from string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "run")
	Must(t, os.CopyFS(to, os.DirFS(from)))
	return to
}

// Must fails the test if there is an error.
func Must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// SamplePages returns the first lines of the embedded sample.
func SamplePages(t testing.TB, n int) []string {
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

// Lines returns JSON Lines of pages with a URL and markup each.
func Lines(t testing.TB, pages ...[2]string) []string {
	t.Helper()
	var out []string
	for _, p := range pages {
		b, err := json.Marshal(map[string]string{"url": p[0], "html": p[1]})
		Must(t, err)
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

// Main runs the tests of a package and removes the runs that they have built.
func Main(m *testing.M) {
	code := m.Run()
	if dir, err := built.dir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// Build builds a run from pages, unless a test has done so, and returns its directory. A test that changes the run
// must use [CopyRun].
func Build(t testing.TB, c config.Config, pages []string) string {
	t.Helper()
	text := strings.Join(pages, "\n")
	key := fmt.Sprintf("%+v\n%s", c, text)
	if out, ok := built.runs[key]; ok {
		return out
	}
	dir, err := built.dir()
	Must(t, err)
	name := strconv.Itoa(len(built.runs))
	in, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
	Must(t, os.WriteFile(in, []byte(text), 0o666))
	_, err = pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{})
	Must(t, err)
	built.runs[key] = out
	return out
}

// Preset returns the settings of a preset.
func Preset(t testing.TB, name string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	Must(t, err)
	return c
}

// Opened builds a run from pages. It stays open until the test ends.
func Opened(t testing.TB, c config.Config, pages []string) *runs.Run {
	t.Helper()
	return kept(t, Build(t, c, pages), runs.Open)
}

// kept opens a run, which is closed when the test ends.
func kept(t testing.TB, path string, open func(path string) (*runs.Run, error)) *runs.Run {
	t.Helper()
	r, err := open(path)
	Must(t, err)
	t.Cleanup(func() { Must(t, r.Close()) })
	return r
}

// Copies adds pages with the text of others, or most of it.
func Copies(pages []string) []string {
	for i, line := range pages[:10] {
		line = strings.Replace(line, "https://", "https://copy.", 1)
		if i%2 == 1 {
			line = strings.Replace(line, "<p>", "<p>A word more, and two, and three.", 1)
		}
		pages = append(pages, line)
	}
	return pages
}

// Syntactic returns the settings of a run with the syntactic view alone.
func Syntactic(t testing.TB, change func(*config.Config)) config.Config {
	c := Preset(t, config.DefaultPreset)
	c.Views = []string{config.Syntactic}
	if change != nil {
		change(&c)
	}
	return c
}

// SketchFile writes the sketches of a run to a file and returns its path.
func SketchFile(t testing.TB, r *runs.Run, o runs.SketchSettings) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "holdings.sketches")
	if n, err := runs.WriteSketches(t.Context(), r, path, o); err != nil || n != r.Pages.Len() {
		t.Fatal(n, err)
	}
	return path
}

// OpenedSketches opens a file of sketches until the test ends.
func OpenedSketches(t testing.TB, path string) *runs.Run {
	t.Helper()
	return kept(t, path, runs.OpenSketches)
}

// MadeWords returns n words of five letters that depend on the seed only.
func MadeWords(seed uint64, n int) string {
	random := rand.New(rand.NewPCG(seed, 17))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%c%c%c%c%c", 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26))
	}
	return strings.Join(words, " ")
}

// SitePage returns a line of JSON Lines: a page with a title, paragraphs and links.
func SitePage(url, title, time string, paragraphs []string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<title>%s</title><h1>%s</h1>", title, title)
	for _, p := range paragraphs {
		fmt.Fprintf(&b, "<p>%s</p>", p)
	}
	for _, l := range links {
		fmt.Fprintf(&b, `<p>See <a href="%s">%s</a>.</p>`, l, l[strings.LastIndexByte(l, '/')+1:])
	}
	raw, _ := json.Marshal(map[string]string{"url": url, "html": b.String(), "timestamp": time})
	return string(raw)
}
