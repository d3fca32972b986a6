package tune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/lsh"
)

// TestChances compares the table of chances with the exact formula of an index of different subsets.
func TestChances(t *testing.T) {
	at := []float64{0.005, 0.05, 0.2, 0.3, 0.7, 1}
	for _, c := range []Choice{{80, 3, 125, 0.2}, {80, 2, 160, 0.075}, {80, 2, 3160, 0}, {40, 1, 40, 0.5}, {128, 5, 1000, 0.25}, {128, 5, 3, 0.25}, {3, 3, 1, 1}} {
		x := mustIndex(t, c.M, c.K, c.L, 1)
		found := newChances(c.M, c.K, at).found(c.L)
		for i, s := range at {
			if got, want := found[i][lsh.Least(c.Floor, c.M)], x.Found(c.Floor, s); math.Abs(got-want) > 1e-6 {
				t.Errorf("%+v at %v: %.8f, want %.8f", c, s, got, want)
			}
		}
	}
}

func mustIndex(t *testing.T, m, k, l int, seed uint64) *lsh.Index {
	t.Helper()
	x, err := lsh.NewIndex(m, k, l, seed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// similarSet returns the similarities of documents on a line, which are similar in groups of 20.
func similarSet(n int) func(a, b int) float64 {
	return func(a, b int) float64 {
		switch d := max(a-b, b-a); {
		case a/20 == b/20:
			return 0.9 - float64(d)*0.03
		case (a+b)%3 == 0:
			return 0.01
		case (a*b)%7 == 0:
			return 0.1
		}
		return 0
	}
}

// sampleOf returns the similarities of some documents of a set.
func sampleOf(n int, sample []int, similarity func(a, b int) float64) *Similarities {
	h := NewSimilarities(n)
	for _, a := range sample {
		var row []float64
		for b := range n {
			if s := similarity(a, b); s > 0 && a != b {
				row = append(row, s)
			}
		}
		h.Add(row)
	}
	return h
}

// TestSimilarities: for all documents the sums are those over all pairs, and for a sample the interval contains them as
// often as it should.
func TestSimilarities(t *testing.T) {
	const n = 400
	similarity := similarSet(n)
	f := func(s float64) float64 { return lsh.Candidate(40, 2, 30, s) }
	var want, pairs float64
	for a := range n {
		for b := range a {
			want, pairs = want+f(similarity(a, b)), pairs+1
		}
	}
	all := rand.New(rand.NewPCG(1, 2)).Perm(n)
	h := sampleOf(n, all, similarity)
	got := h.Expect(f)
	if math.Abs(got.Value-want) > 1e-6*want || got.Low != got.Value || got.High != got.Value {
		t.Errorf("all documents: %+v, want %v", got, want)
	}
	if h.Pairs() != pairs || math.Abs(h.Between(0, 1.01).Value-pairs) > 1e-6 {
		t.Errorf("%v pairs, %v between 0 and 1, want %v", h.Pairs(), h.Between(0, 1.01), pairs)
	}
	held := 0
	const rounds = 100
	for seed := range uint64(rounds) {
		e := sampleOf(n, rand.New(rand.NewPCG(seed, 3)).Perm(n)[:60], similarity).Expect(f)
		if e.Low <= want && want <= e.High {
			held++
		}
	}
	if held < rounds*90/100 {
		t.Errorf("%d of %d intervals hold the figure", held, rounds)
	}
}

func TestShare(t *testing.T) {
	h, found := NewSimilarities(100), NewSimilarities(100)
	h.Add([]float64{0.1, 0.5, 0.5, 0.9})
	found.Add([]float64{0.5, 0.9})
	h.Add([]float64{0.5})
	found.Add(nil)
	if e, ok := h.Share(found, 0.4, 0.6); !ok || math.Abs(e.Value-1.0/3) > 1e-12 || e.Low < 0 || e.High > 1 {
		t.Errorf("%+v, %v", e, ok)
	}
	if e, ok := h.Share(found, 0.2, 0.3); ok {
		t.Errorf("of no pairs: %+v", e)
	}
	if e, ok := h.Share(found, 0, 2); !ok || math.Abs(e.Value-0.4) > 1e-12 {
		t.Errorf("of all: %+v, %v", e, ok)
	}
	if m, ok := h.Mean(0.4, 2); !ok || math.Abs(m-0.6) > 1e-12 {
		t.Errorf("mean %v, %v", m, ok)
	}
}

func model(h *Similarities) *Model { return &Model{Similarities: h, Rates: DefaultRates} }

// TestTune: each choice reaches the goal by the formula, and with a tenth fewer keys and the same floor it would not.
// The cheapest choice comes first.
func TestTune(t *testing.T) {
	const n = 2000
	sample := rand.New(rand.NewPCG(1, 2)).Perm(n)[:100]
	m := model(sampleOf(n, sample, similarSet(n)))
	g := Goal{Recall: 0.95, At: 0.3}
	found := m.Tune(g)
	if len(found) < 10 {
		t.Fatalf("%d choices", len(found))
	}
	for i, p := range found {
		x := mustIndex(t, p.M, p.K, p.L, 1)
		recall := func(x *lsh.Index) float64 {
			var sum, all float64
			for _, c := range nonEmpty(m.Similarities.cell) {
				if s := c.mean(); s >= g.At {
					sum, all = sum+c.pairs*x.Found(p.Floor, s), all+c.pairs
				}
			}
			return sum / all
		}
		if r := recall(x); r < g.Recall || math.Abs(r-p.Recall.Value) > 1e-6 {
			t.Errorf("%+v: recall %v, predicted %v", p.Choice, r, p.Recall)
		}
		if l := int(float64(p.L) * 0.88); l > 0 && recall(mustIndex(t, p.M, p.K, l, 1)) >= g.Recall {
			t.Errorf("%+v: %d keys would do", p.Choice, l)
		}
		if i > 0 && p.Seconds < found[i-1].Seconds {
			t.Errorf("%d costs less than the one before it", i)
		}
		if !(p.Survivors.Value <= p.Candidates.Value && p.Candidates.Value <= p.Collisions.Value*1.0001) {
			t.Errorf("%+v", p)
		}
	}
	g.Memory = lsh.Memory(n, 80)
	for _, p := range m.Tune(g) {
		if p.M > 80 {
			t.Errorf("%+v takes more memory than there is", p.Choice)
		}
	}
	if len(m.Tune(Goal{Recall: 0.95, At: 0.3, Memory: 1})) != 0 {
		t.Error("choices without memory")
	}
	g = Goal{Recall: 0.9999999, At: 0.05, KeepFloor: true, Floor: 0.5}
	if got := m.Tune(g); len(got) != 0 {
		t.Errorf("%+v reaches what nothing can", got[0])
	}
	g.Floor, g.Recall = 0.1, 0.2
	for _, p := range m.Tune(g) {
		if p.Floor != 0.1 {
			t.Errorf("floor %v was to be kept", p.Floor)
		}
	}
}

// TestNoPairs: if the sample has no wanted pairs, the recall is the mean of the curve.
func TestNoPairs(t *testing.T) {
	h := NewSimilarities(1000)
	for range 50 {
		h.Add([]float64{0.02, 0.05})
	}
	m := model(h)
	var mean float64
	const steps = 20000
	x := mustIndex(t, 80, 3, 125, 1)
	for i := range steps {
		mean += x.Found(0.2, 0.2+0.8*(float64(i)+0.5)/steps) / steps
	}
	p := m.Predict(Choice{80, 3, 125, 0.2}, 0.2)
	if m.Measured(0.2) || math.Abs(p.Recall.Value-mean) > 1e-6 {
		t.Errorf("%v, want %v", p.Recall, mean)
	}
	for _, p := range m.Tune(Goal{Recall: 0.9, At: 0.2}) {
		if s := fmt.Sprint(p); math.IsNaN(p.Recall.Value) || p.Recall.Value < 0.9 {
			t.Error(s)
		}
	}
	// Nothing is similar to anything, and there is a single document.
	empty := NewSimilarities(1)
	empty.Add(nil)
	if p := model(empty).Predict(Choice{80, 3, 125, 0.2}, 0.3); math.IsNaN(p.Seconds) || p.Candidates.Value != 0 {
		t.Errorf("%+v", p)
	}
}

// trialOf returns a trial that finds half of the pairs of a sample, those that agree in an even number of signatures.
func trialOf(n int, sample []int, similarity func(a, b int) float64) *Trial {
	h := sampleOf(n, sample, similarity)
	met := make([][]Met, len(sample))
	for i, a := range sample {
		for b := range n {
			s := similarity(a, b)
			if agreement := int(s*80) + (a+b)%5; a != b && agreement%2 == 0 {
				met[i] = append(met[i], Met{s, agreement})
			}
		}
	}
	return NewTrial(Choice{80, 2, 160, 0.1}, h, met)
}

// TestTrial compares the figures of a trial on all documents with counts over all pairs.
func TestTrial(t *testing.T) {
	const n, at, floor = 300, 0.4, 8
	similarity := similarSet(n)
	trial := trialOf(n, rand.New(rand.NewPCG(1, 2)).Perm(n), similarity)
	var candidates, survivors, wanted, found float64
	for a := range n {
		for b := range a {
			s := similarity(a, b)
			agreement := int(s*80) + (a+b)%5
			if s >= at {
				wanted++
			}
			if agreement%2 != 0 {
				continue
			}
			candidates++
			if agreement >= floor {
				survivors++
				if s >= at {
					found++
				}
			}
		}
	}
	if got := trial.Candidates().Value; math.Abs(got-candidates) > 1e-6 {
		t.Errorf("%v candidates, want %v", got, candidates)
	}
	if got := trial.Survivors().Value; math.Abs(got-survivors) > 1e-6 {
		t.Errorf("%v survivors, want %v", got, survivors)
	}
	if got, ok := trial.Recall(at); !ok || math.Abs(got.Value-found/wanted) > 1e-9 {
		t.Errorf("recall %v, want %v", got, found/wanted)
	}
	if got := trial.Found().Between(at, 2).Value; math.Abs(got-found) > 1e-6 {
		t.Errorf("%v pairs found, want %v", got, found)
	}
	if _, ok := trial.Recall(0.99); ok {
		t.Error("a recall of no pairs")
	}
}

func TestFloors(t *testing.T) {
	const n = 600
	trial := trialOf(n, rand.New(rand.NewPCG(1, 2)).Perm(n)[:80], similarSet(n))
	floors := trial.Floors(0.4)
	if len(floors) < 30 {
		t.Fatalf("%d floors", len(floors))
	}
	for i, f := range floors {
		if lsh.Least(f.Floor, 80) != f.Least {
			t.Errorf("floor %v asks for %d, not %d", f.Floor, lsh.Least(f.Floor, 80), f.Least)
		}
		if i > 0 && (f.Recall.Value > floors[i-1].Recall.Value || f.Survivors.Value > floors[i-1].Survivors.Value) {
			t.Errorf("%+v after %+v", f, floors[i-1])
		}
	}
	best := HighestFloor(floors, 0.4)
	if best < 1 || floors[best].Recall.Value < 0.4 || floors[best+1].Recall.Value >= 0.4 {
		t.Errorf("floor %d of %v", best, floors)
	}
	if HighestFloor(floors, 1.1) != -1 {
		t.Error("a floor with a recall above 1")
	}
	if f := trial.Floors(0.99); f != nil {
		t.Errorf("floors from nothing: %v", f)
	}
}

func TestRates(t *testing.T) {
	r := DefaultRates.Scaled(62e6, 349e6, 67e6, 100)
	if got := r.Pairing(62e6, 349e6, 67e6); math.Abs(got-100) > 1e-9 {
		t.Errorf("%v s, want 100", got)
	}
	if r := DefaultRates.Scaled(0, 0, 0, 5); r != DefaultRates {
		t.Errorf("scaled by nothing: %+v", r)
	}
}

func TestLadder(t *testing.T) {
	for _, most := range []int{1, 2, 40, 780, 1 << 16} {
		l := ladder(most)
		if !slices.IsSorted(l) || len(slices.Compact(slices.Clone(l))) != len(l) || l[0] != 1 || l[len(l)-1] != most {
			t.Errorf("%v: %v", most, l)
		}
	}
}

func TestGoal(t *testing.T) {
	for _, g := range []Goal{{Recall: 0, At: 0.3}, {Recall: 1, At: 0.3}, {Recall: 0.9, At: 0}, {Recall: math.NaN(), At: 0.3}, {Recall: 0.9, At: 0.3, KeepFloor: true, Floor: 2}} {
		if g.Validate() == nil {
			t.Errorf("%+v is taken", g)
		}
	}
	if err := (Goal{Recall: 0.95, At: 0.3}).Validate(); err != nil {
		t.Error(err)
	}
}

// TestLegendre integrates powers: n points are exact for those up to 2n-1.
func TestLegendre(t *testing.T) {
	for _, n := range []int{1, 3, uniformPoints} {
		points, weights := legendre(n, 0.2, 1)
		for power := range 2 * n {
			sum, want := 0.0, (1-math.Pow(0.2, float64(power+1)))/float64(power+1)
			for i, x := range points {
				sum += weights[i] * math.Pow(x, float64(power))
			}
			if math.Abs(sum-want) > 1e-13 {
				t.Errorf("%d points, power %d: %g, want %g", n, power, sum, want)
			}
		}
	}
}
