package pipeline_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/peak"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/scratch"
)

// TestFreedBlocks checks that no buffer of a page is read after it was freed: a run has the same bytes if every
// buffer of more than a few bytes comes from a pool that overwrites freed memory.
func TestFreedBlocks(t *testing.T) {
	t.Run("skewed", func(t *testing.T) { freedBlocks(t, "paper2000", 1000, skewedPages(t)...) })
	t.Run("lists", func(t *testing.T) { freedBlocks(t, "web", 1, linkLists(t)) })
}

// freedBlocks compares a run with one that has such a pool.
func freedBlocks(t *testing.T, name string, share int64, paths ...string) {
	c := preset(t, name)
	c.Canonical = "trust"
	if name == "paper2000" {
		c.Bags, c.Captures = "content", "all"
	}
	dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, paths...)
	want := everything(t, dir)
	restore := scratch.Harsh(share)
	dir, _ = cluster(t, c, pipeline.Options{Workers: 3, Memory: 64 << 20}, paths...)
	restore()
	if d := cmp.Diff(want, everything(t, dir)); d != "" {
		t.Errorf("share of %d: %s", share, d)
	}
}

// skewedPages returns pages of every shape that takes much memory, as lines and as a WARC.
func skewedPages(t *testing.T) []string {
	t.Helper()
	var lines []string
	var warc bytes.Buffer
	for i, unit := range []string{
		"a b c d e f g h ", "<a href=/x>x</a>", "<h1>a<h2>b", "<b><i><div>", "<title>a &amp; b ", "&amp;&lt;a", "<img alt='a &amp; b'>", "\xffa\xff ",
	} {
		html := strings.Repeat(unit, 5000/len(unit))
		url := fmt.Sprintf("https://skew.example/%d", i)
		lines = append(lines, jsonl(t, page{URL: url, HTML: html, Time: t1})...)
		warc.WriteString(warcResponse(url, t2, html))
	}
	links := string(peak.Page(5000))
	lines = append(lines, jsonl(t, page{URL: "https://skew.example/links", HTML: links, Time: t1})...)
	warc.WriteString(warcResponse("https://skew.example/links", t2, links))
	return []string{write(t, lines...), writeBytes(t, "skew.warc", warc.Bytes())}
}

// linkLists returns lines with many links each, whose strings contain escapes.
func linkLists(t *testing.T) string {
	t.Helper()
	var lines []string
	for host := range 20 {
		var to, said, from []string
		for i := range 60 {
			to = append(to, fmt.Sprintf("https://h%d.example/%d?\"é", host, i%7))
			said = append(said, strings.Repeat(fmt.Sprintf("the \"%d\"\twords ", i%5), 5))
			from = append(from, fmt.Sprintf("https://from%d.example/%d\\", i%11, host))
		}
		b, err := json.Marshal(map[string]any{"dest": fmt.Sprintf("h%d.example", host), "url": to, "text": said, "source": from})
		must(t, err)
		lines = append(lines, string(b))
	}
	return write(t, lines...)
}
