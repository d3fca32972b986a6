// Package sketches measures what each kind of sketch costs in recall and precision. It makes the sketches of the pages
// of a run that keeps whole sets of shingles, finds the pairs of similar pages by them as a run with --keep sketches
// does, and compares these with the pairs that an exact comparison of all pages finds.
package sketches

import (
	"context"
	"math"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Share is the number of successes among a number of trials.
type Share struct {
	Hits int `json:"hits"`
	Of   int `json:"of"`
}

func (s *Share) count(hit bool) {
	s.Of++
	if hit {
		s.Hits++
	}
}

// Cost tells how many of the pairs one method finds, and what it stores for that. A pair is similar if its exact
// resemblance is at the threshold, and contained if its exact containment, one way or the other, is at the threshold of
// containment.
type Cost struct {
	Way     string  `json:"way"`     // "shingles" for whole sets, otherwise the kind of sketch, such as MOD_25
	Bytes   float64 `json:"bytes"`   // mean for a page: 8 for each stored value, and 12 for the size and the digest of a sketched set
	Samples float64 `json:"samples"` // mean for a page
	Pairs   int     `json:"pairs"`   // pairs found as similar or contained

	Recall    Share `json:"recall"`     // share of the similar pairs that are found as similar
	RecallFar Share `json:"recall_far"` // the same for pairs with a resemblance above the threshold by Margin or more
	// Precision is the share of the pairs found as similar that are similar. PrecisionNear also accepts pairs with a
	// resemblance below the threshold by no more than Margin.
	Precision     Share `json:"precision"`
	PrecisionNear Share `json:"precision_near"`
	// Error is the mean difference of the estimated and the exact resemblance of the pairs found as similar.
	Error float64 `json:"error"`
	// The same for contained pairs. Sketches that do not estimate containment have no shares.
	RecallContained    Share `json:"recall_contained"`
	PrecisionContained Share `json:"precision_contained"`
}

// Margin is the distance from the threshold within which an estimate on the wrong side of the threshold is excused.
const Margin = 0.1

// Pages holds the pages of a run that keeps whole sets, and the boilerplate of their hosts, which is nil if none is
// left out.
type Pages struct {
	resemble.Documents
	Strip *resemble.Boilerplate
}

// Measured holds the costs of several methods, measured on the same pairs.
type Measured struct {
	Pages     int    `json:"pages"`
	Distinct  int    `json:"distinct"`  // pages without those that equal another one
	Similar   int    `json:"similar"`   // pairs
	Contained int    `json:"contained"` // pairs
	Ways      []Cost `json:"ways"`
}

// Measure measures every sketcher and the comparison of whole sets, which a run uses by default, at the thresholds
// Floor and Containment of c. All methods leave out pages with fewer than MinShingles shingles.
func Measure(ctx context.Context, pages Pages, sketchers []shingles.Sketcher, c resemble.Config) (*Measured, error) {
	equal, err := resemble.FindEqual(ctx, pages, c.Resources)
	if err != nil {
		return nil, err
	}
	m := measuring{pages: pages, equal: equal, c: c, true: map[[2]uint32]figures{}}
	if err := m.truth(ctx); err != nil {
		return nil, err
	}
	out := &Measured{Pages: pages.Len(), Distinct: int(equal.Stats().Representatives)}
	for _, f := range m.true {
		out.Similar += one(f.resemblance >= c.Floor)
		out.Contained += one(f.containment >= c.Containment)
	}
	whole, err := m.whole(ctx)
	if err != nil {
		return nil, err
	}
	out.Ways = append(out.Ways, whole)
	for _, s := range sketchers {
		cost, err := m.sketched(ctx, s)
		if err != nil {
			return nil, err
		}
		out.Ways = append(out.Ways, cost)
	}
	return out, nil
}

// figures holds the resemblance and the containment of a pair.
type figures struct{ resemblance, containment float64 }

type measuring struct {
	pages Pages
	equal *resemble.Equal
	c     resemble.Config
	true  map[[2]uint32]figures // the pairs that are similar or contained
}

// truth compares all pages exactly.
func (m *measuring) truth(ctx context.Context) error {
	with := map[uint64][]uint32{} // the pages before this one that have a shingle
	for id := range uint32(m.pages.Len()) {
		if m.equal.Relation(id) != resemble.Alone {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		near := map[uint32]bool{}
		own, _ := m.pages.Strip.Own(nil, m.pages.Host(id), m.pages.Values(id))
		for _, v := range own {
			for _, other := range with[v] {
				near[other] = true
			}
			with[v] = append(with[v], id)
		}
		for other := range near {
			p := resemble.Compare(m.pages, m.pages.Strip, other, id)
			if min(p.Exact.A, p.Exact.B) >= m.c.MinShingles && (p.Resemblance() >= m.c.Floor || p.Containment() >= m.c.Containment) {
				m.true[[2]uint32{other, id}] = figures{p.Resemblance(), p.Containment()}
			}
		}
	}
	return nil
}

// of returns the exact figures of a pair.
func (m *measuring) of(p resemble.Pair) figures {
	if f, ok := m.true[[2]uint32{p.A, p.B}]; ok {
		return f
	}
	x := resemble.Compare(m.pages, m.pages.Strip, p.A, p.B)
	return figures{x.Resemblance(), x.Containment()}
}

// whole measures pairs from whole sets.
func (m *measuring) whole(ctx context.Context) (Cost, error) {
	cost, found := Cost{Way: "shingles"}, finding{measuring: m, contains: true}
	_, err := resemble.Pairs(ctx, m.pages, m.equal, m.pages.Strip, m.c, found.add)
	values := 0
	for id := range uint32(m.pages.Len()) {
		values += len(m.pages.Values(id))
	}
	cost.Samples = float64(values) / float64(max(1, m.pages.Len()))
	cost.Bytes = 8 * cost.Samples
	found.score(&cost)
	return cost, err
}

// sketched measures pairs from sketches.
func (m *measuring) sketched(ctx context.Context, s shingles.Sketcher) (Cost, error) {
	cost, found := Cost{Way: s.String()}, finding{measuring: m, contains: s.Kind.Containment()}
	docs, values := sketch(m.pages, s)
	var strip *resemble.Boilerplate
	if m.pages.Strip != nil && s.Kind.Drops() {
		var err error
		if strip, _, err = resemble.FindBoilerplate(ctx, docs, m.equal, resemble.SketchBoilerplate(s), m.c.Resources); err != nil {
			return cost, err
		}
	}
	_, err := resemble.Pairs(ctx, docs, m.equal, strip, m.c, found.add)
	cost.Samples = float64(values) / float64(max(1, docs.Len()))
	cost.Bytes = 8*cost.Samples + 12
	found.score(&cost)
	return cost, err
}

// finding holds the pairs that one method finds.
type finding struct {
	*measuring
	contains bool // whether the method estimates containment
	pairs    map[[2]uint32]figures
}

func (f *finding) add(pairs []resemble.Pair) error {
	if f.pairs == nil {
		f.pairs = map[[2]uint32]figures{}
	}
	for _, p := range pairs {
		x := figures{resemblance: p.Resemblance()}
		if f.contains || !p.Estimated() {
			x.containment = p.Containment()
		}
		f.pairs[[2]uint32{p.A, p.B}] = x
	}
	return nil
}

func (f *finding) score(c *Cost) {
	floor, contained := f.c.Floor, f.c.Containment
	for pair, x := range f.true {
		got := f.pairs[pair]
		if x.resemblance >= floor {
			c.Recall.count(got.resemblance >= floor)
		}
		if x.resemblance >= floor+Margin {
			c.RecallFar.count(got.resemblance >= floor)
		}
		if x.containment >= contained && f.contains {
			c.RecallContained.count(got.containment >= contained)
		}
	}
	for pair, got := range f.pairs {
		x := f.of(resemble.Pair{A: pair[0], B: pair[1]})
		if got.resemblance >= floor {
			c.Precision.count(x.resemblance >= floor)
			c.PrecisionNear.count(x.resemblance >= floor-Margin)
			c.Error += math.Abs(got.resemblance - x.resemblance)
		}
		if got.containment >= contained && f.contains {
			c.PrecisionContained.count(x.containment >= contained)
		}
	}
	c.Pairs = len(f.pairs)
	c.Error /= float64(max(1, c.Precision.Of))
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
