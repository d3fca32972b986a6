package pipeline_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// linkRow is a row of a table of links.
type linkRow struct{ source, target, anchor, before, after string }

// linkedPages returns pages with three links each to different targets, and the same links as rows, each with all the words
// of the page before and after it.
func linkedPages(t testing.TB) (lines []string, rows []linkRow) {
	t.Helper()
	words := strings.Fields("river mountain water valley stone bridge forest meadow castle village harbour island")
	some := func(n int) string { return words[n%12] + " " + words[(n*n/7+3)%12] + words[n/5%12] }
	for i := range 60 {
		page, plain := page{URL: fmt.Sprintf("https://p%d.example/%d", i%9, i), HTML: "<p>"}, ""
		var links []linkRow
		for k := range 3 {
			target, before, anchor := fmt.Sprintf("https://t%d.example/%d", k, (i*3+k)%23), some(7*i+k), some(i+5*k)
			page.HTML += fmt.Sprintf("%s <a href=%s>%s</a> ", before, target, anchor)
			plain += before + " "
			links = append(links, linkRow{page.URL, target, anchor, plain, ""})
			plain += anchor + " "
		}
		page.HTML, plain = page.HTML+some(i+1), plain+some(i+1)
		for _, l := range links {
			l.after = plain[len(l.before)+len(l.anchor):]
			rows = append(rows, l)
		}
		lines = append(lines, jsonl(t, page)...)
	}
	return lines, rows
}

func writeCSV(t testing.TB, name string, rows []linkRow, columns int) string {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	all := [][]string{{"source", "target", "anchor", "before", "after"}}
	for _, r := range rows {
		all = append(all, []string{r.source, r.target, r.anchor, r.before, r.after})
	}
	for _, r := range all {
		must(t, w.Write(r[:columns]))
	}
	w.Flush()
	return writeBytes(t, name, b.Bytes())
}

// openBags opens the tables of bags until the end of the test.
func openBags(t testing.TB, dir string) (*tables.Documents, *tables.Terms, *tables.Bags) {
	t.Helper()
	docs, err := tables.OpenDocuments(dir + "/" + tables.DocumentsFile)
	must(t, err)
	terms, err := tables.OpenTerms(dir + "/" + tables.TermsFile)
	must(t, err)
	bags, err := tables.OpenBags(dir + "/" + tables.BagsFile)
	must(t, err)
	t.Cleanup(func() { must(t, errors.Join(docs.Close(), terms.Close(), bags.Close())) })
	return docs, terms, bags
}

// bagsOf returns the bags of a run that are not empty, as "hash:count …" by URL.
func bagsOf(t testing.TB, dir string) map[string]string {
	t.Helper()
	docs, terms, bags := openBags(t, dir)
	out := map[string]string{}
	for id := range uint32(docs.Len()) {
		var words []string
		bag := bags.At(id)
		for i, term := range bag.Terms {
			words = append(words, fmt.Sprint(terms.Hashes()[term], ":", bag.Counts[i]))
		}
		if len(words) > 0 {
			out[strings.Clone(docs.URL(id))] = strings.Join(words, " ")
		}
	}
	return out
}

// TestLinksTableIsPages checks that a table of links with all the words around them yields the same bags as the
// pages, and that a table with anchors only yields the same bags as the pages with a window of 0.
func TestLinksTableIsPages(t *testing.T) {
	linksTableIsPages(t, "web", "with surroundings")
}

// linksTableIsPages compares a table of links with pages.
func linksTableIsPages(t *testing.T, name, how string) {
	lines, rows := linkedPages(t)
	c := preset(t, name)
	c.Title, c.Views = false, []string{config.Topical}
	c.Heads, c.Bags = 0, config.FromLinks // a table has no headings, and nothing of what the page says
	// A window of 0 weighs words by 1 and one of 32 by 5.04 in the anchor: damping would round them apart.
	c.Hosts = anchors.EveryPage
	c.Language = "english" // an anchor alone does not show the language of its page
	bare, columns := c, 5
	if how == "anchors" {
		c.Window, columns = 0, 3
	}
	ofPages, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
	ofLinks, m := cluster(t, bare, pipeline.Options{}, writeCSV(t, "links.csv", shuffle(rows, 3), columns))
	want, got := bagsOf(t, ofPages), bagsOf(t, ofLinks)
	if d := cmp.Diff(want, got); d != "" || len(want) < 40 {
		t.Errorf("%s, %s: %d bags, %d of pages; %.2000s", name, how, len(got), len(want), d)
	}
	if n := m.WindowSource; how == "anchors" && (n["anchor"] != int64(len(rows)) || n["given"] != 0) || how != "anchors" && n["given"] < int64(len(rows))*9/10 {
		t.Errorf("%s, %s: window source %v of %d, dropped %+v", name, how, n, len(rows), m.Dropped)
	}
	same := rowsDiffer(rows2(t, ofPages), rows2(t, ofLinks))
	if same != "" {
		t.Errorf("%s, %s: %s", name, how, same)
	}
}

func rows2(t testing.TB, dir string) map[string][2]int32 {
	out := map[string][2]int32{}
	for url, r := range rows(t, dir) {
		out[url] = [2]int32{r.NInlinks, r.NInlinkHosts}
	}
	return out
}

func rowsDiffer(want, got map[string][2]int32) string {
	for url, w := range want {
		if g, ok := got[url]; ok && g != w || !ok && w[0] > 0 {
			return fmt.Sprintf("%s: linked from %v, want %v", url, g, w)
		}
	}
	return ""
}

// TestSameBytesOfLinks checks that workers, memory, the order of the rows and their distribution over files change no
// byte, and neither do rows of older captures.
func TestSameBytesOfLinks(t *testing.T) {
	_, rows := linkedPages(t)
	dated := func(days ...string) (out []string) {
		for _, r := range rows {
			for _, day := range days {
				out = append(out, fmt.Sprintf("%s,%s,%s,%s", day, r.source, r.target, r.anchor))
			}
		}
		return out
	}
	file := func(rows []string) string {
		return writeBytes(t, "l.csv", []byte("crawl_date,source,target,anchor_text\n"+strings.Join(rows, "\n")))
	}
	c := topicalOf(t, "web")
	dir, m := cluster(t, c, pipeline.Options{Workers: 1}, file(dated("20240101")))
	if m.Counts["pages"] != 0 || m.Counts["documents"] == 0 || m.Counts["topical_pairs"] == 0 {
		t.Errorf("counts %v", m.Counts)
	}
	rest := shuffle(dated("20240101", "20230101"), 1)
	third := len(rest) / 3
	same(t, "shuffled, two files, with older rows", sums(t, dir), c, pipeline.Options{Workers: 4, Memory: 1 << 18}, file(rest[third:]), file(rest[:third]))
}

// TestLinksOfOneSource checks that rows with one source and one target are one linking page, whose words are added
// up, wherever in the inputs the rows are.
func TestLinksOfOneSource(t *testing.T) {
	out, m := cluster(t, preset(t, "web"), pipeline.Options{}, writeBytes(t, "l.tsv", []byte(strings.Join([]string{
		"source\ttarget\tanchor", "https://a.example/\thttps://t.example/\tred apple", "https://b.example/\thttps://t.example/\tapple", "https://a.example/\thttps://t.example/\tfruit",
		"https://a.example/\thttps://a.example/#top\tself", "https://a.example/\tmailto:x@y.example\tmail", "https://a.example/\t/u\tgreen apple",
	}, "\n"))))
	if row := rows(t, out)["https://t.example"]; row.NInlinks != 2 || row.NInlinkHosts != 2 || row.ContentDigest != "" {
		t.Errorf("%+v", row)
	}
	dropped := map[string]int64{}
	for _, d := range m.Dropped {
		dropped[d.Reason] = d.Count
	}
	if d := cmp.Diff(map[string]int64{"self-link": 1, "link-mailto": 1}, dropped); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]int64{"anchor": 4}, m.WindowSource); d != "" {
		t.Error(d)
	}
	if !slices.ContainsFunc(m.Warnings, func(w string) bool { return strings.Contains(w, "4 of 4 links came without") }) {
		t.Errorf("warnings %q", m.Warnings)
	}
	got := map[string]bool{}
	for url := range rows(t, out) {
		got[url] = true
	}
	if d := cmp.Diff(map[string]bool{"https://a.example": true, "https://b.example": true, "https://t.example": true, "https://a.example/u": true}, got); d != "" {
		t.Error(d)
	}
}

// TestLinksBesidePages checks that the text of a page and its links may come from two inputs, such as WET and WAT
// files, and its links from the page and a table.
func TestLinksBesidePages(t *testing.T) {
	body := `{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"https://a.example/","WARC-Date":"2024-05-06T07:08:09Z"},"Payload-Metadata":{"HTTP-Response-Metadata":{` +
		`"HTML-Metadata":{"Head":{"Title":"Apples and pears"},"Links":[{"path":"A@/href","url":"https://b.example/","text":"red apple"}]}}}}}`
	wat := writeBytes(t, "x.wat", []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nWARC-Target-URI: https://a.example/\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)))
	const plain = "Apples are red, pears are green, and both grow on trees in the orchard."
	wet := writeBytes(t, "x.wet", []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\nWARC-Target-URI: https://a.example/\r\nWARC-Date: 2024-05-06T07:08:09Z\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(plain), plain)))
	out, m := cluster(t, preset(t, "web"), pipeline.Options{}, wat, wet)
	row := rows(t, out)["https://a.example"]
	if row.Title != "Apples and pears" || row.ContentDigest == "" || row.NTokens != 14 || row.FetchTime == 0 || rows(t, out)["https://b.example"].NInlinks != 1 || m.Counts["pages"] != 1 {
		t.Errorf("%+v, %v", row, m.Counts)
	}
	alone, m := cluster(t, preset(t, "web"), pipeline.Options{}, wat)
	if row := rows(t, alone)["https://a.example"]; row.Title != "Apples and pears" || row.ContentDigest != "" || row.SyntacticClusterID != "" || m.Counts["pages"] != 0 {
		t.Errorf("%+v, %v", row, m.Counts)
	}
	_, m = cluster(t, preset(t, "web"), pipeline.Options{}, wet)
	if m.Counts["links"] != 0 || m.Counts["distinct_pages"] != 1 || m.WindowSource != nil {
		t.Errorf("WET alone: %v, %v", m.Counts, m.WindowSource)
	}
	crawled := write(t, jsonl(t, page{URL: "https://a.example/", HTML: "<p>a <a href=https://b.example/>red apple</a> tree"}, page{URL: "https://c.example/", HTML: "<p>a <a href=https://b.example/>green apple</a> tree"})...)
	want, _ := cluster(t, preset(t, "web"), pipeline.Options{}, crawled)
	both, _ := cluster(t, preset(t, "web"), pipeline.Options{}, crawled, writeBytes(t, "l.csv", []byte("source,target,anchor\nhttps://a.example/,https://b.example/,other words\n")))
	if d := cmp.Diff(bagsOf(t, want), bagsOf(t, both)); d != "" {
		t.Errorf("a link that the page has too: %s", d)
	}
}

// TestLanguageOfWAT checks that the language of a WAT record is guessed from all of its links together.
func TestLanguageOfWAT(t *testing.T) {
	wat := func(anchors ...string) string {
		var links []string
		for i, a := range anchors {
			links = append(links, fmt.Sprintf(`{"path":"A@/href","url":"https://t%d.example/","text":"%s"}`, i, a))
		}
		body := `{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"https://a.example/","WARC-Date":"2024-05-06T07:08:09Z"},"Payload-Metadata":{"HTTP-Response-Metadata":{` +
			`"HTML-Metadata":{"Head":{"Title":"Walking"},"Links":[` + strings.Join(links, ",") + `]}}}}}`
		return writeBytes(t, "x.wat", []byte(fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nContent-Type: application/json\r\nWARC-Target-URI: https://a.example/\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body)))
	}
	in := wat("walking in the hills", "what is on at the theatre and for whom", "the dogs that have been found", "walks with dogs")
	c := preset(t, "web")
	c.Views, c.MinDF = []string{config.Topical}, 1
	english := c
	english.Language = "english"
	other := write(t, jsonl(t, page{URL: "https://b.example/", HTML: "<title>zebra</title>"})...) // another title, so that titles tell something
	auto, _ := cluster(t, c, pipeline.Options{}, in, other)
	want, _ := cluster(t, english, pipeline.Options{}, in, other)
	if d := cmp.Diff(bagsOf(t, want), bagsOf(t, auto)); d != "" || len(bagsOf(t, want)) != 6 {
		t.Errorf("%d bags, %s", len(bagsOf(t, want)), d)
	}
	unknown, _ := cluster(t, c, pipeline.Options{}, wat("walking"), other)
	stemmed, _ := cluster(t, english, pipeline.Options{}, wat("walking"), other)
	if cmp.Equal(bagsOf(t, unknown), bagsOf(t, stemmed)) {
		t.Error("one word tells its language")
	}
}

// TestFewDocumentsWithWords checks a run in which most documents have no words, so that few documents are nodes. Each
// of the others is a cluster by itself.
func TestFewDocumentsWithWords(t *testing.T) {
	rows := []linkRow{}
	for i := range 1500 {
		l := linkRow{source: fmt.Sprintf("https://s%d.example/", i%7), target: fmt.Sprintf("https://t%d.example/%d", i%40, i)}
		if i%100 == 7 {
			l.anchor = "red apple " + []string{"tree", "pie"}[i/100%2]
		}
		rows = append(rows, l)
	}
	c := topicalOf(t, "web")
	c.URLWords = false
	dir, m := cluster(t, c, pipeline.Options{Workers: 2}, writeCSV(t, "links.csv", rows, 3))
	if n := m.Counts; n["documents"] != 1507 || n["bags"] != 15 || n["distinct_bags"] != 2 || n["topical_clusters_of_two_or_more"] == 0 {
		t.Errorf("counts %v", n)
	}
	for _, r := range rowsOf[run.PageRow](t, dir, run.PagesTable) {
		if strings.HasPrefix(r.URL, "https://s") && r.TopicalClusterID != tables.ClusterID(r.URL) {
			t.Errorf("%+v", r)
		}
	}
	if tree := rowsOf[run.TopicalTreeRow](t, dir, run.TopicalTreeTable); len(tree) < 1400 {
		t.Errorf("%d nodes of the tree", len(tree))
	}
}
