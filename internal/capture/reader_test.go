package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/config"
)

func reader(t testing.TB) (*Reader, *[]string) {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(&c)
	if err != nil {
		t.Fatal(err)
	}
	got := new([]string)
	r.Emit = func(rec *anchors.Record) error {
		*got = append(*got, fmt.Sprintf("%d %s %q %d", rec.Kind, rec.Target, rec.Anchor, len(rec.Terms)))
		return nil
	}
	return r, got
}

func tallies(l *crawl.Ledger) string {
	var out []string
	for _, t := range l.Tallies() {
		out = append(out, fmt.Sprintf("%s %d", t.Reason, t.Count))
	}
	return strings.Join(out, ", ")
}

// A page contributes its title to itself and a fragment to each URL that it links to.
func TestReaderOfPages(t *testing.T) {
	r, got := reader(t)
	p := crawl.Page{URL: "http://A.example/", Canonical: "https://a.example", HTML: []byte(`<title>red rivers</title><link rel=canonical href="/other">
		<meta http-equiv=refresh content="0; url=/next"><a href=/b>blue mountains</a> <a href=/#top>top</a>
		<a href=/c rel=nofollow>green valleys</a> <a href="mailto:x@a.example">mail</a> <a href=/b>again</a>`)}
	_, doc := r.Parse(&p)
	if to := r.Redirect(&p, doc, 3); to.By != ByRefresh || string(to.To) != "https://a.example/next" || to.Order.Record != 3 {
		t.Errorf("redirects to %s by %s", to.To, to.By)
	}
	shell := `<noscript><meta http-equiv="refresh" content="1; url=../2.0/?a=1&amp;b=2"></noscript><script>location.replace("../2.0/")</script>Redirecting to `
	for link, by := range map[string]RedirectBy{`<a href="../2.0/?a=1&amp;b=2">2.0</a>`: ByRefresh, `<a href="../2.1/">2.1</a>`: 0, ``: 0} {
		v := crawl.Page{URL: "https://a.example/latest/", Canonical: "https://a.example/latest", HTML: []byte(shell + link)}
		_, doc := r.Parse(&v)
		if to := r.Redirect(&v, doc, 3); to.By != by {
			t.Errorf("%s redirects to %s by %d", link, to.To, to.By)
		}
	}
	content, doc := r.Parse(&p)
	rec := r.Describe(&p, content, doc, 3)
	if string(rec.Page.Title) != "red rivers" || string(rec.Page.Canonical) != "https://a.example/other" || rec.Page.Digest != Digest(&p) || rec.Capture != 3 {
		t.Errorf("%+v", rec)
	}
	targets, err := r.Fragments(&p, doc)
	if err != nil || !slices.Equal(targets, []string{"https://a.example/b", "", "", "", "https://a.example/b"}) {
		t.Errorf("%q, %v", targets, err)
	}
	want := []string{`1 https://a.example "" 2`, `2 https://a.example/b "blue mountains" 8`}
	if len(*got) != 2 || (*got)[0] != want[0] || !strings.HasPrefix((*got)[1], `2 https://a.example/b "blue mountains"`) {
		t.Errorf("%q, want %q", *got, want)
	}
	if s := tallies(r.Dropped); s != "link-mailto 1, nofollow 1, self-link 1" || r.Links != 1 {
		t.Errorf("left out %s", s)
	}
}

// The title and the text of a page are terms of content. Without contents, as in the papers, the title counts like a
// link. Of a page that is not content, only the title counts.
func TestReaderOfOwnWords(t *testing.T) {
	for _, c := range []struct {
		bags   config.Source
		links  bool // the page comes as the source of links
		html   string
		label  anchors.Label
		terms  [2]int // of links and of content
		others int    // terms of content that are not in the title
	}{
		{config.FromLinks, false, "<title>red rivers</title>flow", anchors.Content, [2]int{2, 0}, 0},
		{config.FromBoth, false, "<title>red rivers</title>flow slowly", anchors.Content, [2]int{0, 2}, 2},
		{config.FromBoth, false, "<title>red rivers</title>flow slowly", anchors.NotFound, [2]int{0, 2}, 0},
		{config.FromContent, false, "<title>red rivers</title>flow slowly", anchors.Content, [2]int{0, 4}, 0},
		{config.FromLinks, true, "", anchors.Content, [2]int{2, 0}, 0},
		{config.FromBoth, true, "", anchors.Content, [2]int{0, 2}, 0},
		{config.FromContent, true, "", anchors.Content, [2]int{0, 0}, 0},
	} {
		r, _ := reader(t)
		r.config.Bags = c.bags
		var kinds [2]int
		others := 0
		r.Emit = func(rec *anchors.Record) error {
			for _, x := range rec.Terms {
				if x.Term.IsContent() {
					kinds[1]++
				} else {
					kinds[0]++
				}
			}
			for _, x := range rec.Content {
				if x.Term.IsContent() {
					others++
				}
			}
			return nil
		}
		p := crawl.Page{URL: "http://a.example/", Canonical: "https://a.example", HTML: []byte(c.html)}
		var err error
		if c.links {
			p.Title = "red rivers"
			r.DescribeLinks(&p, 1)
			err = r.LinkFragments(&p, true)
		} else {
			content, doc := r.Parse(&p)
			r.Describe(&p, content, doc, 1).Page.Label = c.label
			_, err = r.Fragments(&p, doc)
		}
		if err != nil || kinds != c.terms || others != c.others {
			t.Errorf("bags of %s, %q: %v terms and %d of the text, %v; want %v and %d", c.bags, c.html, kinds, others, err, c.terms, c.others)
		}
	}
}

// Links without their page contribute fragments with the words around them in the input.
func TestReaderOfLinks(t *testing.T) {
	r, got := reader(t)
	p := crawl.Page{URL: "https://a.example/", Canonical: "https://a.example", Title: "all links", Links: []crawl.Link{
		{Target: "/b", Anchor: "mountains", Before: "of blue", After: "and sky"}, {Target: "https://c.example/", Anchor: "valleys"}, {Target: "/", Anchor: "home"},
	}}
	rec := r.DescribeLinks(&p, 5)
	if Number(rec.Capture) != Number(5).OfLinks() || Number(rec.Capture).Input() != 0 || rec.Kind != anchors.OfSource {
		t.Errorf("%+v", rec)
	}
	if err := r.LinkFragments(&p, true); err != nil {
		t.Fatal(err)
	}
	if len(*got) != 3 || !strings.HasPrefix((*got)[0], "3 https://a.example") || !strings.HasPrefix((*got)[1], `4 https://a.example/b "mountains"`) || !strings.HasPrefix((*got)[2], `4 https://c.example "valleys"`) {
		t.Errorf("%q", *got)
	}
	if r.Surrounded != 1 || r.Bare != 1 || tallies(r.Dropped) != "self-link 1" {
		t.Errorf("%d links with words around, %d without, left out %s", r.Surrounded, r.Bare, tallies(r.Dropped))
	}
}

// Rows of one source and one time are one capture, which is noted when other rows follow.
func TestRows(t *testing.T) {
	var s Rows
	row := func(source uint64, millis int64, number, record Number) (note []byte, first bool) {
		return s.Next(nil, &anchors.Record{Source: source, Capture: uint64(number), Page: anchors.Page{Time: millis}}, record)
	}
	if note, first := row(1, 5, 11, 1); note != nil || !first {
		t.Errorf("the first row: %x, %v", note, first)
	}
	if note, first := row(1, 5, 11, 4); note != nil || first {
		t.Errorf("the next row: %x, %v", note, first)
	}
	if note, first := row(1, 6, 12, 5); !slices.Equal(note, AppendNote(nil, 1, Order{5, 4}, 11, Tells{})) || !first {
		t.Errorf("a row of another time: %x, %v", note, first)
	}
	if note := s.End(nil); !slices.Equal(note, AppendNote(nil, 1, Order{6, 5}, 12, Tells{})) || s.End(nil) != nil {
		t.Errorf("the end: %x", note)
	}
}

func ExampleReader() {
	c, err := config.Preset("web")
	if err != nil {
		panic(err)
	}
	r, err := NewReader(&c)
	if err != nil {
		panic(err)
	}
	r.Emit = func(rec *anchors.Record) error {
		fmt.Printf("%s: %q\n", rec.Target, rec.Anchor)
		return nil
	}
	page := crawl.Page{URL: "https://a.example/", Canonical: "https://a.example", HTML: []byte(`<title>Rivers</title> See <a href="/b">the mountains</a>.`)}
	content, doc := r.Parse(&page)
	r.Describe(&page, content, doc, 0)
	if _, err := r.Fragments(&page, doc); err != nil {
		panic(err)
	}
	// Output:
	// https://a.example: ""
	// https://a.example/b: "the mountains"
}
