package runs_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestCapturesOfURL checks that a URL with a time or a digest finds the matching capture, and that otherwise the
// error lists the captures.
func TestCapturesOfURL(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.Captures = "all"
	r := runtest.Opened(t, c, []string{
		`{"url": "https://a.example/p", "text": "one two three four five six seven eight", "title": "undated"}`,
		`{"url": "https://a.example/p", "html": "<title>first</title>one two", "time": "2023-01-01T00:00:00Z"}`,
		`{"url": "http://www.a.example/p/", "html": "<title>second</title>one two three", "time": "2024-01-01T10:00:00Z"}`,
		`{"url": "https://a.example/p", "html": "<title>third</title>one two four", "time": "2024-01-01T11:00:00Z"}`,
		`{"url": "https://b.example/", "html": "<title>linking</title>see <a href='https://a.example/p'>the page</a> there", "time": "2024-01-01"}`,
		`{"url": "https://moved.example/", "redirect": "https://a.example/p"}`,
	})
	list := runs.CapturesAt(r, "a.example/p")
	var titles []string
	for _, c := range list {
		titles = append(titles, c.Title)
		if id, err := r.Lookup(c.Name); err != nil || id != c.ID || c.Input == "" || r.Document(id).URL != c.Name {
			t.Errorf("%+v: %d, %v", c, id, err)
		}
	}
	if want := []string{"undated", "first", "second", "third"}; !slices.Equal(titles, want) {
		t.Fatalf("%v, want %v", titles, want)
	}
	if n := len(runs.CapturesAt(r, "moved.example")); n != 4 {
		t.Errorf("%d captures of a URL that leads there", n)
	}
	for asked, want := range map[string][]string{
		"2023": {"first"}, "2024": {"second", "third"}, "2024-01-01 11": {"third"}, "2024-01-01T11:00+01:00": {"second"},
		list[0].Digest[:6]: {"undated"}, list[2].Digest: {"second"}, "2022-12-31T23:00-01": {"first"},
		"2025": {"undated", "first", "second", "third"}, "": {""}, "section-2": {""},
	} {
		id, err := r.Lookup("https://a.example/p#" + asked)
		var several *runs.CapturesError
		got := []string{r.Document(id).Title}
		if errors.As(err, &several) {
			got = nil
			for _, c := range several.Captures {
				got = append(got, c.Title)
			}
			if !errors.Is(err, runs.ErrUnknown) || several.None != (asked == "2025") {
				t.Errorf("#%s: %v", asked, err)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("#%s: %v, want %v: %v", asked, got, want, err)
		}
	}
	plain, err := r.Lookup("a.example/p")
	if err != nil || r.Document(plain).Crawled || r.Document(plain).InLinks != 1 {
		t.Errorf("%+v, %v", r.Document(plain), err)
	}
	var several *runs.CapturesError
	if _, err := r.LookupPage("a.example/p"); !errors.As(err, &several) || len(several.Captures) != 4 {
		t.Error(err)
	}
	if id, err := r.LookupPage("b.example"); err != nil || r.Document(id).Title != "linking" {
		t.Error(id, err)
	}
	if n := len(runs.CapturesOf(r, r.URL(plain))); n != 4 {
		t.Errorf("%d captures", n)
	}
}

// TestTextOfCapture checks that the text of a page is read from the winning capture, even if another one has the same
// bytes.
func TestTextOfCapture(t *testing.T) {
	const html = "<p>one two</p>"
	dir := t.TempDir()
	var inputs []string
	for name, line := range map[string]string{"a.jsonl": `{"url": "https://a.example/", "html": "` + html + `"}`, "b.jsonl": `{"url": "https://a.example/", "text": "` + html + `", "title": "text"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(line), 0o666); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, filepath.Join(dir, name))
	}
	slices.Sort(inputs)
	for range 2 {
		out := filepath.Join(t.TempDir(), "run")
		if _, err := pipeline.Cluster(t.Context(), out, inputs, runtest.Preset(t, "web"), pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		r, err := runs.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		id, err := r.Lookup("a.example")
		if err != nil || r.Input(id) != inputs[1] {
			t.Fatal(r.Input(id), err)
		}
		pages, err := runs.ReadPages(t.Context(), r, id, id)
		if err != nil || len(pages) != 2 || (pages[0].Text != nil) != (filepath.Base(inputs[1]) == "b.jsonl") {
			t.Errorf("%+v, %v", pages, err)
		}
		slices.Reverse(inputs)
	}
}
