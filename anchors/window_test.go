package anchors

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"pgregory.net/rapid"
)

// parse reads a page without stemming. The map holds the word of each term.
func parse(t testing.TB, page string) (*text.Doc, map[bags.Term]string) {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	p := &text.Parser{Vocabulary: v}
	doc := p.HTML([]byte(page))
	words := map[bags.Term]string{}
	for _, w := range append(p.TitleWords(), doc.Words...) {
		words[w.Term] = strings.ToLower(string(doc.Text[min(int(w.From), len(doc.Text)):min(int(w.To), len(doc.Text))]))
	}
	return doc, words
}

// hrefs returns the targets of the links of a page as written.
func hrefs(doc *text.Doc) []string {
	var out []string
	for _, l := range doc.Links {
		out = append(out, l.Href)
	}
	return out
}

// extract lists the fragments of a page as "target word=weight word=weight", weights in occurrences, words in the order
// of the page.
func extract(t testing.TB, w Window, page string) []string {
	t.Helper()
	doc, words := parse(t, page)
	var out []string
	err := NewExtractor(w).Links(doc, hrefs(doc), func(f *Fragment) error {
		weight := map[string]float64{}
		for i, x := range f.Terms {
			if i > 0 && f.Terms[i-1].Term >= x.Term {
				t.Errorf("%s: terms are not in order", f.Target)
			}
			weight[words[x.Term]] = float64(x.Weight) / bags.Unit
		}
		line := []string{f.Target}
		for _, x := range doc.Words {
			word := words[x.Term]
			if n, ok := weight[word]; ok && x.Term != 0 {
				line = append(line, fmt.Sprintf("%s=%.4g", word, n))
				delete(weight, word)
			}
		}
		out = append(out, strings.Join(line, " "))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWindow(t *testing.T) {
	plain := func(width int) Window { return Window{Width: width, Damping: "none", Border: 1} }
	long := `<a href=x>` + strings.TrimSpace(strings.Repeat("w ", 10_000)) + `</a> red`
	for _, c := range []struct {
		name   string
		window Window
		page   string
		want   []string
	}{
		{"anchor alone", plain(0), "one <a href=x>two three</a> four", []string{"x two=1 three=1"}},
		{"both sides", plain(2), "one two six <a href=x>ten</a> red blue green", []string{"x two=1 six=1 ten=1 red=1 blue=1"}},
		{"at the ends of the page", plain(5), "one <a href=x>two</a>", []string{"x one=1 two=1"}},
		{"a word twice counts twice", plain(9), "red <a href=x>red</a> blue", []string{"x red=2 blue=1"}},
		{
			"damping log2(1+3/(1+d))", Window{Width: 3, Damping: "log", Border: 1},
			"five four three <a href=x>zero</a> one two six seven",
			[]string{fmt.Sprintf("x five=%.4g four=1 three=%.4g zero=2 one=%.4g two=1 six=%.4g", lg(.75), lg(1.5), lg(1.5), lg(.75))},
		},
		{"damping without a window", Window{Width: 0, Damping: "log", Border: 1}, "one <a href=x>two</a>", []string{"x two=1"}},
		{"border looked through", plain(2), "<p>one</p><p><a href=x>two</a> six</p>", []string{"x one=1 two=1 six=1"}},
		{"border at half weight", Window{Width: 2, Damping: "none", Border: .5}, "<p>one</p><p><a href=x>two</a> six</p>", []string{"x one=0.5 two=1 six=1"}},
		{"border cuts", Window{Width: 2, Damping: "none", Border: 0}, "<p>one</p><p><a href=x>two</a> six</p><p>ten", []string{"x two=1 six=1"}},
		{"cells of a row are one block", Window{Width: 2, Damping: "none", Border: 0}, "<tr><td>one<td><a href=x>two</a></tr>", []string{"x one=1 two=1"}},
		{
			"border and damping", Window{Width: 3, Damping: "log", Border: .5}, "<li>one<li><a href=x>two</a>",
			[]string{fmt.Sprintf("x one=%.4g two=2", lg(1.5)/2)},
		},
		{"an anchor over blocks counts whole", Window{Width: 1, Damping: "none", Border: 0}, "<a href=x><h3>head</h3><p>body</p></a>", []string{"x head=1 body=1"}},
		{"links of one target are united", plain(2), "<a href=x>one</a> two <a href=x>six</a> ten", []string{"x one=1 two=1 six=1 ten=1"}},
		{
			"the nearer link decides", Window{Width: 3, Damping: "log", Border: 1}, "<a href=x>one</a> two six <a href=x>ten</a>",
			[]string{fmt.Sprintf("x one=2 two=%.4g six=%.4g ten=2", lg(1.5), lg(1.5))},
		},
		{
			"targets in their order", plain(1), "<a href=y>one</a> two <a href=x>six</a>",
			[]string{"x two=1 six=1", "y one=1 two=1"},
		},
		{"an empty anchor has its surroundings", plain(1), "one two <a href=x></a> six ten", []string{"x two=1 six=1"}},
		{"nothing around", plain(3), "<a href=x></a>", []string{"x"}},
		{"stop words hold their place", plain(2), "one the <a href=x>of two</a> and six", []string{"x one=1 two=1 six=1"}},
		{"stop words use up the window", plain(1), "one the <a href=x>two</a> and six", []string{"x two=1"}},
		{"of a long anchor the first 100 words", plain(2), long, []string{"x w=100 red=1"}},
		{
			"headings above", Window{Width: 1, Damping: "none", Heads: 2},
			"<h1>one</h1><h2>two</h2><h3>six</h3>x<h3>ten</h3><p>y<p>z <a href=x>red</a>", []string{"x two=1 ten=1 z=1 red=1"},
		},
		{"a link in a heading", Window{Width: 0, Damping: "none", Heads: 6}, "<h2>one</h2><h2>two <a href=x>six</a></h2>", []string{"x two=1 six=1"}},
		{"a link that does not count", plain(1), `one <a href="">two</a> six`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, extract(t, c.window, c.page)); d != "" {
				t.Error(d)
			}
		})
	}
}

// lg returns the damping log2(1+x), rounded as in weights.
func lg(x float64) float64 { return math.Round(math.Log2(1+x)*bags.Unit) / bags.Unit }

func TestOwn(t *testing.T) {
	doc, words := parse(t, "red the red blue")
	got := map[string]uint64{}
	for _, x := range NewExtractor(Window{Width: 3, Damping: "log", Border: 1}).Own(doc.Words) {
		got[words[x.Term]] = x.Weight
	}
	if d := cmp.Diff(map[string]uint64{"red": 4 * bags.Unit, "blue": 2 * bags.Unit}, got); d != "" {
		t.Error(d)
	}
}

// TestLinksStops: an error of the caller ends Links, and the next page is read correctly.
func TestLinksStops(t *testing.T) {
	doc, _ := parse(t, "<a href=x>one</a> two <a href=y>six</a>")
	e := NewExtractor(Window{Width: 2, Damping: "none", Border: 1})
	calls, stop := 0, fmt.Errorf("stop")
	if err := e.Links(doc, hrefs(doc), func(*Fragment) error { calls++; return stop }); !errors.Is(err, stop) || calls != 1 {
		t.Errorf("%d calls, error %v", calls, err)
	}
	calls = 0
	err := e.Links(doc, hrefs(doc), func(f *Fragment) error {
		calls++
		if len(f.Terms) != 3 {
			t.Errorf("%s: %d terms", f.Target, len(f.Terms))
		}
		return nil
	})
	if err != nil || calls != 2 {
		t.Errorf("%d calls, error %v", calls, err)
	}
}

// defined returns the weight of word w for some links by the definition: that of the nearest link, preferring links in
// the same block.
func defined(win Window, doc *text.Doc, links []text.Link, w int) uint64 {
	most := uint64(0)
	inside, beyond := win.weights()
	for _, l := range links {
		from, to := int(l.From), int(l.To)
		d := 0
		switch {
		case w < from:
			d = from - w
		case w >= to:
			d = w - to + 1
		case w >= from+MaxAnchor:
			continue
		}
		switch {
		case d > win.Width:
		case d == 0 || doc.Words[w].Block == l.Block:
			most = max(most, inside[d])
		default:
			most = max(most, beyond[d])
		}
		if under(doc, l, w, win.Heads) {
			most = max(most, inside[0])
		}
	}
	return most
}

// under reports whether word w is in one of the headings of a link: the last one that began before it, the last one of
// a higher rank before that, and so on, at most n.
func under(doc *text.Doc, l text.Link, w, n int) bool {
	rank := 7
	for i := len(doc.Heads) - 1; i >= 0 && n > 0; i-- {
		h := doc.Heads[i]
		if h.From > l.From || h.Level >= rank {
			continue
		}
		if int(h.From) <= w && w < min(int(h.To), int(h.From)+MaxAnchor) {
			return true
		}
		rank = h.Level
		n--
	}
	return false
}

// TestWindowIsAsDefined compares Links with the definition on pages of any shape. One extractor reads all of them.
func TestWindowIsAsDefined(t *testing.T) {
	extractors := map[Window]*Extractor{}
	rapid.Check(t, func(t *rapid.T) {
		win := Window{
			Width: rapid.IntRange(0, 12).Draw(t, "width"), Damping: rapid.SampledFrom([]Damping{"none", "log"}).Draw(t, "damping"),
			Border: rapid.SampledFrom([]float64{0, .5, 1}).Draw(t, "border"), Heads: rapid.IntRange(0, 6).Draw(t, "heads"),
		}
		if extractors[win] == nil {
			extractors[win] = NewExtractor(win)
		}
		doc, targets := drawDoc(t)
		byTarget := map[string][]text.Link{}
		for i, l := range doc.Links {
			if targets[i] != "" {
				byTarget[targets[i]] = append(byTarget[targets[i]], l)
			}
		}
		err := extractors[win].Links(doc, targets, func(f *Fragment) error {
			sum := map[bags.Term]uint64{}
			for w := range doc.Words {
				if n := defined(win, doc, byTarget[f.Target], w); n > 0 && doc.Words[w].Term != 0 {
					sum[doc.Words[w].Term] += n
				}
			}
			got := map[bags.Term]uint64{}
			for _, x := range f.Terms {
				got[x.Term] = x.Weight
			}
			if d := cmp.Diff(sum, got); d != "" {
				t.Fatalf("%+v %s: %s", win, f.Target, d)
			}
			links := slices.DeleteFunc(slices.Clone(byTarget[f.Target]), func(l text.Link) bool { return l.Bare })
			head := 0
			for i, h := range doc.Heads {
				if len(links) > 0 && h.From <= links[0].From {
					head = i + 1
				}
			}
			if f.Head != head {
				t.Fatalf("%s: heading %d, want %d", f.Target, f.Head, head)
			}
			delete(byTarget, f.Target)
			return nil
		})
		if err != nil || len(byTarget) > 0 {
			t.Fatalf("error %v, without a fragment: %v", err, byTarget)
		}
	})
}

func drawDoc(t *rapid.T) (*text.Doc, []string) {
	doc, block := &text.Doc{}, uint32(0)
	n := rapid.IntRange(0, 150).Draw(t, "words")
	terms := rapid.SliceOfN(rapid.Uint64Range(0, 9), n, n).Draw(t, "terms") // 0 is a stop word, 9 a border
	for _, x := range terms {
		if x == 9 {
			block++
		}
		doc.Words = append(doc.Words, text.Word{Term: bags.Term(x), Block: block})
	}
	drawHeads(t, doc, n)
	var targets []string
	for range rapid.IntRange(0, 6).Draw(t, "links") {
		from := rapid.IntRange(0, n).Draw(t, "from")
		to := rapid.IntRange(from, n).Draw(t, "to")
		l := text.Link{From: uint32(from), To: uint32(to)}
		if from < n {
			l.Block = doc.Words[from].Block
		}
		doc.Links = append(doc.Links, l)
		targets = append(targets, rapid.SampledFrom([]string{"", "x", "y", "z"}).Draw(t, "target"))
	}
	return doc, targets
}

// drawHeads puts headings over some words, each under the last one of a higher rank.
func drawHeads(t *rapid.T, doc *text.Doc, n int) {
	for from := 0; from < n; {
		from += rapid.IntRange(0, 40).Draw(t, "gap")
		h := text.Head{Level: rapid.IntRange(1, 6).Draw(t, "level"), Above: len(doc.Heads) - 1, From: uint32(min(from, n))}
		for h.Above >= 0 && doc.Heads[h.Above].Level >= h.Level {
			h.Above = doc.Heads[h.Above].Above
		}
		from = min(n, from+rapid.IntRange(1, 9).Draw(t, "length"))
		h.To = uint32(from)
		doc.Heads = append(doc.Heads, h)
	}
}

// Each word of a URL is added once, whether or not it is in the window already.
func TestWith(t *testing.T) {
	doc, words := parse(t, "<a href=x>red</a> blue")
	e := NewExtractor(Window{Width: 1, Damping: "log", Border: 1})
	err := e.Links(doc, hrefs(doc), func(f *Fragment) error {
		url := []text.Word{doc.Words[0], {Term: 0}, doc.Words[0], {Term: 77}}
		got := map[string]float64{}
		for _, x := range e.With(f.Terms, url) {
			got[words[x.Term]] += float64(x.Weight) / bags.Unit
		}
		if d := cmp.Diff(map[string]float64{"red": 2, "blue": lg(.5), "": 1}, got); d != "" {
			t.Error(d)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
