package readings_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/lab/readings"
)

// Elements by what they do to the text around them, as a reader of the HTML standard would list them.
var (
	unread = strings.Fields("script style noscript template iframe noembed noframes title")
	lines  = strings.Fields(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
		footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol p plaintext pre search section summary
		table tbody tfoot thead tr ul xmp`)
	apart = strings.Fields("td th br option optgroup input button label select textarea")
)

// tree is a page as the tree of x/net/html has it: the tree builder of the HTML standard, which package text does
// without.
type tree struct {
	text              []byte
	links             []treeLink
	title, base, lang string
	hasTitle, based   bool
}

type treeLink struct {
	key      string
	from, to int // of text
}

func newTree(t testing.TB, page []byte) *tree {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	r := &tree{}
	r.walk(root)
	return r
}

func (r *tree) walk(n *html.Node) {
	for child := range n.ChildNodes() {
		switch child.Type {
		case html.TextNode:
			r.text = append(r.text, child.Data...)
		case html.ElementNode:
			r.element(child)
		}
	}
}

func (r *tree) element(n *html.Node) {
	r.say(n)
	if n.Namespace == "svg" || n.Namespace == "" && slices.Contains(unread, n.Data) {
		return
	}
	edge := map[bool]string{slices.Contains(lines, n.Data): "\n", slices.Contains(apart, n.Data): " "}[true]
	href, ok := attribute(n, "href")
	isLink := ok && n.Namespace == "" && (n.Data == "a" || n.Data == "area")
	at := len(r.links)
	if isLink {
		edge = "\x01" // a link cuts words, by our rules
		rel, _ := attribute(n, "rel")
		r.links = append(r.links, treeLink{key: href + " rel=" + rel, from: len(r.text)})
	}
	r.text = append(r.text, edge...)
	if alt, ok := attribute(n, "alt"); ok && (n.Data == "img" || n.Data == "area" && isLink) && alt != "" {
		r.text = append(r.text, " "+alt+" "...)
	}
	r.walk(n)
	if isLink {
		r.links[at].to = len(r.text)
	}
	r.text = append(r.text, edge...)
}

// say takes what an element says of the page.
func (r *tree) say(n *html.Node) {
	switch href, ok := attribute(n, "href"); {
	case n.Namespace != "":
	case n.Data == "html":
		r.lang, _ = attribute(n, "lang")
	case n.Data == "base" && ok && !r.based:
		r.base, r.based = href, true
	case n.Data == "title" && !r.hasTitle && n.FirstChild != nil:
		r.title, r.hasTitle = strings.Join(strings.FieldsFunc(n.FirstChild.Data, func(r rune) bool { return r <= ' ' }), " "), true
	}
}

func attribute(n *html.Node, key string) (string, bool) {
	for _, a := range n.Attr {
		if a.Namespace == "" && a.Key == key {
			return a.Val, true
		}
	}
	return "", false
}

func splitWords(s []byte) (words []string) {
	var split text.Splitter
	split.Split(s, func(from, to int, _ []byte) { words = append(words, string(s[from:to])) })
	return words
}

// treeComparison gathers what differs between trees and Docs.
type treeComparison struct {
	readings.Tally
	pages, textPages, linkPages, words, links, unexplained int
}

func (c *treeComparison) unexplain(what, url string, n int, example string) {
	c.unexplained += n
	c.Add("UNEXPLAINED "+what, url, n, example)
}

func (c *treeComparison) page(t testing.TB, url string, page []byte, d *text.Doc) {
	t.Helper()
	r := newTree(t, page)
	c.pages++
	for _, h := range []struct{ what, theirs, ours string }{{"title", r.title, string(d.Title)}, {"base", r.base, d.Base}, {"lang", r.lang, d.Meta.Lang}} {
		if h.theirs != h.ours {
			c.unexplain(h.what, url, 1, fmt.Sprintf("%q, ours %q", h.theirs, h.ours))
		}
	}
	c.text(url, page, splitWords(r.text), docWords(d, 0, uint32(len(d.Words))))
	c.anchors(url, r, d)
}

func docWords(d *text.Doc, from, to uint32) (words []string) {
	for _, w := range d.Words[from:to] {
		words = append(words, string(d.Text[w.From:w.To]))
	}
	return words
}

func (c *treeComparison) text(url string, page []byte, theirs, ours []string) {
	c.words += len(theirs)
	hunks := readings.Diff(theirs, ours)
	if len(hunks) == 0 {
		c.textPages++
	}
	var a, b []string // of hunks that differ by more than where words are cut
	for _, h := range hunks {
		x, y := theirs[h.A0:h.A1], ours[h.B0:h.B1]
		switch {
		case strings.Join(x, "") != strings.Join(y, ""):
			a, b = append(a, x...), append(b, y...)
		case !cutByTags(page, x, y):
			c.unexplain("cut", url, len(y), fmt.Sprintf("%q, ours %q", x, y))
		default:
			c.Add("a tag that the tree has not, or in another place, cuts a word", url, len(y), fmt.Sprintf("%q, ours %q", x, y))
		}
	}
	switch {
	case len(a)+len(b) == 0:
	case readings.Fostered(a, b, page, splitWords):
		c.Add("text astray in a table, in front of it in the tree", url, len(b), fmt.Sprintf("%q, ours %q", a, b))
	default:
		c.unexplain("text", url, len(a)+len(b), fmt.Sprintf("%q, ours %q", a, b))
	}
}

// cutByTags tells whether tags that cut words stand wherever one reading has a word end and the other one has not.
func cutByTags(page []byte, theirs, ours []string) bool {
	a, b, all := ends(theirs), ends(ours), strings.Join(ours, "")
	for at := range len(all) {
		if a[at] != b[at] && !slices.ContainsFunc(readings.TagsBetween(page, all[:at], all[at:]), func(name string) bool {
			return name == "a" || slices.Contains(lines, name) || slices.Contains(apart, name)
		}) {
			return false
		}
	}
	return true
}

// ends are the places where words end, in bytes of all of them.
func ends(words []string) map[int]bool {
	out, at := map[int]bool{}, 0
	for _, w := range words {
		at += len(w)
		out[at] = true
	}
	return out
}

// anchors compares links one by one, those in a row that are written alike as one: the tree has several elements for a
// link that is not closed where it should be.
func (c *treeComparison) anchors(url string, r *tree, d *text.Doc) {
	var theirs, ours, theirWords, ourWords []string
	add := func(keys, words *[]string, key, anchor string) {
		if n := len(*keys); n > 0 && (*keys)[n-1] == key {
			(*words)[n-1] += anchor
			return
		}
		*keys, *words = append(*keys, key), append(*words, anchor)
	}
	for _, l := range r.links {
		add(&theirs, &theirWords, l.key, strings.Join(splitWords(r.text[l.from:l.to]), ""))
	}
	for _, l := range d.Links {
		add(&ours, &ourWords, l.Href+" rel="+l.Rel, strings.Join(docWords(d, l.From, l.To), ""))
	}
	c.links += len(r.links)
	if extra := len(r.links) - len(d.Links); extra > 0 && len(theirs) == len(ours) {
		c.Add("links of several elements in the tree, one for us", url, extra, "")
	}
	if !slices.Equal(theirs, ours) {
		c.unexplain("links", url, max(len(theirs), len(ours)), fmt.Sprintf("%d, ours %d", len(theirs), len(ours)))
		return
	}
	equal := len(r.links) == len(d.Links)
	for i := range theirs {
		switch {
		case theirWords[i] == ourWords[i]:
			continue
		case strings.HasPrefix(theirWords[i], ourWords[i]) && r.encloses(theirs[i]):
			c.Add("a link around another one, ends for us where that begins", url, 1, theirs[i])
		default:
			c.unexplain("anchor", url, 1, fmt.Sprintf("%s: %q, ours %q", theirs[i], theirWords[i], ourWords[i]))
		}
		equal = false
	}
	if equal {
		c.linkPages++
	}
}

// encloses tells whether another link stands in a link that is written so.
func (r *tree) encloses(key string) bool {
	return slices.ContainsFunc(r.links, func(l treeLink) bool {
		return l.key == key && slices.ContainsFunc(r.links, func(in treeLink) bool { return in.key != key && l.from <= in.from && in.to <= l.to })
	})
}

func (c *treeComparison) log(t *testing.T) {
	t.Helper()
	var table strings.Builder
	fmt.Fprintf(&table, "%d pages, words equal on %d, links on %d; %d words, %d links, %d unexplained\n", c.pages, c.textPages, c.linkPages, c.words, c.links, c.unexplained)
	c.Print(&table)
	t.Log(table.String())
	for _, what := range []string{"title", "base", "lang", "cut", "text", "links", "anchor"} {
		for _, e := range c.Examples("UNEXPLAINED " + what) {
			t.Errorf("%s: %.600s", what, e)
		}
	}
}

// TestAgainstTree holds words and links of one page of the sample in so many against the tree of x/net/html.
func TestAgainstTree(t *testing.T) {
	c, p := &treeComparison{}, treeParser(t)
	n := 0
	for d := json.NewDecoder(sample.Open()); d.More(); n++ {
		var page struct{ URL, HTML string }
		if err := d.Decode(&page); err != nil {
			t.Fatal(err)
		}
		if n%25 == 0 {
			c.page(t, page.URL, []byte(page.HTML), p.HTML([]byte(page.HTML)))
		}
	}
	c.log(t)
	if c.pages < 40 {
		t.Errorf("%d pages, fewer than 40", c.pages)
	}
}

// TestLongAgainstTree holds words and links of real pages, one record in so many of a file, against the tree of x/net/html.
func TestLongAgainstTree(t *testing.T) {
	c, p := &treeComparison{}, treeParser(t)
	for _, f := range []struct {
		path string
		each int
	}{
		{"directory/pages.jsonl.gz", 20}, {"docs/pages.jsonl.gz", 15}, {"versions-hugo/pages-2026-08-01.jsonl.gz", 20}, {"versions-llvm/pages-19.jsonl.gz", 40},
		{"warc/ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz", 1}, {"warc/ipwb__warcs_sample-1.warc.gz", 1},
	} {
		src, err := crawl.Open(filepath.Join(shareddata.Dir(t, filepath.Dir(f.path)), filepath.Base(f.path)), crawl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		n := 0
		for rec, err := range src.Records(context.Background()) {
			if n++; err != nil || n%f.each != 0 {
				continue
			}
			if page, err := rec.Page(); err == nil && len(page.HTML) > 0 {
				c.page(t, page.URL, page.HTML, p.HTML(page.HTML))
			}
		}
	}
	c.log(t)
	if c.pages < 1000 {
		t.Errorf("%d pages, fewer than 1,000", c.pages)
	}
}

// TestOddAgainstTree shows the classes.
func TestOddAgainstTree(t *testing.T) {
	c, p := &treeComparison{}, treeParser(t)
	for i, page := range []string{
		`<!DOCTYPE html><p>one<table>two<tr><td>three</td>four</tr></table>five`,
		`one</div>two <p>three</table>four`,
		`<p>zero <a href="x">one<p>two<p>three`,
		`<a href="x">one<table><tr><td>two <a href="y">three</a></table>four</a>`,
		`<a href="x">one<img usemap="#m" alt="two"><map><area href="y" alt="three"></map>four</a>`,
		`<base target="x"><base href=""><base href="y"><html lang="a"><title>one</title><title>two</title>`,
		`<svg><g>one<p>two</svg>three<svg><style/>four</svg>five<template>six</template><noscript><p>seven</noscript>`,
	} {
		c.page(t, fmt.Sprint("page ", i), []byte(page), p.HTML([]byte(page)))
	}
	c.log(t)
	for _, class := range []string{
		"a tag that the tree has not, or in another place, cuts a word", "text astray in a table, in front of it in the tree",
		"links of several elements in the tree, one for us", "a link around another one, ends for us where that begins",
	} {
		if c.Count(class) == 0 {
			t.Errorf("no page shows the class %q", class)
		}
	}
}

func treeParser(t *testing.T) *text.Parser {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
	if err != nil {
		t.Fatal(err)
	}
	return &text.Parser{Vocabulary: v}
}
