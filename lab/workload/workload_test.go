package workload

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/shingles"
)

// everything is a Config with pages of all kinds.
var everything = Config{Seed: 7, Pages: 3000, Planted: .2, Hub: 30, Template: 20, Long: 5000, Common: true}

func newWorld(t testing.TB, c Config) *World {
	t.Helper()
	w, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// writers are the forms of a crawl.
func writers(w *World) map[string]func(context.Context, io.Writer, int64, int64) error {
	return map[string]func(context.Context, io.Writer, int64, int64) error{"pages": w.WritePages, "warc": w.WriteWARC, "links": w.WriteLinks}
}

// TestSameBytes checks that the bytes of a crawl do not change: whoever measured something with a workload can make it
// again. If they must change, the digests below do.
func TestSameBytes(t *testing.T) {
	want := map[string]string{
		"pages": "476d7d191a67960d", "warc": "5de35c294df823a5", "links": "65f13dec0775d595",
	}
	for name := range writers(newWorld(t, everything)) {
		sums := [2]string{}
		for i := range sums { // two worlds of one Config
			w := newWorld(t, everything)
			h := xxh3.New()
			if err := writers(w)[name](t.Context(), h, 0, w.Pages()); err != nil {
				t.Fatal(err)
			}
			sums[i] = fmt.Sprintf("%016x", h.Sum64())
		}
		if sums[0] != sums[1] || sums[0] != want[name] && runtime.GOARCH == "amd64" { // others may round differently
			t.Errorf("%s: %q, not %q", name, sums, want[name])
		}
	}
}

// TestParts checks that the parts of a crawl, put together, are the whole.
func TestParts(t *testing.T) {
	w := newWorld(t, everything)
	for name, write := range writers(w) {
		var whole bytes.Buffer
		if err := write(t.Context(), &whole, 0, w.Pages()); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{7} {
			parts := make([][]byte, n)
			for i := n; i >= 1; i-- { // in any order
				var part bytes.Buffer
				from, to := w.Part(i, n)
				if err := write(t.Context(), &part, from, to); err != nil {
					t.Fatal(err)
				}
				parts[i-1] = part.Bytes()
				if name == "links" && i > 1 {
					parts[i-1] = bytes.TrimPrefix(parts[i-1], []byte(linksHeader))
				}
			}
			if !bytes.Equal(bytes.Join(parts, nil), whole.Bytes()) {
				t.Errorf("%s: %d parts are not the whole", name, n)
			}
		}
	}
}

// TestPlantedPages compares the resemblance of planted pages with the plan: a changed word changes as many shingles as
// they have words, and the last page of a family contains the first.
func TestPlantedPages(t *testing.T) {
	w := newWorld(t, Config{Seed: 2, Pages: 4000, Planted: .3})
	n := 0
	var pairs []Pair
	for p, err := range w.PagePairs(shingles.Config{}) {
		if err != nil {
			t.Fatal(err)
		}
		if pairs = append(pairs, p); len(pairs) < familySize*(familySize-1)/2 {
			continue
		}
		plan := w.family(uint64(n))
		for i, p := range pairs[:familySize-1] {
			all := float64(plan.words - plannedShingle + 1)
			if i == familySize-2 {
				if p.AinB != 1 || p.BinA > .9 {
					t.Errorf("%+v is not contained", p)
				}
				continue
			}
			changed := float64(plan.changes(i+1) * plannedShingle)
			if want := (all - changed) / (all + changed); p.Similarity != want {
				t.Errorf("%+v: the plan of %d changes in %.0f shingles says %v", p, plan.changes(i+1), all, want)
			}
			if math.Abs(p.Similarity-plan.level[i+1]) > .05 {
				t.Errorf("%+v: the plan says %v", p, plan.level[i+1])
			}
		}
		n++
		pairs = pairs[:0]
	}
	if n != int(w.families) || n < 100 {
		t.Errorf("%d families", n)
	}
}

// TestPlantedWindows checks that the words around planted links are on the page, and that other links have others.
func TestPlantedWindows(t *testing.T) {
	w := newWorld(t, Config{Seed: 2, Pages: 2000, Planted: .3})
	var p Page
	for slot := range w.groups * groupSize {
		w.Page(int64(w.places.to(w.families*familySize+slot)), &p)
		if p.Links() != 1 {
			t.Fatalf("%s has %d links", p.URL, p.Links())
		}
		_, before, anchor, after := p.Link(0)
		words := strings.Fields(string(before) + " " + string(anchor) + " " + string(after))
		for i, rank := range w.windowWords(slot) {
			if words[i] != string(appendWord(nil, rank)) {
				t.Fatalf("%s: %q", p.URL, words)
			}
		}
	}
	kept := map[float64]int{}
	for p, err := range w.LinkPairs() {
		if err != nil || p.A == p.B {
			t.Fatal(p, err)
		}
		kept[math.Round(10*p.Similarity)]++
	}
	if len(kept) < 7 {
		t.Errorf("similarities: %v", kept)
	}
}

// TestPlantedBags checks that bags have the sum, and that planted ones share the elements that were not replaced.
func TestPlantedBags(t *testing.T) {
	for _, c := range []Config{{Seed: 3, Pages: 3000, Planted: .4}, {Seed: 3, Pages: 1000, Planted: .4, Common: true, Template: 50}} {
		for _, sum := range []int{LeastSum, 250} {
			w := newWorld(t, c)
			s, err := w.Bags(sum)
			if err != nil {
				t.Fatal(err)
			}
			var a, b bags.Bag
			for doc := range s.Documents() {
				s.Bag(doc, &b)
				sortBag(&b)
				if b.Sum() != sum || !slices.IsSorted(b.Terms) || len(slices.Compact(slices.Clone(b.Terms))) != b.Len() || int(b.Terms[b.Len()-1]) >= s.Terms() {
					t.Fatalf("document %d: %+v", doc, b)
				}
				if c.Common && (b.Terms[0] != 0 || int(b.Counts[0]) != sum/3) {
					t.Fatalf("document %d lacks the common term: %+v", doc, b)
				}
			}
			if c.Common {
				continue
			}
			for f := range s.families {
				s.Bag(int(w.places.to(f*bagGroup)), &a)
				sortBag(&a)
				for m := uint64(1); m < bagGroup; m++ {
					slot := f*bagGroup + m
					own := at(c.Seed, ofMember, slot, 4)
					kept := sum - own.below(sum*3/4)
					s.Bag(int(w.places.to(slot)), &b)
					sortBag(&b)
					if got, want := bags.Similarity(a, b), float64(kept)/float64(2*sum-kept); got != want {
						t.Fatalf("similarity %v, planted %v", got, want)
					}
				}
			}
		}
	}
}

// TestWords checks that the words of different ranks are different terms, in English and in a page of unknown language.
func TestWords(t *testing.T) {
	v, err := text.NewVocabulary(text.Analysis{Language: text.Auto, Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]uint64{}
	l := newLexicon()
	for r := uint64(0); r < 1<<40; r += 1 + r>>14 {
		word := string(l.append(nil, r))
		if other, ok := seen[word]; ok {
			t.Fatalf("%s is word %d and %d", word, other, r)
		}
		seen[word] = r
		if r < uint64(len(functionWords)) {
			continue
		}
		if in, is := v.TermIn("english", []byte(word)), v.TermIn("", []byte(word)); in != is || is != bags.TermOf(xxh3.HashString(word)) {
			t.Fatalf("%s has the terms %x in English and %x otherwise", word, in, is)
		}
	}
}

// TestURLs checks that all URLs are canonical and those of pages and documents different.
func TestURLs(t *testing.T) {
	w := newWorld(t, everything)
	rules := urls.DefaultRules()
	canonical := func(url string) {
		if c, err := rules.Canonical(url); err != nil || c != url {
			t.Errorf("%s: %s, %v", url, c, err)
		}
	}
	var p Page
	pages, docs := map[string]bool{}, map[string]bool{}
	s, err := w.Bags(100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Pages() {
		w.Page(i, &p)
		pages[string(p.URL)], docs[s.URL(int(i))] = true, true
		canonical(string(p.URL))
		canonical(s.URL(int(i)))
		for j := range p.Links() {
			target, _, _, _ := p.Link(j)
			canonical(string(target))
		}
	}
	if n := int(w.Pages()); len(pages) != n || len(docs) != n {
		t.Errorf("%d URLs of %d pages, %d of documents", len(pages), n, len(docs))
	}
}

// TestShuffle checks that shuffle is a bijection with its inverse.
func TestShuffle(t *testing.T) {
	for _, n := range []int64{1, 2, 3, 10, 1000, 4096, 99991} {
		s := newShuffle(n, 5)
		seen := make([]bool, n)
		for i := range uint64(n) {
			p := s.to(i)
			if seen[p] || s.from(p) != i {
				t.Fatalf("%d of %d goes to %d, which comes from %d", i, n, p, s.from(p))
			}
			seen[p] = true
		}
	}
}

// TestKinds counts the pages of each kind, and looks at the additional ones.
func TestKinds(t *testing.T) {
	w := newWorld(t, everything)
	n := map[kind]int{}
	var p Page
	for i := range w.Pages() {
		k, _ := w.kindOf(i)
		n[k]++
		w.Page(i, &p)
		switch all := string(p.AppendText(nil)); {
		case !strings.HasSuffix(all, commonSentence+"\n"):
			t.Fatalf("page %d lacks the common sentence: %s", i, all)
		case k == hub:
			if target, _, _, _ := p.Link(0); string(target) != hubURL {
				t.Errorf("page %d does not link to the hub", i)
			}
		case k == long:
			if words := len(strings.Fields(all)); words < int(everything.Long) {
				t.Errorf("the long page has %d words", words)
			}
		}
	}
	if n[hub] != 30 || n[template] != 20 || n[long] != 1 || n[member] != 340 || n[window] != 255 {
		t.Errorf("pages by kind: %v", n)
	}
	for _, c := range []Config{{}, {Pages: -1}, {Pages: MostPages + 1}, {Pages: 1, Hub: -1}, {Pages: 1, Planted: 1}, {Pages: 1, Planted: math.NaN()}, {Pages: 1, Long: MostWords + 1}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is valid", c)
		}
	}
}

// TestFar checks that the last pages of the largest world are made at once, and alone.
func TestFar(t *testing.T) {
	w := newWorld(t, Config{Pages: MostPages, Hub: MostPages, Planted: .1})
	var b bytes.Buffer
	if err := w.WritePages(t.Context(), &b, w.Pages()-1, w.Pages()); err != nil || b.Len() == 0 {
		t.Fatal(b.Len(), err)
	}
	allocs := testing.AllocsPerRun(20, func() {
		var p Page
		w.Page(MostPages/2, &p)
	})
	if allocs > 60 {
		t.Errorf("%v allocations a page", allocs)
	}
}

func BenchmarkPages(b *testing.B) { benchmark(b, (*World).WritePages) }
func BenchmarkWARC(b *testing.B)  { benchmark(b, (*World).WriteWARC) }
func BenchmarkLinks(b *testing.B) { benchmark(b, (*World).WriteLinks) }

// benchmark writes pages, and reports bytes and links a second.
func benchmark(b *testing.B, write func(w *World, ctx context.Context, out io.Writer, from, to int64) error) {
	w := newWorld(b, Config{Seed: 1, Pages: 1e9, Planted: .05})
	const pages = 1000
	links, bytes := 0, counter(0)
	var p Page
	for i := range int64(pages) {
		w.Page(i, &p)
		links += p.Links()
	}
	for b.Loop() {
		bytes = 0
		if err := write(w, b.Context(), &bytes, 0, pages); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(bytes))
	b.ReportMetric(float64(links)*float64(b.N)/b.Elapsed().Seconds(), "links/s")
}

func BenchmarkBags(b *testing.B) {
	s, err := newWorld(b, Config{Seed: 1, Pages: 2e7, Planted: .05}).Bags(100)
	if err != nil {
		b.Fatal(err)
	}
	var bag bags.Bag
	for i := 0; b.Loop(); i++ {
		s.Bag(i, &bag)
	}
}

// counter counts the bytes that are written.
type counter int64

func (n *counter) Write(p []byte) (int, error) {
	*n += counter(len(p))
	return len(p), nil
}
