package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
	"pgregory.net/rapid"
)

// sparse builds a run whose index misses many pairs.
func sparse(t *testing.T, pages, keys int) *Run {
	c := preset(t, "web")
	c.Views, c.URLWords = []string{config.Topical}, false
	c.KeySize, c.Keys, c.MaxBucket, c.Rounds = 3, keys, 400, 0
	return opened(t, c, samplePages(t, pages))
}

// expandedByHand is Related without any of its data structures: it looks at all pairs of documents in every round.
func expandedByHand(r *Run, id uint32, l Lookup) []Neighbour {
	self := r.nodes.Of(id)
	if self == tables.None {
		return nil
	}
	nearest := func(round map[uint32]int, similarity func(node uint32) float32) []uint32 {
		var nodes []uint32
		for n := range round {
			nodes = append(nodes, n)
		}
		slices.SortFunc(nodes, func(a, b uint32) int { return cmp.Or(cmp.Compare(similarity(b), similarity(a)), cmp.Compare(a, b)) })
		return nodes
	}
	stored := func(node uint32) map[uint32]int {
		all := map[uint32]int{}
		for _, e := range r.pairs.Neighbours(node) {
			all[e.To] = 0
		}
		return all
	}
	to := func(a uint32) func(b uint32) float32 {
		return func(b uint32) float32 { return float32(bags.Similarity(r.bag(a), r.bag(b))) }
	}
	round := stored(self)
	for n := 1; n <= l.Rounds; n++ {
		next := map[uint32]int{}
		for _, via := range nearest(round, to(self))[:min(l.Width, len(round))] {
			list := nearest(stored(via), to(via))
			for _, other := range list[:min(l.Width, len(list))] {
				if _, seen := round[other]; !seen && other != self && to(self)(other) > 0 {
					next[other] = n
				}
			}
		}
		for other := range next {
			round[other] = n
		}
	}
	var out []Neighbour
	for _, node := range append([]uint32{self}, nearest(round, to(self))...) {
		found := FoundStored
		switch n := round[node]; {
		case node == self:
			found = FoundSameBag
		case n > 0 && to(self)(node) < float32(r.Config.Similarity):
			continue
		case n > 0:
			found = InRound(n)
		}
		for _, d := range r.nodes.Members(node) {
			x := r.Explain(id, d)
			both := 0
			for _, page := range r.sources.Of(id) {
				if slices.Contains(r.sources.Of(d), page) {
					both++
				}
			}
			if d != id && len(out) < l.Top && (both == 0 || !l.Apart) {
				out = append(out, Neighbour{d, r.docs.URL(d), to(self)(node), float32(x.Agreeing) / float32(x.Signatures), found, both})
			}
		}
	}
	return out
}

// Related finds what its description says, and the same for one document as for all.
func TestExpansion(t *testing.T) {
	r := sparse(t, 60, 20)
	for _, l := range []Lookup{
		{Top: 10}, {Top: math.MaxInt, Rounds: 1, Width: 5}, {Top: 7, Rounds: 2, Width: 3}, {Top: math.MaxInt, Rounds: 4, Width: 2},
		{Top: 10, Rounds: 2, Width: 100}, {Top: 10, Rounds: 2, Width: 100, Apart: true}, {Top: math.MaxInt, Rounds: 9, Width: math.MaxInt, Apart: true},
		{Top: 10, Rounds: 3}, {Top: 0, Rounds: 3, Width: 3}, {Top: 3, Rounds: -1, Width: -1},
	} {
		all := map[uint32][]Neighbour{}
		last := -1
		if err := r.EachRelated(t.Context(), l, func(id uint32, n []Neighbour) error {
			if int(id) <= last || len(n) == 0 {
				t.Errorf("%+v: document %d with %d neighbours after %d", l, id, len(n), last)
			}
			all[id], last = slices.Clone(n), int(id)
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		for id := uint32(0); id < uint32(r.Len()); id += 9 {
			want := expandedByHand(r, id, l)
			if d := gocmp.Diff(want, r.Related(id, l), cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%+v, document %d: %s", l, id, d)
			}
			if d := gocmp.Diff(want, all[id], cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("%+v, document %d among all: %s", l, id, d)
			}
		}
	}
}

// Expansion finds most of the nearest documents.
func TestExpansionFindsMost(t *testing.T) {
	r := sparse(t, 300, 60)
	ids := r.SampleDocuments(200, 1)
	exact, err := r.Exact(t.Context(), ids, 10, nil)
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
		all, byExpansion = all+len(true10), byExpansion+right(r.Related(id, DefaultLookup))
	}
	if byExpansion*4 < all*3 {
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
	return lines(t, all...), of
}

// Together counts the pages that link to both documents, however often they do.
func TestTogether(t *testing.T) {
	pages, of := lists(t, 12, 16)
	c := preset(t, "web")
	c.Views, c.URLWords = []string{config.Topical}, false
	r := opened(t, c, pages)
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
			if a != b && r.Together(id(a), id(b)) != want[id(b)] {
				t.Errorf("%d and %d: together on %d pages, want %d", a, b, r.Together(id(a), id(b)), want[id(b)])
			}
		}
		l := DefaultLookup
		l.Top = math.MaxInt
		list := r.Related(id(a), l)
		for _, n := range list {
			if n.Together != want[n.ID] {
				t.Errorf("%d and %s: together on %d pages, want %d", a, n.URL, n.Together, want[n.ID])
			}
			seen++
		}
		l.Apart = true
		list = slices.DeleteFunc(list, func(n Neighbour) bool { return want[n.ID] > 0 })
		if d := gocmp.Diff(list, r.Related(id(a), l), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("apart from %d: %s", a, d)
		}
		apart += len(list)
	}
	if seen == 0 || apart == 0 || apart == seen {
		t.Errorf("%d neighbours, %d of them apart: too few to say anything", seen, apart)
	}
}

// The lowest keys come to the front, also if some are equal. The order of the keys of edges is that of their
// similarities.
func TestLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOf(rapid.Uint64Range(0, rapid.SampledFrom([]uint64{3, 1000}).Draw(t, "range"))).Draw(t, "keys")
		n := rapid.IntRange(0, len(keys)+1).Draw(t, "n")
		want := slices.Sorted(slices.Values(keys))
		lowest(keys, n)
		n = min(n, len(keys))
		if got := slices.Sorted(slices.Values(keys[:n])); !slices.Equal(got, want[:n]) || !slices.Equal(slices.Sorted(slices.Values(keys)), want) {
			t.Fatalf("%v, want %v first", keys, want[:n])
		}
		a := center.Edge{To: rapid.Uint32().Draw(t, "a"), Similarity: rapid.Float32Range(0, 1).Draw(t, "of a")}
		b := center.Edge{To: rapid.Uint32().Draw(t, "b"), Similarity: rapid.Float32Range(0, 1).Draw(t, "of b")}
		if got, want := cmp.Compare(expand.Key(a.To, a.Similarity), expand.Key(b.To, b.Similarity)), cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.To, b.To)); got != want {
			t.Fatalf("%+v and %+v: %d, want %d", a, b, got, want)
		}
	})
}

func TestFound(t *testing.T) {
	var names []string
	for _, f := range []Found{0, FoundSameBag, FoundStored, FoundExact, InRound(1), InRound(2), InRound(maxRounds), InRound(math.MaxInt), InRound(-1)} {
		names = append(names, fmt.Sprintf("%s %d", f, f.Round()))
	}
	if got, want := strings.Join(names, ","), " 0,same-bag 0,stored 0,exact 0,round-1 1,round-2 2,round-200 200,round-200 200,round-1 1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// EachRelated ends when it is told to.
func TestEachRelatedStops(t *testing.T) {
	r := sparse(t, 60, 20)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.EachRelated(ctx, DefaultLookup, func(uint32, []Neighbour) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	c := preset(t, "web")
	c.Views = []string{config.Syntactic}
	without := opened(t, c, samplePages(t, 60))
	if err := without.EachRelated(t.Context(), DefaultLookup, func(uint32, []Neighbour) error { return errors.New("called") }); err != nil || len(without.Related(0, DefaultLookup)) > 0 {
		t.Errorf("without the view: error %v", err)
	}
}
