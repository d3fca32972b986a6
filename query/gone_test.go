package query

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
)

// afterOf builds a run that comes after an earlier one, which it builds too.
func afterOf(t *testing.T, older, newer []string) *Run {
	t.Helper()
	dir, c := t.TempDir(), preset(t, config.DefaultPreset)
	c.Sweep = true
	for name, lines := range map[string][]string{"older": older, "newer": newer} {
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(strings.Join(lines, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"older", "newer"} {
		if _, err := pipeline.Cluster(t.Context(), filepath.Join(dir, name), []string{filepath.Join(dir, name+".jsonl")}, c, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		c.After = filepath.Join(dir, "older")
	}
	r, err := Open(filepath.Join(dir, "newer"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// A page that an earlier sweep had is known to be gone, with its last date, whether pages still link to it or not.
func TestGone(t *testing.T) {
	const d1, d2 = "2021-05-01T00:00:00Z", "2022-01-01T00:00:00Z"
	r := afterOf(t, []string{lostPage("kept", 1, d1), lostPage("lost", 2, d1), lostPage("linked", 3, d1), lostPage("undated", 4, "")},
		[]string{lostPage("kept", 1, d2, "linked"), lostPage("new", 5, d2)})
	day := time.Date(2021, 5, 1, 0, 0, 0, 0, time.UTC)
	for url, want := range map[string]struct {
		gone bool
		last time.Time
	}{
		"https://a.example/lost": {true, day}, "a.example/lost/": {true, day}, "https://a.example/linked": {true, day}, "https://a.example/undated": {true, time.Time{}},
		"https://a.example/kept": {}, "https://a.example/new": {}, "https://a.example/never": {}, "": {},
	} {
		if last, gone := r.Gone(url); gone != want.gone || !last.Equal(want.last) {
			t.Errorf("%q is gone: %v, since %s", url, gone, last)
		}
	}
	for url, want := range map[string]string{"a.example/lost": "saw it last on 2021-05-01", "a.example/undated": "gone since an earlier sweep", "a.example/never": ""} {
		_, err := r.Lookup(url)
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), want) || want == "" && strings.Contains(err.Error(), "gone") {
			t.Errorf("%s: error %v", url, err)
		}
	}
	l, err := NewLostAndFound(r)
	if err != nil {
		t.Fatal(err)
	}
	for url, known := range map[string]Known{"a.example/lost": KnownNothing, "a.example/linked": KnownLinks} {
		f, err := l.Find(t.Context(), url, 1)
		if err != nil || len(f.Seen) != 1 || !f.Seen[0].Gone || !f.Seen[0].LastSeen.Equal(day) || f.Seen[0].Known != known {
			t.Errorf("%s: %+v, error %v", url, f, err)
		}
	}
	if f, err := l.Find(t.Context(), "a.example/kept", 1); err != nil || f.Seen[0].Gone {
		t.Errorf("%+v, error %v", f, err)
	}
	if err := checkGone(t.Context(), r); err != nil {
		t.Error(err)
	}
}
