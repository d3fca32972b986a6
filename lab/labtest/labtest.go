// Package labtest has what tests of several experiments share: small inputs and settings.
package labtest

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
)

// Crawl writes pages, given as URL and markup, to a file and returns its path.
func Crawl(t testing.TB, pages ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, p := range pages {
		if err := e.Encode(map[string]string{"url": p[0], "html": p[1]}); err != nil {
			t.Fatal(err)
		}
	}
	return File(t, b.String())
}

// File writes a text to a file and returns its path: pages.jsonl if the text begins with an object, else gold.tsv.
func File(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "gold.tsv")
	if strings.HasPrefix(text, "{") {
		path = filepath.Join(t.TempDir(), "pages.jsonl")
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// Preset returns the settings of a preset.
func Preset(t testing.TB, name string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Run clusters an input and opens the run until the test ends.
func Run(t testing.TB, c config.Config, input string) *runs.Run {
	t.Helper()
	r := Clustered(t, c, input, filepath.Join(t.TempDir(), "run"))
	t.Cleanup(func() { r.Close() })
	return r
}

// Clustered clusters an input into a folder and opens the run, which the caller closes.
func Clustered(t testing.TB, c config.Config, input, out string) *runs.Run {
	t.Helper()
	if _, err := pipeline.Cluster(context.Background(), out, []string{input}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := runs.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
