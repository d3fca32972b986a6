package resemble

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
	"pgregory.net/rapid"
)

// If every shingle is sampled, Pairs finds the pairs that brute force finds, for any documents.
func TestPairsEqualExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var docs Collection
		for range rapid.IntRange(0, 12).Draw(t, "documents") {
			set := rapid.SliceOfDistinct(rapid.Uint64Range(0, 24), func(v uint64) uint64 { return v }).Draw(t, "set")
			slices.Sort(set)
			docs = append(docs, Document{Values: set, Bytes: uint64(len(docs)), Lexical: uint64(len(docs)), Host: uint32(len(docs) % 2)})
		}
		r := Resources{Memory: 1 << 20, Workers: 1}
		c := Config{M: 1, MinShingles: 1, Floor: 0.3, Containment: 0.7, Miss: 1e-9, Resources: r}
		equal, err := FindEqual(background, docs, r)
		if err != nil {
			t.Fatal(err)
		}
		strip, err := NewBoilerplate(BoilerplateConfig{Least: 3})
		if err != nil {
			t.Fatal(err)
		}
		if err := strip.Put(0, []uint64{1, 2, 3}); err != nil {
			t.Fatal(err)
		}
		var got []Pair
		if _, err = Pairs(background, docs, equal, strip, c, collect(&got)); err != nil {
			t.Fatal(err)
		}
		want := prepared{docs: docs, equal: equal, strip: strip}.exact(c)
		for i := range got {
			if got[i].Sample != got[i].Exact {
				t.Errorf("sample %+v of all %+v", got[i].Sample, got[i].Exact)
			}
			got[i].Sample = want[min(i, len(want)-1)].Sample
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("pairs (-exact +got): %s", d)
		}
	})
}

// TestKeysOfManyValues pairs documents of values that are far above those of the first documents, which are empty or small,
// so that many values have one key.
func TestKeysOfManyValues(t *testing.T) {
	for _, first := range []Document{{}, {Values: []uint64{1, 2, 3, 4, 5}}} {
		docs := make(Collection, 100)
		for i := range docs {
			docs[i] = first
		}
		r := rand.New(rand.NewPCG(1, 2))
		var set []uint64
		for range 200 {
			set = append(set, r.Uint64())
		}
		slices.Sort(set)
		for i := range 5 {
			docs = append(docs, Document{Values: slices.Delete(slices.Clone(set), 4*i, 10*i), Bytes: uint64(i + 1), Lexical: uint64(i + 1)})
		}
		p := prepare(t, docs, false)
		got, _ := p.pairs(t, Config{})
		for i := range got {
			got[i].Sample = shingles.Overlap{}
		}
		if d := cmp.Diff(p.exact(Config{}), got); d != "" || len(got) != 10 {
			t.Errorf("%d pairs of 5 documents (-exact +got): %s", len(got), d)
		}
	}
}

func collect(to *[]Pair) func([]Pair) error {
	return func(some []Pair) error {
		*to = append(*to, some...)
		return nil
	}
}

// graded makes families of documents with all degrees of resemblance, some short, under a template on host 1.
func graded() Collection {
	m := newMaker()
	menu := m.values(80)
	for family := range 60 {
		text := m.values(20 + 100*family)
		for version := range 8 {
			host := uint32(family % 3)
			var top []uint64
			if host == 1 {
				top = menu
			}
			m.add(host, top, text[:len(text)*(16-version)/16], m.values(len(text)*version/16))
		}
	}
	return m.docs
}

// The metamorphic test: one workload, many configurations, the same result.
func TestPairsAreIndependentOfResources(t *testing.T) {
	docs := graded()
	p := prepare(t, docs, true)
	c := Config{MaxCommon: 200, MaxPairs: 2000, Reach: 3}
	want, wantStats := p.pairs(t, c)
	if len(want) < 100 || wantStats.SelfJoin.PartlyPaired == 0 {
		t.Fatalf("%d pairs, %+v", len(want), wantStats)
	}
	if !slices.IsSortedFunc(want, func(p, q Pair) int { return slices.Compare([]uint32{p.A, p.B}, []uint32{q.A, q.B}) }) {
		t.Error("pairs are not in order")
	}
	for _, r := range []Resources{{Workers: 1}, {Workers: 7}, {Workers: 3, Memory: 1 << 20, Dir: t.TempDir()}} {
		c.Resources = r
		equal := find(t, docs)
		strip, _, err := FindBoilerplate(background, docs, equal, BoilerplateConfig{}, r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := equal.Refine(background, docs, strip, r); err != nil {
			t.Fatal(err)
		}
		got, stats := prepared{docs: docs, equal: equal, strip: strip}.pairs(t, c)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%+v: pairs differ: %s", r, d)
		}
		if d := cmp.Diff(wantStats, stats); d != "" {
			t.Errorf("%+v: counts differ: %s", r, d)
		}
	}
}

// What Pairs finds at graded resemblance, with short and long documents.
func TestGradedPairs(t *testing.T) {
	p := prepare(t, graded(), true)
	found, stats := p.pairs(t, Config{})
	q := quality(found, p.exact(Config{}), p.withSamples(25))
	for i := range q {
		for j := range q[i] {
			if s := q[i][j]; s.recall() < 0.99 || s.right != s.found || s.truth < 50 {
				t.Errorf("%d %d: %v", i, j, s)
			}
		}
	}
	if stats.Fine == 0 || stats.Stripped == 0 {
		t.Errorf("%+v", stats)
	}
}

func TestPairsStop(t *testing.T) {
	p := prepare(t, graded(), false)
	stop := errors.New("stop")
	_, err := Pairs(background, p.docs, p.equal, nil, Config{}, func([]Pair) error { return stop })
	if !errors.Is(err, stop) {
		t.Errorf("error of emit: %v", err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := Pairs(ctx, p.docs, p.equal, nil, Config{}, collect(new([]Pair))); !errors.Is(err, context.Canceled) {
		t.Errorf("end of context: %v", err)
	}
	m := newMaker()
	text := m.values(100)
	for range 400 {
		m.add(0, text, m.values(10))
	}
	p = prepare(t, m.docs, false)
	if _, err := Pairs(background, p.docs, p.equal, nil, Config{Resources: Resources{Memory: 1 << 16, Dir: "/no/such/folder"}}, collect(new([]Pair))); err == nil {
		t.Error("no error for a folder that is not there")
	}
}

func TestConfigs(t *testing.T) {
	e := find(t, Collection{})
	for _, bad := range []Config{{Floor: 2}, {Floor: -1}, {Containment: -1}, {Miss: 1}, {MaxCommon: 1}, {MinShingles: -1}, {Reach: -1}} {
		if _, err := Pairs(background, Collection{}, e, nil, bad, collect(new([]Pair))); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
	if _, err := Pairs(background, graded(), e, nil, Config{}, collect(new([]Pair))); err == nil {
		t.Error("no error for equalities among other documents")
	}
	if _, err := Pairs(background, Collection{}, e, nil, Config{}, collect(new([]Pair))); err != nil {
		t.Errorf("no documents: %v", err)
	}
}

// The number of formed pairs follows from the lengths of the lists.
func TestCappedPairs(t *testing.T) {
	for n := 1; n < 20; n++ {
		for reach := 1; reach < 8; reach++ {
			pairs := make(map[ids]bool)
			for i := range n {
				for j := i + 1; j < n; j++ {
					if i == 0 || j-i <= reach {
						pairs[ids{uint32(i), uint32(j)}] = true
					}
				}
			}
			if got := cappedPairs(n, reach); got != uint64(len(pairs)) {
				t.Errorf("%d documents, reach %d: %d pairs, want %d", n, reach, got, len(pairs))
			}
		}
	}
}

// Each tier holds about its share of all values, including all those of the next tier; the last holds the multiples of
// the modulus.
func TestTiers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]uint64, 100_000)
	for i := range values {
		values[i] = r.Uint64() >> 1
	}
	for m, rates := range map[uint64][]uint64{
		1: {1}, 2: {2, 1}, 3: {3, 1}, 7: {7, 2, 1}, 16: {16, 8, 4, 2, 1}, 25: {25, 8, 4, 2, 1}, 100: {100, 27, 9, 3, 1}, 1000: {1000, 343, 49, 7, 1},
	} {
		tiers := newTiers(m)
		if d := cmp.Diff(rates, tiers.rate); d != "" {
			t.Errorf("%d: %s", m, d)
			continue
		}
		all := values
		for tier, rate := range rates {
			got := tiers.sample(nil, values, uint8(tier))
			if d := cmp.Diff(tiers.sample(nil, all, uint8(tier)), got); d != "" {
				t.Errorf("modulus %d: tier %d is no part of the one before: %s", m, tier, d)
			}
			want := float64(len(values)) * float64(rate) / float64(m)
			if n := float64(len(got)); math.Abs(n-want) > 5*math.Sqrt(want) {
				t.Errorf("modulus %d: %v samples at tier %d, want about %v", m, n, tier, want)
			}
			all = got
		}
		for _, v := range values {
			if last := tiers.level(v) == tiers.top(); last != (v%m == 0) {
				t.Fatalf("modulus %d: %d a sample of the last tier: %t", m, v, last)
			}
		}
	}
	sizes := newTiers(25)
	for n, want := range map[int]uint8{0: 0, 49: 0, 50: 1, 99: 1, 100: 2, 199: 2, 200: 3, 399: 3, 400: 4, 1 << 20: 4} {
		if got := sizes.of(n); got != want {
			t.Errorf("%d shingles: tier %d, want %d", n, got, want)
		}
	}
}

// Both methods of counting give the same for sets of any sizes.
func TestOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string, most int) []uint64 {
			n := rapid.IntRange(0, most).Draw(t, name)
			return rapid.SliceOfNDistinct(rapid.Uint64Range(0, 2000), n, n, func(v uint64) uint64 { return v }).Draw(t, name)
		}
		a, b := sorted(draw("a", 8)), sorted(draw("b", 400))
		want := 0
		for _, v := range a {
			want += sets.One(slices.Contains(b, v))
		}
		if o, p := overlap(a, b), overlap(b, a); o.Both != want || o.A != len(a) || o.B != len(b) || p != o.Swap() {
			t.Fatalf("%+v and %+v, want %d", o, p, want)
		}
	})
}

// A pair at the threshold is turned away with probability Miss at most, a pair well below it nearly always.
func TestMargin(t *testing.T) {
	m := newMargin(0.5, 0.001)
	for _, n := range []int{1, 10, 100, 1000, 1023, 1024, 5000} {
		k := 0
		for !m.enough(uint32(k), uint32(n)) {
			k++
		}
		if p := binomial.AtMost(float64(n), float64(k-1), 0.5); k > 0 && p >= 0.001 {
			t.Errorf("%d samples: %d are enough, and fewer have probability %.4f", n, k, p)
		}
		if p := binomial.AtMost(float64(n), float64(k), 0.5); p < 0.0009 {
			t.Errorf("%d samples: %d are enough, and that has probability %.5f", n, k, p)
		}
	}
	if all := newMargin(1, 0.001); all.enough(9, 10) || !all.enough(10, 10) || !all.enough(3000, 3000) {
		t.Error("margin of resemblance 1")
	}
}
