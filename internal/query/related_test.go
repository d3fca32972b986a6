package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
)

// Related returns the stored pairs and the documents of the same bag, ranked by the similarity that brute force over
// the bags of all documents gives.
func TestRelated(t *testing.T) {
	c := preset(t, "web")
	c.URLWords = false // or hardly two bags were the same
	r := opened(t, c, samplePages(t, 60))
	several, identical := 0, 0
	for id := range uint32(r.Len()) {
		all := r.Related(id, Lookup{Top: r.Len()})
		if !slices.IsSortedFunc(all, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) }) {
			t.Fatalf("document %d: not the best first: %+v", id, all)
		}
		seen := map[uint32]bool{id: true}
		for i, n := range all {
			if seen[n.ID] {
				t.Fatalf("document %d: document %d again, or itself", id, n.ID)
			}
			seen[n.ID] = true
			if s := float32(bags.Similarity(r.bags.At(id), r.bags.At(n.ID))); s != n.Similarity || n.URL != r.docs.URL(n.ID) {
				t.Fatalf("document %d: %+v, the bags say %v", id, n, s)
			}
			if i > 0 && all[i-1].Similarity == n.Similarity {
				a, b := r.nodes.Of(all[i-1].ID), r.nodes.Of(n.ID)
				if a > b && a != r.nodes.Of(id) || a == b && all[i-1].ID > n.ID {
					t.Fatalf("document %d: ties are not in the order of the ids: %+v", id, all)
				}
			}
			if n.Similarity == 1 {
				identical++
			}
		}
		for other := range uint32(r.Len()) { // all documents of the same bag are among them
			if r.nodes.Of(id) != tables.None && r.nodes.Of(other) == r.nodes.Of(id) && !seen[other] {
				t.Fatalf("document %d has the bag of %d and is not related", other, id)
			}
		}
		for _, top := range []int{-1, 0, 1, 3} {
			if d := gocmp.Diff(all[:min(len(all), max(0, top))], r.Related(id, Lookup{Top: top}), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("document %d, top %d: %s", id, top, d)
			}
		}
		if len(all) > 3 {
			several++
		}
	}
	if several < 50 || identical == 0 {
		t.Errorf("%d documents with four neighbours or more, %d of the same bag: too few to say anything", several, identical)
	}
	if got := r.Related(uint32(r.Len()), Lookup{Top: 5}); len(got) > 0 {
		t.Errorf("a document that there is not: %+v", got)
	}
}

func TestAll(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	next := uint32(0)
	err := r.EachRelated(t.Context(), Lookup{Top: 3}, func(id uint32, n []Neighbour) error {
		for ; next < id; next++ {
			if len(r.Related(next, Lookup{Top: 3})) > 0 {
				t.Errorf("document %d was left out", next)
			}
		}
		next++
		if d := gocmp.Diff(r.Related(id, Lookup{Top: 3}), n); d != "" {
			t.Error(d)
		}
		return nil
	})
	if err != nil || next == 0 {
		t.Errorf("%d documents, error %v", next, err)
	}
	stop := errors.New("stop")
	if err := r.EachRelated(t.Context(), Lookup{Top: 3}, func(uint32, []Neighbour) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("error %v", err)
	}
}

// Related is symmetric: if b is related to a, then a is related to b with the same similarity.
func TestRelatedIsSymmetric(t *testing.T) {
	r := opened(t, preset(t, "paper2000"), samplePages(t, 60))
	similarity := map[[2]uint32]float32{}
	if err := r.EachRelated(t.Context(), Lookup{Top: r.Len()}, func(id uint32, n []Neighbour) error {
		for _, x := range n {
			similarity[[2]uint32{id, x.ID}] = x.Similarity
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for p, s := range similarity {
		if back := similarity[[2]uint32{p[1], p[0]}]; back != s {
			t.Errorf("documents %d and %d: %v one way, %v the other", p[0], p[1], s, back)
		}
	}
}

func TestLookup(t *testing.T) {
	r := opened(t, preset(t, "web"), lines(t, [2]string{"https://www.example.org/docs/a.html", "<title>the page</title><a href=/docs/>docs</a>"}, [2]string{"http://plain.example/x", "x"}))
	page, err := r.Lookup("https://www.example.org/docs/a.html")
	if err != nil || r.Document(page).Title != "the page" {
		t.Fatalf("%+v, error %v", r.Document(page), err)
	}
	for _, form := range []string{
		r.Document(page).URL, "HTTPS://WWW.EXAMPLE.ORG:443/docs/a.html", "https://www.example.org/docs/./x/../a.html",
		"https://www.example.org/docs/a.html#part", "https://www.example.org/docs/%61.html", "www.example.org/docs/a.html",
		"https://www.example.org/docs/a.html?utm_source=mail",
	} {
		if id, err := r.Lookup(form); err != nil || id != page {
			t.Errorf("%s: document %d, error %v", form, id, err)
		}
	}
	docs, _ := r.Lookup("https://www.example.org/docs/")
	if id, err := r.Lookup("https://www.example.org/docs/index.html"); err != nil || id != docs || id == page {
		t.Errorf("index.html: document %d, error %v; the folder is %d", id, err, docs)
	}
	for _, unknown := range []string{"https://www.example.org/docs/b.html", "example.net", "https://www.example.org/docs/A.html"} {
		if _, err := r.Lookup(unknown); !errors.Is(err, ErrUnknown) {
			t.Errorf("%s: error %v", unknown, err)
		}
	}
	for _, bad := range []string{"", "javascript:void(0)", "http://", "mailto:a@b.example", "http://[::1", "\x00", fmt.Sprintf("https://a.example/%0100000d", 0)} {
		if id, err := r.Lookup(bad); err == nil {
			t.Errorf("%.40q: document %d", bad, id)
		}
	}
}

func TestShared(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	shared := 0
	for id := range uint32(r.Len()) {
		for _, n := range r.Related(id, Lookup{Top: 2}) {
			x := r.Explain(id, n.ID)
			var want []int
			byWord := map[string]int{}
			for _, term := range x.Terms {
				if k := min(term.A, term.B); k > 0 {
					want, byWord[term.Word] = append(want, k), k
				}
			}
			var got []int
			for _, w := range r.Shared(id, n.ID, 1000) {
				got = append(got, byWord[w])
			}
			if d := gocmp.Diff(want, got); d != "" {
				t.Fatalf("documents %d and %d: %s", id, n.ID, d)
			}
			if most := len(r.Shared(id, n.ID, 2)); most != min(2, len(want)) {
				t.Fatalf("%d words, asked for 2", most)
			}
			shared++
		}
	}
	if shared == 0 {
		t.Error("no pair")
	}
}
