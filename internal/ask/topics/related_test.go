package topics

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
)

// sparse builds a run whose index misses many pairs.
func sparse(t *testing.T, pages, keys int) *runs.Run {
	c := runtest.Preset(t, "web")
	c.Views, c.URLWords = []string{config.Topical}, false
	c.KeySize, c.Keys, c.MaxBucket, c.Rounds = 3, keys, 400, 0
	return runtest.Opened(t, c, runtest.SamplePages(t, pages))
}

// expandedByHand is Related without any of its data structures: it compares all pairs of documents.
func expandedByHand(r *runs.Run, id uint32, l Lookup) []Neighbour {
	self := r.Nodes.Of(id)
	if self == tables.None {
		return nil
	}
	nearest := func(list map[uint32]bool, similarity func(node uint32) float32) []uint32 {
		var nodes []uint32
		for n := range list {
			nodes = append(nodes, n)
		}
		slices.SortFunc(nodes, func(a, b uint32) int { return cmp.Or(cmp.Compare(similarity(b), similarity(a)), cmp.Compare(a, b)) })
		return nodes
	}
	stored := func(node uint32) map[uint32]bool { // whether each is beyond the stored ones
		all := map[uint32]bool{}
		for _, e := range r.Pairs.Neighbours(node) {
			all[e.To] = false
		}
		return all
	}
	to := func(a uint32) func(b uint32) float32 {
		return func(b uint32) float32 { return float32(bags.Similarity(bagOf(r, a), bagOf(r, b))) }
	}
	beyond := stored(self)
	if !l.Stored {
		for _, via := range nearest(beyond, to(self))[:min(lookupWidth, len(beyond))] {
			list := nearest(stored(via), to(via))
			for _, other := range list[:min(lookupWidth, len(list))] {
				if _, seen := beyond[other]; !seen && other != self && to(self)(other) > 0 {
					beyond[other] = true
				}
			}
		}
	}
	vector := func(node uint32) map[uint32]float64 {
		v := map[uint32]float64{node: .2}
		list := nearest(stored(node), to(node))
		for _, n := range list[:min(lookupWidth, len(list))] {
			v[n] = float64(to(node)(n))
		}
		return v
	}
	dot := func(a, b map[uint32]float64) (sum float64) {
		for n, x := range a {
			sum += x * b[n]
		}
		return sum
	}
	cosine := func(node uint32) float64 {
		if l.Stored && node != self {
			return 0
		}
		return bags.LogCosine(bagOf(r, self), bagOf(r, node))
	}
	shared, score := map[uint32]float64{self: 1}, func(node uint32) float32 { return to(self)(node) }
	if own := vector(self); !l.Stored {
		for node := range beyond {
			other := vector(node)
			shared[node] = dot(own, other) / math.Sqrt(dot(own, own)*dot(other, other))
		}
		if !l.BySimilarity {
			score = func(node uint32) float32 { return float32(float64(to(self)(node)) + .1*cosine(node) + .2*shared[node]) }
		}
	}
	var out []Neighbour
	for _, node := range append([]uint32{self}, nearest(beyond, score)...) {
		found := FoundStored
		switch {
		case node == self:
			found = FoundSameBag
		case beyond[node] && to(self)(node) < float32(r.Config.Similarity):
			continue
		case beyond[node]:
			found = FoundBeyond
		}
		for _, d := range r.Nodes.Members(node) {
			both := 0
			for _, page := range r.Sources.Of(id) {
				if slices.Contains(r.Sources.Of(d), page) {
					both++
				}
			}
			if d != id && len(out) < l.Top && (both == 0 || !l.Apart) {
				s := to(self)(node)
				out = append(out, Neighbour{
					ID: d, Ref: runs.Ref{URL: r.Docs.URL(d)}, Similarity: s, Cosine: float32(cosine(node)), Neighbours: float32(shared[node]),
					Relatedness: float32(float64(s) + .1*cosine(node) + .2*shared[node]), Found: found, Together: both,
				})
			}
		}
	}
	return out
}

// nearly lets figures differ in digits that depend on the order of a sum.
var nearly = cmpopts.EquateApprox(0, 1e-5)

// TestRelated checks that Related finds what its documentation says, with every option, and the same for one document
// as for all.
func TestRelated(t *testing.T) {
	r := sparse(t, 60, 20)
	ways := map[Found]int{}
	for _, l := range []Lookup{{Top: 10}, {Top: math.MaxInt}, {Top: 10, BySimilarity: true}, {Top: 7, Stored: true}, {Top: 10, Apart: true}, {Top: math.MaxInt, Stored: true, Apart: true}, {}} {
		all := map[uint32][]Neighbour{}
		last := -1
		if err := EachRelated(t.Context(), r, l, func(id uint32, n []Neighbour) error {
			if int(id) <= last || len(n) == 0 {
				t.Errorf("%+v: document %d with %d neighbours after %d", l, id, len(n), last)
			}
			all[id], last = slices.Clone(n), int(id)
			for _, x := range n {
				ways[x.Found]++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for id := uint32(0); id < uint32(r.Len()); id += 9 {
			want := expandedByHand(r, id, l)
			if d := gocmp.Diff(want, Related(r, id, l), cmpopts.EquateEmpty(), nearly); d != "" {
				t.Fatalf("%+v, document %d: %s", l, id, d)
			}
			if d := gocmp.Diff(want, all[id], cmpopts.EquateEmpty(), nearly); d != "" {
				t.Fatalf("%+v, document %d among all: %s", l, id, d)
			}
		}
	}
	if ways[FoundSameBag] == 0 || ways[FoundStored] < 50 || ways[FoundBeyond] < 50 {
		t.Errorf("%v: too few to say anything", ways)
	}
	if got := Related(r, uint32(r.Len()), Lookup{Top: 5}); len(got) > 0 {
		t.Errorf("a document that there is not: %+v", got)
	}
}

// TestRank checks that neighbours from elsewhere are ranked as Related ranks them.
func TestRank(t *testing.T) {
	r := sparse(t, 60, 20)
	ids := sampleDocuments(r, 60, 1)
	exact, err := Exact(t.Context(), r, ids, 50, ByBoth, nil)
	if err != nil {
		t.Fatal(err)
	}
	Rank(r, uint32(r.Len()), nil)
	met, unmet, moved := 0, 0, 0
	for i, id := range ids {
		by := map[uint32]Neighbour{}
		for _, n := range Related(r, id, Lookup{Top: math.MaxInt}) {
			by[n.ID] = n
		}
		Rank(r, id, exact[i])
		for j, n := range exact[i] {
			if want, ok := by[n.ID]; ok {
				met++
				if n.Cosine != want.Cosine || n.Neighbours != want.Neighbours || n.Relatedness != want.Relatedness {
					t.Errorf("document %d: %+v, want %+v", id, n, want)
				}
			} else {
				unmet++
			}
			if j > 0 && n.Relatedness > exact[i][j-1].Relatedness {
				t.Errorf("document %d: %+v comes after %+v", id, n, exact[i][j-1])
			}
			if j > 0 && n.Similarity > exact[i][j-1].Similarity {
				moved++
			}
		}
	}
	if min(met, unmet, moved) < 50 {
		t.Errorf("%d met, %d not met, %d moved: too few to say anything", met, unmet, moved)
	}
}

// TestExpansionFindsMost checks that expansion finds most of the nearest documents.
func TestExpansionFindsMost(t *testing.T) {
	r := sparse(t, 300, 120)
	ids := sampleDocuments(r, 200, 1)
	exact, err := Exact(t.Context(), r, ids, 10, ByBoth, nil)
	if err != nil {
		t.Fatal(err)
	}
	var all, byExpansion int
	for i, id := range ids {
		true10 := exact[i]
		if len(true10) == 0 {
			continue
		}
		least := float32(true10[len(true10)-1].Similarity)
		right := func(list []Neighbour) (n int) {
			for _, x := range list {
				if x.Similarity >= least {
					n++
				}
			}
			return n
		}
		all, byExpansion = all+len(true10), byExpansion+right(Related(r, id, Lookup{Top: 10, BySimilarity: true}))
	}
	if byExpansion*10 < all*7 {
		t.Errorf("of %d nearest documents, expansion finds %d", all, byExpansion)
	}
}

// lists draws pages that link to targets. It returns them with the targets of each.
func lists(t *testing.T, pages, targets int) (crawl []string, of [][]int) {
	random := rand.New(rand.NewPCG(3, 4))
	var all [][2]string
	for p := range pages {
		var html strings.Builder
		var links []int
		for i := range targets {
			if random.IntN(4) > 0 && p != i%pages {
				continue
			}
			links = append(links, i)
			for range 1 + random.IntN(2) { // the second time with other words
				fmt.Fprintf(&html, "<p>Read about word%d and word%d in <a href='https://t.example/%d'>chapter</a>", i%5, random.IntN(7), i)
			}
		}
		all, of = append(all, [2]string{fmt.Sprintf("https://p%d.example/", p), html.String()}), append(of, links)
	}
	return runtest.Lines(t, all...), of
}

// TestTogether checks that Together counts each page that links to both documents once.
func TestTogether(t *testing.T) {
	pages, of := lists(t, 12, 16)
	c := runtest.Preset(t, "web")
	c.Views, c.URLWords = []string{config.Topical}, false
	r := runtest.Opened(t, c, pages)
	id := func(target int) uint32 {
		id, err := r.Lookup(fmt.Sprintf("https://t.example/%d", target))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	seen, apart := 0, 0
	for a := range 16 {
		want := map[uint32]int{}
		for b := range 16 {
			for _, links := range of {
				if a != b && slices.Contains(links, a) && slices.Contains(links, b) {
					want[id(b)]++
				}
			}
			if a != b && Together(r, id(a), id(b)) != want[id(b)] {
				t.Errorf("%d and %d: together on %d pages, want %d", a, b, Together(r, id(a), id(b)), want[id(b)])
			}
		}
		l := Lookup{Top: math.MaxInt}
		list := Related(r, id(a), l)
		for _, n := range list {
			if n.Together != want[n.ID] {
				t.Errorf("%d and %s: together on %d pages, want %d", a, n.URL, n.Together, want[n.ID])
			}
			seen++
		}
		l.Apart = true
		list = slices.DeleteFunc(list, func(n Neighbour) bool { return want[n.ID] > 0 })
		if d := gocmp.Diff(list, Related(r, id(a), l), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("apart from %d: %s", a, d)
		}
		apart += len(list)
	}
	if seen == 0 || apart == 0 || apart == seen {
		t.Errorf("%d neighbours, %d of them apart: too few to say anything", seen, apart)
	}
}

// TestRelatedIsSymmetric checks that Related is symmetric: if b is related to a, then a is related to b with the same
// similarity.
func TestRelatedIsSymmetric(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "paper2000"), runtest.SamplePages(t, 60))
	similarity := map[[2]uint32]float32{}
	if err := EachRelated(t.Context(), r, Lookup{Top: r.Len(), Stored: true}, func(id uint32, n []Neighbour) error {
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
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.Lines(t, [2]string{"https://www.example.org/docs/a.html", "<title>the page</title><a href=/docs/>docs</a>"}, [2]string{"http://plain.example/x", "x"}))
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
		if _, err := r.Lookup(unknown); !errors.Is(err, runs.ErrUnknown) {
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
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	shared := map[By]int{}
	for id := range uint32(r.Len()) {
		for i, n := range Related(r, id, Lookup{Top: 3}) {
			by := []By{ByBoth, ByLinks, ByContent}[i]
			if x := Explain(r, id, n.ID); float32(x.Cosine) != n.Cosine || float32(x.Neighbours) != n.Neighbours || float32(x.Relatedness) != n.Relatedness || len(x.Common) != min(x.AllCommon, mostCommon) {
				t.Errorf("documents %d and %d: %+v, explained as %v, %v with %q", id, n.ID, n, x.Neighbours, x.Relatedness, x.Common)
			}
			want := map[string]int{} // what a word contributes, in either field
			for _, term := range Explain(r, id, n.ID).Terms {
				if k := min(term.A, term.B); k > 0 && (by == ByBoth || by == term.Field) {
					want[term.Word] += k
				}
			}
			got := Shared(r, id, n.ID, by, 1000)
			if !slices.IsSortedFunc(got, func(a, b string) int { return cmp.Compare(want[b], want[a]) }) {
				t.Fatalf("documents %d and %d by %s: %q of %v", id, n.ID, by, got, want)
			}
			if d := gocmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(slices.Values(got))); d != "" {
				t.Fatalf("documents %d and %d by %s: %s", id, n.ID, by, d)
			}
			if most := len(Shared(r, id, n.ID, by, 2)); most != min(2, len(want)) {
				t.Fatalf("%d words, asked for 2", most)
			}
			shared[by] += len(got)
		}
	}
	if min(shared[ByBoth], shared[ByLinks], shared[ByContent]) == 0 {
		t.Errorf("%v words: too few to mean anything", shared)
	}
}
