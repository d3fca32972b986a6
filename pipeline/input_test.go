package pipeline_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
)

// bad is an input of section 8 of the design, and what a run says of it.
type bad struct {
	name      string
	file      string // name of the input
	input     []byte
	damaged   int64
	pages     int64
	documents int64
	bags      int64
	dropped   map[string]int64
	warning   string // part of one; "": there is none
}

func badInputs(t *testing.T) []bad {
	html := func(pages ...page) []byte { return []byte(strings.Join(jsonl(t, pages...), "\n")) }
	of := func(url, html string) page { return page{URL: url, HTML: html} }
	const a, b = "https://a.example/", "https://b.example/"
	far := "https://a.example/" + strings.Repeat("far/", 25_000)
	good := jsonl(t, of(a, "<title>good page</title><a href="+b+">good link</a>"), of(b, "<title>good page</title>"))
	broken := zipped(t, slices.Repeat(good, 5000)...)
	return []bad{
		{"no byte", "pages.jsonl", nil, 0, 0, 0, 0, map[string]int64{"empty-file": 1}, "holds no page"},
		{"empty lines", "pages.jsonl", []byte("\n\n\n"), 1, 0, 0, 0, map[string]int64{"unsupported-format": 1}, "unreadable"},
		{"no page among lines", "pages.jsonl", []byte(`{"url":"https://a.example/"}`), 0, 0, 0, 0, map[string]int64{"empty-page": 1}, "holds no page"},
		{"one page", "pages.jsonl", html(of(a, "<title>lonely page</title>text")), 0, 1, 1, 0, nil, ""},
		{"one page that links to itself 10,000 times", "pages.jsonl", html(of(a, strings.Repeat("<a href=/#top>top</a> ", 10_000))), 0, 1, 1, 0,
			map[string]int64{"self-link": 10_000}, ""},
		{"one file of HTML", "index.html", []byte("<title>lonely page</title><a href=other.html>other</a>"), 0, 1, 2, 0, nil, ""},
		{"neither title nor links", "pages.jsonl", html(of(a, "<p>words</p>"), of(b, "")), 0, 1, 1, 0, map[string]int64{"empty-page": 1}, ""},
		{"a page of 50 MB", "pages.jsonl", html(of(a, "<title>big page</title>"+strings.Repeat("<p>big page of words</p>", 50<<20/24)), of(b, "<title>big page</title>")),
			0, 2, 2, 2, map[string]int64{"page-too-big": 1}, ""},
		{"50 MB of <", "pages.jsonl", html(of(a, "<title>big page</title>"+strings.Repeat("<", 50<<20)), of(b, "<title>big page</title>")),
			0, 2, 2, 2, map[string]int64{"page-too-big": 1}, ""},
		{"100,000 links to one target", "pages.jsonl", html(of(a, strings.Repeat("<a href="+b+">many links</a> ", 100_000)), of(b, "<title>many links</title>")),
			0, 2, 2, 1, nil, ""},
		{"100,000 targets", "pages.jsonl", html(of(a, many(100_000, func(i int) string { return fmt.Sprintf("<a href=/%d>same words</a> ", i) }))),
			0, 1, 100_001, 0, nil, ""},
		{"an anchor of 10,000 words", "pages.jsonl", html(of(a, "<a href="+b+">"+many(10_000, func(i int) string { return fmt.Sprintf("w%d ", i%50) })+"</a>"), of(b, "<title>w1 w2 w3</title>")),
			0, 2, 2, 1, nil, ""},
		{"links of 100 KB", "pages.jsonl", html(of(a, "<a href="+far+">far away</a> <a href="+b+">near</a>")), 0, 1, 2, 0, map[string]int64{"link-url-too-long": 1}, ""},
		{"a page of such a URL", "pages.jsonl", html(of(far, "<title>far away</title>"), of(a, "x")), 0, 1, 1, 0, map[string]int64{"url-too-long": 1}, ""},
		{"links that are none", "pages.jsonl", html(of(a, `<a href="javascript:void(0)">j</a><a href=mailto:x@y.example>m</a><a href="data:,x">d</a><a href="ftp://f.example/">f</a>`+
			`<a href="http://[::1">b</a><a href=/n rel="ugc">n</a><a href=/s rel=sponsored>s</a>`)), 0, 1, 1, 0,
			map[string]int64{"link-javascript": 1, "link-mailto": 1, "link-data-url": 1, "link-not-http-url": 1, "link-bad-url": 1, "nofollow": 2}, ""},
		{"lines that are no pages", "pages.jsonl", []byte(`{"url":"https://a.example/","html":"<title>kept</title>"}` + "\n{\n[1]\n" + `{"url":"dns:a","html":"x"}` + "\n" + `{"html":"x"}`),
			2, 1, 1, 0, map[string]int64{"bad-json": 2, "not-http-url": 1, "no-url": 1}, "unreadable"},
		{"gzip that stops", "pages.jsonl.gz", broken[:len(broken)-9], 1, 9999, 2, 2, map[string]int64{"truncated-gzip": 1}, "unreadable"},
		{"not gzip at all", "pages.jsonl.gz", []byte("\x1f\x8b\x08nonsense"), 1, 0, 0, 0, nil, "unreadable"},
		{"noise", "noise", []byte("\x00\x01\x02\xff\xfe noise"), 1, 0, 0, 0, map[string]int64{"unsupported-format": 1}, "unreadable"},
		{"a base that is no URL", "pages.jsonl", html(of(a, "<base href='http://[::1'><a href=x>one</a> <a href=y>two</a>")), 0, 1, 1, 0, nil, ""},
	}
}

func many(n int, s func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(s(i))
	}
	return b.String()
}

// Bad input gives a run, which says what was wrong.
func TestBadInput(t *testing.T) {
	c := preset(t, "web")
	for _, b := range badInputs(t) {
		t.Run(b.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			r, err := pipeline.Cluster(context.Background(), out, []string{writeBytes(t, b.file, b.input)}, c, pipeline.Options{Workers: 2, Memory: 64 << 20})
			if err != nil {
				t.Fatal(err)
			}
			check(t, out)
			m := r.Manifest
			if r.Damaged != b.damaged {
				t.Errorf("%d parts were damaged, want %d", r.Damaged, b.damaged)
			}
			want := []int64{b.pages, b.documents, b.bags}
			if d := cmp.Diff(want, []int64{m.Counts["pages"], m.Counts["documents"], m.Counts["bags"]}); d != "" {
				t.Errorf("pages, documents, bags: %s", d)
			}
			dropped := map[string]int64{}
			for _, d := range m.Dropped {
				dropped[d.Reason] = d.Count
				if d.Damage && len(d.Examples) == 0 {
					t.Errorf("%s: not said where", d.Reason)
				}
			}
			if d := cmp.Diff(b.dropped, dropped, cmpopts.EquateEmpty()); d != "" && b.dropped != nil {
				t.Errorf("dropped: %s", d)
			}
			if all := strings.Join(m.Warnings, "\n"); !strings.Contains(all, b.warning) || b.warning == "" && all != "" {
				t.Errorf("warnings %q, want one of %q", all, b.warning)
			}
			q, err := query.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			defer q.Close()
			if q.Len() != int(b.documents) {
				t.Errorf("%d documents in the tables", q.Len())
			}
		})
	}
}

// No inputs at all, and a folder without pages.
func TestNoInput(t *testing.T) {
	for name, inputs := range map[string][]string{"no inputs": nil, "an empty folder": {t.TempDir()}} {
		out, m := cluster(t, preset(t, "web"), pipeline.Options{}, inputs...)
		if m.Counts["documents"] != 0 || !strings.Contains(strings.Join(m.Warnings, "\n"), "holds no page") {
			t.Errorf("%s: counts %v, warnings %q", name, m.Counts, m.Warnings)
		}
		sums(t, out)
	}
}

// Of a page with 100,000 links to one target every word counts once, and the target has one linking page.
func TestManyLinksCountOnce(t *testing.T) {
	const b = "https://b.example/"
	pages := []page{{URL: "https://a.example/", HTML: strings.Repeat("<a href="+b+">red</a> blue ", 50_000)}}
	for i := range 20 { // other documents, so that red and blue are not in all
		pages = append(pages, page{URL: fmt.Sprint("https://c.example/", i), HTML: "<title>green " + []string{"red", "blue"}[i%2] + "</title>"})
	}
	out, _ := cluster(t, preset(t, "web"), pipeline.Options{}, write(t, jsonl(t, pages...)...))
	row := rows(t, out)[b]
	if row.NInlinks != 1 || row.NInlinkHosts != 1 {
		t.Errorf("%d linking pages of %d hosts", row.NInlinks, row.NInlinkHosts)
	}
}
