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

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
)

// bad is a bad input, and what a run reports about it.
type bad struct {
	name      string
	file      string // name of the input
	input     []byte
	damaged   int64
	pages     int64
	documents int64
	bags      int64
	dropped   map[string]int64
	warning   string // a part of a warning; "": there is no warning
}

// badInputs returns bad inputs. n is the number of links or words of a page with many, big the bytes of a page that
// is too big.
func badInputs(t *testing.T, n, big int) []bad {
	html := func(pages ...page) []byte { return []byte(strings.Join(jsonl(t, pages...), "\n")) }
	// Three more pages, so that some terms are in several bags and none is in all.
	beside := func(pages ...page) []byte {
		for i, title := range []string{"many links big page w1", "green field", "green hill"} {
			pages = append(pages, page{URL: fmt.Sprint("https://c.example/", i), HTML: "<title>" + title + "</title>"})
		}
		return html(pages...)
	}
	of := func(url, html string) page { return page{URL: url, HTML: html} }
	const a, b = "https://a.example/", "https://b.example/"
	far := "https://a.example/" + strings.Repeat("far/", 25_000)
	good := jsonl(t, of(a, "<title>good page</title><a href="+b+">good link</a>"), of(b, "<title>good page</title>"))
	broken := zipped(t, slices.Repeat(good, n/20)...)
	return []bad{
		{"no byte", "pages.jsonl", nil, 0, 0, 0, 0, map[string]int64{"empty-file": 1}, "holds no page"},
		{"empty lines", "pages.jsonl", []byte("\n\n\n"), 0, 0, 0, 0, nil, "holds no page"},
		{"no page among lines", "pages.jsonl", []byte(`{"url":"https://a.example/"}`), 1, 0, 0, 0, map[string]int64{"empty-page": 1, "unknown-columns": 1}, "holds no page"},
		{"one page", "pages.jsonl", html(of(a, "<title>lonely page</title>text")), 0, 1, 1, 0, nil, ""},
		{"one page that links to itself many times", "pages.jsonl", html(of(a, strings.Repeat("<a href=/#top>top</a> ", n/10))), 0, 1, 1, 0,
			map[string]int64{"self-link": int64(n / 10)}, ""},
		{"one file of HTML", "index.html", []byte("<title>lonely page</title><a href=other.html>other</a>"), 0, 1, 2, 0, nil, ""},
		{"neither title nor links", "pages.jsonl", html(of(a, "<p>words</p>"), of(b, "")), 0, 1, 1, 0, map[string]int64{"empty-page": 1}, ""},
		{"a page that is too big", "pages.jsonl", beside(of(a, "<title>big page</title>"+strings.Repeat("<p>big page of words</p>", big/24)), of(b, "<title>big page</title>")),
			0, 5, 5, 5, map[string]int64{"page-too-big": 1}, ""},
		{"too many <", "index.html", []byte("<title>big page</title>" + strings.Repeat("<", big)), 0, 1, 1, 0, map[string]int64{"page-too-big": 1}, ""},
		{"many links to one target", "pages.jsonl", beside(of(a, strings.Repeat("<a href="+b+">many links</a> ", n)), of(b, "<title>many links</title>")),
			0, 5, 5, 4, nil, ""},
		{"many targets", "pages.jsonl", html(of(a, many(n, func(i int) string { return fmt.Sprintf("<a href=/%d>same words</a> ", i) }))),
			0, 1, int64(n) + 1, 0, nil, ""},
		{"an anchor of many words", "pages.jsonl", beside(of(a, "<a href="+b+">"+many(n/10, func(i int) string { return fmt.Sprintf("w%d ", i%50) })+"</a>"), of(b, "<title>w1 w2 w3</title>")),
			0, 5, 5, 4, nil, ""},
		{"links of 100 KB", "pages.jsonl", html(of(a, "<a href="+far+">far away</a> <a href="+b+">near</a>")), 0, 1, 2, 0, map[string]int64{"link-url-too-long": 1}, ""},
		{"a page of such a URL", "pages.jsonl", html(of(far, "<title>far away</title>"), of(a, "x")), 0, 1, 1, 0, map[string]int64{"url-too-long": 1}, ""},
		{"links that are none", "pages.jsonl", html(of(a, `<a href="javascript:void(0)">j</a><a href=mailto:x@y.example>m</a><a href="data:,x">d</a><a href="ftp://f.example/">f</a>`+
			`<a href="http://[::1">b</a><a href=/n rel="ugc">n</a><a href=/s rel=sponsored>s</a>`)), 0, 1, 1, 0,
			map[string]int64{"link-javascript": 1, "link-mailto": 1, "link-data-url": 1, "link-not-http-url": 1, "link-bad-url": 1, "nofollow": 2}, ""},
		{"lines that are no pages", "pages.jsonl", []byte(`{"url":"https://a.example/","html":"<title>kept</title>"}` + "\n{\n[1]\n" + `{"url":"dns:a","html":"x"}` + "\n" + `{"html":"x"}`),
			1, 2, 2, 0, map[string]int64{"bad-json": 1, "no-url": 1}, "cannot be read"}, // dns:a is an id
		{"gzip that stops", "pages.jsonl.gz", broken[:len(broken)-9], 1, int64(n / 10), 2, 0, map[string]int64{"truncated-gzip": 1}, "cannot be read"},
		{"not gzip behind its header", "pages.jsonl.gz", []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00nonsense"), 1, 0, 0, 0, map[string]int64{"bad-gzip": 1}, "cannot be read"},
		{"noise", "noise", []byte("\x00\x01\x02\xff\xfe noise"), 1, 0, 0, 0, map[string]int64{"unsupported-format": 1}, "cannot be read"},
		{"a base that is no URL", "pages.jsonl", html(of(a, "<base href='http://[::1'><a href=x>one</a> <a href=y>two</a>")), 0, 1, 3, 0, nil, ""}, // the page's own URL stands in
	}
}

func many(n int, s func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(s(i))
	}
	return b.String()
}

// TestBadInput checks that a run over bad input reports what was wrong.
func TestBadInput(t *testing.T) {
	c := preset(t, "web")
	c.MaxPage = 1 << 20
	badInput(t, c, badInputs(t, 10_000, 3<<20))
}

func badInput(t *testing.T, c config.Config, inputs []bad) {
	c.Bags = config.FromLinks // so that a page without links and title has an empty bag
	for _, b := range inputs {
		t.Run(b.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "run")
			r, err := pipeline.Cluster(context.Background(), out, []string{writeBytes(t, b.file, b.input)}, c, pipeline.Options{Workers: 2})
			must(t, err)
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
			warnings := slices.DeleteFunc(slices.Clone(m.Warnings), func(w string) bool { return strings.HasPrefix(w, "no bag has a term") })
			if noBag := len(warnings) < len(m.Warnings); noBag != (b.bags == 0 && b.documents > 0) {
				t.Errorf("%d bags of %d documents, and it is said that there is none: %v", b.bags, b.documents, noBag)
			}
			if all := strings.Join(warnings, "\n"); !strings.Contains(all, b.warning) || b.warning == "" && all != "" {
				t.Errorf("warnings %q, want one of %q", all, b.warning)
			}
			q, err := runs.Open(out)
			must(t, err)
			defer q.Close()
			if q.Len() != int(b.documents) {
				t.Errorf("%d documents in the tables", q.Len())
			}
		})
	}
}

// TestReordered counts the documents that differ from another only by the order of their parameters, linked ones too.
func TestReordered(t *testing.T) {
	pages := jsonl(t, page{URL: "https://a.example/?x=1&y=2", HTML: "<title>one</title><a href='?z=1&y=2&x=1'>three</a><a href='?x=2&y=1'>other</a><a href='?y'>one</a>"},
		page{URL: "https://a.example/?y=2&x=1", HTML: "<title>two</title><a href='?y=2&x=1&z=1'>three</a>"})
	for _, captures := range []config.Captures{config.CapturesNewest, config.CapturesAll} {
		c := preset(t, "web")
		c.Captures = captures
		in := writeBytes(t, "pages.jsonl", []byte(strings.Join(append(pages, pages[1]), "\n")))
		if _, m := cluster(t, c, pipeline.Options{}, in); m.Counts["documents_that_differ_by_order_of_parameters"] != 2 {
			t.Errorf("captures %s: counts %v", captures, m.Counts)
		}
	}
}

// TestNoInput checks a run without inputs, and one over a folder without pages.
func TestNoInput(t *testing.T) {
	for name, inputs := range map[string][]string{"no inputs": nil, "an empty folder": {t.TempDir()}} {
		out, m := cluster(t, preset(t, "web"), pipeline.Options{}, inputs...)
		if m.Counts["documents"] != 0 || !strings.Contains(strings.Join(m.Warnings, "\n"), "holds no page") {
			t.Errorf("%s: counts %v, warnings %q", name, m.Counts, m.Warnings)
		}
		sums(t, out)
	}
}

// TestManyLinksCountOnce checks that a page with 10,000 links to one target is one linking page with one linking
// sentence.
func TestManyLinksCountOnce(t *testing.T) {
	out, m := cluster(t, preset(t, "web"), pipeline.Options{}, write(t, jsonl(t,
		page{URL: "https://a.example/a", HTML: strings.Repeat("<a href=https://b.example/b>red</a> blue ", 10_000)})...))
	if row := rows(t, out)["https://b.example/b"]; row.NInlinks != 1 || row.NInlinkHosts != 1 || m.Counts["links"] != 1 {
		t.Errorf("%d links, %d linking pages of %d hosts", m.Counts["links"], row.NInlinks, row.NInlinkHosts)
	}
	r, err := runs.Open(out)
	must(t, err)
	defer r.Close()
	id, err := r.Lookup("https://b.example/b")
	if err != nil || len(runs.Quotes(r, id)) != 1 || runs.Quotes(r, id)[0].Source != "https://a.example/a" {
		t.Errorf("quotes %+v, error %v", runs.Quotes(r, id), err)
	}
}
