package workload

import (
	"math"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/shingles"
)

// closedCounts are the figures of a closed crawl.
type closedCounts struct {
	links, bytes int
	documents    int       // pages and targets
	inLinks      []float64 // links to each document, sorted
}

func countClosed(t *testing.T, c Config) (n closedCounts) {
	t.Helper()
	w := newWorld(t, c)
	to := map[string]int{}
	var p Page
	var html []byte
	for i := range w.Pages() {
		w.Page(i, &p)
		html = p.AppendHTML(html[:0])
		n.bytes, n.links = n.bytes+len(html), n.links+p.Links()
		to[string(p.URL)] += 0
		for j := range p.Links() {
			target, _, _, _ := p.Link(j)
			to[string(target)]++
		}
	}
	n.documents = len(to)
	for _, links := range to {
		n.inLinks = append(n.inLinks, float64(links))
	}
	slices.Sort(n.inLinks)
	return n
}

// TestClosed checks that a closed crawl has about 1.1 documents for each page and a few KB of HTML, and that every page
// has links whatever the size of the crawl.
func TestClosed(t *testing.T) {
	for _, pages := range []int64{1, 7, 3000} {
		n := countClosed(t, Config{Seed: 5, Pages: pages, Planted: .05, Closed: true})
		if pages < 1000 {
			continue
		}
		if times := float64(n.documents) / float64(pages); times < 1.07 || times > 1.13 {
			t.Errorf("%d pages: %d documents", pages, n.documents)
		}
		if of := float64(n.links) / float64(pages); of < 7 || of > 13 {
			t.Errorf("%d pages: %.1f links a page", pages, of)
		}
		if of := n.bytes / int(pages); of < 2000 || of > 6000 {
			t.Errorf("%d pages: %d bytes a page", pages, of)
		}
	}
}

// TestClosedTargets checks that the URL of a target is that of the page.
func TestClosedTargets(t *testing.T) {
	w := newWorld(t, Config{Seed: 5, Pages: 3000, Planted: .4, Closed: true, Hub: 3})
	var p Page
	for i := range uint64(3000) {
		w.Page(int64(i), &p)
		if url := w.urlOf(nil, i); string(url) != string(p.URL) {
			t.Fatalf("page %d has the URL %s and is linked to as %s", i, p.URL, url)
		}
	}
	for p, err := range w.PagePairs(shingles.Config{}) {
		if err != nil || p.Similarity <= 0 {
			t.Fatal(p, err)
		}
		return
	}
}

// TestLongFitClosed compares the skew of the links to a target with the directory set: the share of the links that the most
// popular targets have. A page of a closed crawl has more links, so ranks and links are relative to all of them. Pages
// that are not popular have more or fewer links by chance, so that those with most of them have a larger share.
func TestLongFitClosed(t *testing.T) {
	is, like := realMeasures(t), countClosed(t, Config{Seed: 1, Pages: 100_000, Planted: .01, Closed: true})
	ranks := func(documents int) (at []int) {
		for _, share := range []float64{.0001, .001, .01, .03, .077} {
			at = append(at, int(math.Round(share*float64(documents))))
		}
		return at
	}
	a, b := byRank(is.inLinks, ranks(len(is.inLinks))), byRank(like.inLinks, ranks(like.documents))
	for i := range a {
		t.Logf("the first targets have of the links %.4f %.4f", a[i], b[i])
		if most := []float64{.01, .01, .02, .04, .08}[i]; math.Abs(a[i]-b[i]) > most {
			t.Errorf("%d: the shares differ by more than %g", i, most)
		}
	}
}
