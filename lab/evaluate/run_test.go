package evaluate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/lab/labtest"
	"github.com/lshclust/lshclust/lab/score"
)

// sampleInput returns the first pages of the embedded sample as an input.
func sampleInput(t testing.TB) string { return labtest.File(t, string(sampleLines(t))) }

func sampleLines(t testing.TB) []byte {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 301)[:300], nil)
}

// links returns the markup of links to hosts, each with its anchor after a colon.
func links(to ...string) (html string) {
	for _, x := range to {
		host, anchor, _ := strings.Cut(x, ":")
		html += fmt.Sprintf("<p><a href=https://%s.org>%s</a></p>", host, anchor)
	}
	return html
}

// sampleRuns holds the topical runs over the sample that tests share, by preset.
var sampleRuns = map[string]*runs.Run{}

// sampleRun returns the topical run of a preset over the sample, without the words of the pages themselves, which are
// not in the windows around links. Tests must not change it.
func sampleRun(t testing.TB, name string) *runs.Run {
	t.Helper()
	if sampleRuns[name] == nil {
		c := labtest.Preset(t, name)
		c.Views, c.Bags = []string{config.Topical}, config.FromLinks
		dir := filepath.Join(shared, name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		input := filepath.Join(dir, "pages.jsonl")
		if err := os.WriteFile(input, sampleLines(t), 0o666); err != nil {
			t.Fatal(err)
		}
		sampleRuns[name] = labtest.Clustered(t, c, input, filepath.Join(dir, "run"))
	}
	return sampleRuns[name]
}

// shared is the folder of the runs that tests share.
var shared string

// TestMain removes the runs that tests shared.
func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "eval"); err != nil {
		panic(err)
	}
	code := m.Run()
	for _, r := range sampleRuns {
		r.Close()
	}
	os.RemoveAll(shared)
	os.Exit(code)
}

// subjectOf returns a subject with one category for all URLs and with co-linked pairs.
func subjectOf(t testing.TB, r *runs.Run, urls ...string) *Subject {
	t.Helper()
	var labels []score.Label
	for _, u := range urls {
		labels = append(labels, score.Label{URL: u, Path: []string{"all"}})
	}
	s, err := NewSubject(r, labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	if s.CoLinks, err = s.coLinked(); err != nil {
		t.Fatal(err)
	}
	return s
}

// everyThird returns the subject of every third document of a run.
func everyThird(t testing.TB, r *runs.Run) *Subject {
	var urls []string
	for id := 0; id < r.Len(); id += 3 {
		urls = append(urls, r.Document(uint32(id)).URL)
	}
	return subjectOf(t, r, urls...)
}

func rank(t testing.TB, s *Subject, name string) score.Ranking {
	t.Helper()
	bases, err := ParseBaselines([]string{name})
	if err != nil || len(bases) != 1 {
		t.Fatal(bases, err)
	}
	r, err := bases[0].Rank(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
