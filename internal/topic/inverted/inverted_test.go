package inverted

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/rice"
	"pgregory.net/rapid"
)

// brute returns what Nearest should, by comparing all bags.
func brute(of Bags, bag bags.Bag, o Options) (hits []Hit) {
	for node := range uint32(of.Len()) {
		other := of.At(node)
		if o.Field != nil {
			other = o.Field(other)
		}
		s := bags.Similarity(bag, other)
		if s > 0 && s >= o.Least && (o.Wanted == nil || o.Wanted(node)) {
			hits = append(hits, Hit{node, s})
		}
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return hits[:min(o.Top, len(hits))]
}

// bagOf draws a bag of a sum, mostly of terms with small numbers.
func bagOf(r *rand.Rand, sum, terms int) (b bags.Bag) {
	count := map[uint32]uint16{}
	for left := sum; left > 0; {
		c := min(left, 1+r.IntN(1+r.IntN(1+sum/3)))
		count[uint32(r.IntN(1+r.IntN(terms)))] += uint16(c)
		left -= c
	}
	for t := range uint32(terms) {
		if c := count[t]; c > 0 {
			b.Terms, b.Counts = append(b.Terms, t), append(b.Counts, c)
		}
	}
	return b
}

// twoFields draws a bag with one field or two of the given sum, the first of terms below the given number, the second of
// the others.
func twoFields(r *rand.Rand, sum, terms int) (b bags.Bag) {
	fields := 1 + r.IntN(3) // a field each, or both
	for field := range 2 {
		if fields>>field&1 == 0 {
			continue
		}
		p := bagOf(r, sum, terms)
		for i, t := range p.Terms {
			b.Terms, b.Counts = append(b.Terms, t+uint32(field*terms)), append(b.Counts, p.Counts[i])
		}
	}
	return b
}

// indexOf returns an index of bags with segments that end anywhere.
func indexOf(t *rapid.T, r *rand.Rand, of List, least int) *Index {
	ends := []uint32{uint32(len(of))}
	for range rapid.IntRange(0, 5).Draw(t, "cuts") {
		ends = append(ends, 1+uint32(r.IntN(len(of))))
	}
	slices.Sort(ends)
	return New(build(of, slices.Compact(ends)), of, least)
}

// compare compares what an index finds for a bag with what comparing all bags finds.
func compare(t *rapid.T, x *Index, of List, bag bags.Bag, o Options) {
	if got, want := x.Nearest(nil, bag, o), brute(of, bag, o); !slices.Equal(got, want) {
		t.Fatalf("top %d, least %v: %v, want %v", o.Top, o.Least, got, want)
	}
}

// The result equals that of comparing all bags, including ties, for any segments and options, and for bags with other
// sums and unknown terms.
func TestNearestEqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		sum, terms := rapid.SampledFrom([]int{1, 3, 20, 100, 3000, 65535}).Draw(t, "sum"), rapid.IntRange(1, 300).Draw(t, "terms")
		of := make(List, rapid.IntRange(1, 400).Draw(t, "nodes"))
		for i := range of {
			of[i] = bagOf(r, sum, terms)
		}
		x := indexOf(t, r, of, sum)
		for range 10 {
			bag := of[r.IntN(len(of))]
			if r.IntN(3) == 0 {
				bag = bagOf(r, 1+r.IntN(min(2*sum, 65535)), terms+20)
			}
			o := Options{Top: r.IntN(30), Least: float64(r.IntN(3)) * r.Float64()}
			if r.IntN(2) == 0 {
				o.Wanted = func(node uint32) bool { return node%3 > 0 }
			}
			compare(t, x, of, bag, o)
		}
	})
}

// The same holds for bags of two fields, whose sums differ, compared as a whole or by one of the fields, and for a least
// similarity that some of them have exactly.
func TestNearestOfParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		sum, terms := rapid.SampledFrom([]int{1, 2, 3, 20, 100, 1000, 32767}).Draw(t, "sum"), rapid.IntRange(1, 100).Draw(t, "terms")
		of := make(List, rapid.IntRange(1, 400).Draw(t, "nodes"))
		for i := range of {
			if of[i] = twoFields(r, sum, terms); i > 0 && r.IntN(8) == 0 {
				of[i] = of[r.IntN(i)] // as no two nodes of a run are, to have more ties
			}
		}
		x := indexOf(t, r, of, sum)
		for range 10 {
			bag, o := of[r.IntN(len(of))], Options{Top: r.IntN(30), Least: float64(r.IntN(2)) * r.Float64()}
			if r.IntN(3) == 0 {
				bag = twoFields(r, sum, terms+10)
			}
			if r.IntN(2) == 0 {
				o.Least = bags.Similarity(bag, of[r.IntN(len(of))])
			}
			if r.IntN(3) == 0 {
				o.Wanted = func(node uint32) bool { return node%3 > 0 }
			}
			if field := r.IntN(3); field < 2 {
				o.Field = func(b bags.Bag) bags.Bag {
					links, content := b.Split(uint32(terms))
					return []bags.Bag{links, content}[field]
				}
				if r.IntN(4) > 0 { // sometimes a whole bag with the fields of others
					bag = o.Field(bag)
				}
			}
			compare(t, x, of, bag, o)
		}
	})
}

// A segment ends before a node that does not fit, and before its lists grow too long.
func TestEnds(t *testing.T) {
	one, wide := bags.Bag{Terms: []uint32{7}, Counts: []uint16{3}}, bags.Bag{}
	for i := range uint32(3) {
		wide.Terms, wide.Counts = append(wide.Terms, i), append(wide.Counts, 1)
	}
	many := slices.Repeat(List{one}, 2*segmentNodes+5)
	if got := Ends(many); !slices.Equal(got, []uint32{segmentNodes, 2 * segmentNodes, 2*segmentNodes + 5}) {
		t.Errorf("%v", got)
	}
	if got := Ends(many[:segmentNodes]); !slices.Equal(got, []uint32{segmentNodes}) {
		t.Errorf("%v", got)
	}
	if got := Ends(many[:0]); len(got) > 0 {
		t.Errorf("%v", got)
	}
	// The list of a term that every bag of a full segment holds.
	x := New(build(many, Ends(many)), many, 3)
	if got := x.Nearest(nil, wide, Options{Top: len(many)}); len(got) != 0 {
		t.Errorf("%d nodes without a common term", len(got))
	}
	if got := x.Nearest(nil, one, Options{Top: len(many)}); len(got) != len(many) || got[segmentNodes] != (Hit{segmentNodes, 1}) {
		t.Errorf("%d of %d nodes", len(got), len(many))
	}
	for i := range uint32(3000) {
		wide.Terms, wide.Counts = append(wide.Terms, i+3), append(wide.Counts, 1)
	}
	long := slices.Repeat(List{wide}, 1000)
	ends := Ends(long)
	if n := wide.Len(); len(ends) < 2 || int(ends[0])*n < segmentPostings || int(ends[0]-1)*n >= segmentPostings {
		t.Errorf("bags of %d terms: %v", n, ends)
	}
}

// Empty bags and bags that are too large have no neighbours.
func TestNearestOfNothing(t *testing.T) {
	of := List{{Terms: []uint32{1}, Counts: []uint16{5}}}
	x := New(build(of, Ends(of)), of, 5)
	for _, bag := range []bags.Bag{{}, {Terms: []uint32{1, 2}, Counts: []uint16{65535, 1}}, {Terms: []uint32{2}, Counts: []uint16{1}}} {
		if got := x.Nearest(nil, bag, Options{Top: 5}); got != nil {
			t.Errorf("%v: %v", bag, got)
		}
	}
	if got := New(built{}, List{}, 5).Nearest(nil, of[0], Options{Top: 1}); got != nil {
		t.Errorf("%v in nothing", got)
	}
}

// Several goroutines search at once, and the buffers of one search do not affect the next.
func TestNearestAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	of := make(List, 500)
	for i := range of {
		of[i] = bagOf(r, 50, 100)
	}
	x := New(build(of, []uint32{200, 500}), of, 50)
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			var dst []Hit
			for i := worker; i < len(of); i += 4 {
				o := Options{Top: 1 + i%20}
				if dst = x.Nearest(dst[:0], of[i], o); !slices.Equal(dst, brute(of, of[i], o)) {
					t.Errorf("node %d: %v", i, dst)
				}
			}
		})
	}
	all.Wait()
}

// Matches are the nodes with the best scores, as Score gives them.
func TestMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		of := make(List, rapid.IntRange(1, 300).Draw(t, "nodes"))
		for i := range of {
			of[i] = bagOf(r, 100, 50)
		}
		x := New(build(of, slices.Compact([]uint32{uint32(1 + len(of)/3), uint32(len(of))})), of, 100)
		var words []Word
		for range 1 + r.IntN(4) {
			words = append(words, Word{Terms: []uint32{uint32(r.IntN(60))}, Weight: float64(1+r.IntN(8)) / 4})
			if r.IntN(2) == 0 {
				words[0].Terms = append(words[0].Terms, uint32(60+r.IntN(5)))
			}
		}
		var want []Match
		for node, bag := range of {
			if s := Score(words, bag); s > 0 {
				want = append(want, Match{uint32(node), s})
			}
		}
		want = sorted(want)
		top := 1 + r.IntN(20)
		if got := x.Matches(words, top); !slices.Equal(got, want[:min(top, len(want))]) {
			t.Fatalf("%v, want %v", got, want)
		}
		if x.Matches(words, 0) != nil || x.Matches(nil, 5) != nil {
			t.Fatal("matches of nothing")
		}
	})
}

// A word that has several terms in a bag, such as one around links and one in the content, counts as often as all of
// them together. So scores stay below 1, and which of two such bags is better stays visible.
func TestMatchesOfSeveralTerms(t *testing.T) {
	of := List{{Terms: []uint32{1, 5}, Counts: []uint16{4, 2}}, {Terms: []uint32{1, 5}, Counts: []uint16{60, 40}}, {Terms: []uint32{5}, Counts: []uint16{6}}}
	words := []Word{{[]uint32{1, 5}, 2}}
	if got, want := Of(of, 6).Matches(words, 5), []Match{{1, 100. / 102}, {0, 6. / 8}, {2, 6. / 8}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// FuzzNearest searches lists with arbitrary contents. The results may be wrong but are nodes of the index, and no
// search panics.
func FuzzNearest(f *testing.F) {
	f.Add([]byte{3, 0, 1, 0, 0, 0, 0, 0}, uint32(5), uint16(7))
	f.Fuzz(func(t *testing.T, data []byte, term uint32, count uint16) {
		list := append(slices.Clone(data), make([]byte, rice.Padding)...)
		of := List{{Terms: []uint32{term}, Counts: []uint16{count}}, {Terms: []uint32{1}, Counts: []uint16{2}}}
		x := New(built{{Base: 0, Nodes: 2, Terms: []uint32{term, term}, First: []uint32{0, uint32(len(data) / 2)}, Lists: list}}, of, 5)
		for _, h := range x.Nearest(nil, of[0], Options{Top: 3}) {
			if h.Node > 1 {
				t.Fatalf("node %d of 2", h.Node)
			}
		}
		for _, m := range x.Matches([]Word{{[]uint32{term}, 1}}, 5) {
			if m.Node > 1 {
				t.Fatalf("node %d of 2", m.Node)
			}
		}
	})
}
