package pipeline_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// pagesOf are the lines of n pages of random words.
func pagesOf(n, words int) []string {
	r := rand.New(rand.NewPCG(1, uint64(words)))
	lines := make([]string, n)
	for i := range lines {
		text := make([]string, words)
		for j := range text {
			text[j] = fmt.Sprint("w", r.IntN(50_000))
		}
		lines[i] = fmt.Sprintf(`{"url": "https://example.org/%d", "text": %q}`, i, strings.Join(text, " "))
	}
	return lines
}

// TestShortPagesWarning checks that a run of short pages recommends settings for short pages, and that a run of long
// pages, or with such settings, does not.
func TestShortPagesWarning(t *testing.T) {
	for _, c := range []struct {
		words, shingle int
		want           string
	}{
		{60, 10, "half of the pages have 60 words or fewer: with --set shingle=10, 2 changed words can hide that a page of 60 words is a version of another (resemblance below 0.5); with --set shingle=3 it takes 7, with --set shingle=3 --resemblance 0.3 it takes 11"},
		{60, 3, ""}, {7, 10, "half of the pages have 7 words or fewer, which is no shingle of 10 words"}, {199, 10, "half of the pages have 199 words"}, {200, 10, ""},
	} {
		set := preset(t, "web")
		set.Views, set.Shingle = []string{config.Syntactic}, c.shingle
		m := manifestOf(t, set, pagesOf(21, c.words))
		got := ""
		for _, w := range m.Warnings {
			if strings.Contains(w, "half of the pages have") {
				got = w
			}
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%d words, shingles of %d: %q, want %q", c.words, c.shingle, got, c.want)
		}
		if s, _ := m.Stage("shingle"); s.Counts["median_words"] != int64(c.words) {
			t.Errorf("median %d, want %d", s.Counts["median_words"], c.words)
		}
	}
}

func manifestOf(t *testing.T, c config.Config, lines []string) *run.Manifest {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	got, err := pipeline.Cluster(t.Context(), out, []string{write(t, lines...)}, c, pipeline.Options{})
	must(t, err)
	return got.Manifest
}

// TestIndexStage checks that the index contains every shingle of a small run, or the share in the settings, and that
// the manifest records its size.
func TestIndexStage(t *testing.T) {
	lines := append(pagesOf(5, 1000), pagesOf(12, 30)[5:]...) // 5 pages of 991 shingles, 7 of 21
	for _, c := range []struct {
		modulus       uint64
		whole, least  int64
		most, oneInIs int64
	}{{0, 12, 5102, 5102, 1}, {1, 12, 5102, 5102, 1}, {25, 7, 147 + 130, 147 + 270, 25}, {100, 12, 5102, 5102, 100}} {
		set := preset(t, "web")
		set.Views, set.IndexOneIn = []string{config.Syntactic}, c.modulus
		m := manifestOf(t, set, lines)
		s, _ := m.Stage("index")
		table, _ := m.Table(tables.PostingsFile)
		if s.Out < c.least || s.Out > c.most || s.Counts["one_shingle_in"] != c.oneInIs || s.Counts["pages_with_all_shingles"] != c.whole ||
			s.Counts["pages_with_sampled_shingles"] != 12-c.whole || s.Counts["bytes"] != table.Bytes {
			t.Errorf("modulus %d: %d postings, %v, table of %d bytes", c.modulus, s.Out, s.Counts, table.Bytes)
		}
	}
}
