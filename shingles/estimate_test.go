package shingles

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"unicode"

	"github.com/lshclust/lshclust/internal/binomial"
	"github.com/lshclust/lshclust/internal/sets"
	"pgregory.net/rapid"
)

func TestOverlapEqualsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := NewSet(drawValues(t, "a")...), NewSet(drawValues(t, "b")...)
		in := func(values []uint64) map[uint64]bool {
			m := map[uint64]bool{}
			for _, v := range values {
				m[v] = true
			}
			return m
		}
		union := NewSet(slices.Concat(a.Values(), b.Values())...)
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		inA, inB := in(a.Values()), in(b.Values())
		var want Overlap
		for _, v := range union.Values()[:min(limit, union.Len())] {
			want.A += sets.One(inA[v])
			want.B += sets.One(inB[v])
			want.Both += sets.One(inA[v] && inB[v])
		}
		if got := overlap(a.Values(), b.Values(), limit); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// The laws of resemblance and containment; 1-r is a metric.
func TestLaws(t *testing.T) {
	draw := func(t *rapid.T, name string) *Set {
		return NewSet(append(rapid.SliceOf(rapid.Uint64Range(0, 30)).Draw(t, name), 31)...)
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := draw(t, "a"), draw(t, "b"), draw(t, "c")
		d := func(x, y *Set) float64 {
			r, ok := x.Compare(y).Resemblance()
			if !ok {
				t.Fatal("no resemblance")
			}
			return 1 - r
		}
		if d(a, a) != 0 {
			t.Fatal("the resemblance of a set to itself is not 1")
		}
		if d(a, b) != d(b, a) {
			t.Fatal("resemblance is not symmetric")
		}
		if d(a, c) > d(a, b)+d(b, c)+1e-12 {
			t.Fatalf("triangle: %v > %v + %v", d(a, c), d(a, b), d(b, c))
		}
		o := a.Compare(b)
		r, _ := o.Resemblance()
		ab, _ := o.Containment()
		ba, _ := o.Swap().Containment()
		if r > min(ab, ba)+1e-12 {
			t.Fatalf("resemblance %v is over the containments %v, %v", r, ab, ba)
		}
		if back := 1 / (1/ab + 1/ba - 1); ab > 0 && math.Abs(back-r) > 1e-9 {
			t.Fatalf("resemblance %v, from containments %v", r, back)
		}
	})
}

func TestEmptyHasNoEstimate(t *testing.T) {
	var a, b Set
	if _, ok := a.Compare(&b).Resemblance(); ok {
		t.Error("two empty sets have a resemblance")
	}
	b.Add(1)
	if r, ok := a.Compare(&b).Resemblance(); !ok || r != 0 {
		t.Error("an empty set and another do not have resemblance 0")
	}
	if _, ok := a.Compare(&b).Containment(); ok {
		t.Error("the empty set has a containment")
	}
}

// moments of a series of estimates.
type moments struct{ n, sum, squares float64 }

func (m *moments) add(x float64)     { m.n++; m.sum += x; m.squares += x * x }
func (m *moments) mean() float64     { return m.sum / m.n }
func (m *moments) variance() float64 { return m.squares/m.n - m.mean()*m.mean() }

// expect compares with theory: the mean within 4.5 standard errors, the variance within 20 % (its own standard error is
// about 3.5 % for 1,600 trials).
func (m *moments) expect(t *testing.T, what string, mean, variance float64) {
	t.Helper()
	se := math.Sqrt(variance / m.n)
	t.Logf("%-28s mean %.4f (%.4f ± %.4f), variance %.3g (%.3g)", what, m.mean(), mean, se, m.variance(), variance)
	if math.Abs(m.mean()-mean) > 4.5*se {
		t.Errorf("%s: mean %.4f, want %.4f ± %.4f", what, m.mean(), mean, se)
	}
	if q := m.variance() / variance; q < 0.8 || q > 1.2 {
		t.Errorf("%s: variance %.3g, want %.3g", what, m.variance(), variance)
	}
}

const trials = 1600

// Documents A = 0..1199 and B = 400..1599: |A∪B| = 1,600, r = 1/2, containment 2/3. Every seed is another permutation.
func forPermutations(f func(a, b []uint64)) {
	for seed := range uint64(trials) {
		union := randomValues(seed, 0, 1600)
		f(union[:1200], union[400:])
	}
}

// A sample of k of n without replacement has the variance r(1-r)/k·(n-k)/(n-1).
func withoutReplacement(r, k, n float64) float64 { return r * (1 - r) / k * (n - k) / (n - 1) }

// The number of samples of MOD_m and V_i varies: the variance is the mean over k of that for k, where k is binomial.
func TestEstimators(t *testing.T) {
	for _, c := range []struct {
		sketcher                 Sketcher
		resemblance, containment float64 // variances
	}{
		{Sketcher{Kind: Min, S: 100}, withoutReplacement(0.5, 100, 1600), withoutReplacement(2./3, 75, 1200)},
		{Sketcher{Kind: MinMod, M: 4, S: 100}, withoutReplacement(0.5, 100, 1600), 0},
		{Sketcher{}, meanVariance(0.5, 1600, 1./25), meanVariance(2./3, 1200, 1./25)},
		{Sketcher{Kind: Var}, meanVariance(0.5, 1600, 1./16), meanVariance(2./3, 1200, 1./16)},
	} {
		var resemblance, containment moments
		forPermutations(func(a, b []uint64) {
			o := c.sketcher.Overlap(stored(c.sketcher, a), stored(c.sketcher, b))
			r, _ := o.Resemblance()
			in, _ := o.Containment()
			resemblance.add(r)
			containment.add(in)
		})
		resemblance.expect(t, c.sketcher.String()+" resemblance", 0.5, c.resemblance)
		if c.containment > 0 {
			containment.expect(t, c.sketcher.String()+" containment", 2./3, c.containment)
		}
	}
}

func meanVariance(r float64, n int, p float64) float64 {
	var sum, weight float64
	for k := 1; k <= n; k++ {
		w := binomial.AtMost(float64(n), float64(k), p) - binomial.AtMost(float64(n), float64(k-1), p)
		sum += w * withoutReplacement(r, float64(k), float64(n))
		weight += w
	}
	return sum / weight
}

// A is 20 shingles, 10 of them in B. MOD_25 has no sample of it in 44 % of permutations. The other estimates are right
// on average, which they would not be if no sample counted as 0.
func TestSmallSampleCorrection(t *testing.T) {
	var known moments
	for seed := range uint64(4 * trials) {
		union := randomValues(seed, 0, 30)
		var s Sketcher
		if c, ok := s.Overlap(stored(s, union[:20]), stored(s, union[10:])).Containment(); ok {
			known.add(c)
		}
	}
	p := 1 - math.Pow(0.96, 20)
	if share := known.n / (4 * trials); math.Abs(share-p) > 0.03 {
		t.Errorf("%.3f of the sketches have samples, want %.3f", share, p)
	}
	known.expect(t, "where there is an estimate", 0.5, meanVariance(0.5, 20, 1./25))
}

// Sketches of whole texts, not of random numbers: the mixer must make up for the linearity of the fingerprints. The
// texts differ in single words.
func TestEstimatesOfTexts(t *testing.T) {
	words := bytes.Join(bytes.FieldsFunc(bytes.ToLower(prose(12000)), func(r rune) bool { return !unicode.IsLetter(r) }), []byte(" "))
	changed := []byte(string(words))
	for i := 1500; i < len(changed); i += 700 {
		changed[i] = 'q'
	}
	var mod, least moments
	var exact float64
	for seed := range uint64(300) {
		s := newShinglerT(t, Config{Seed: seed})
		var a, b Set
		s.Sketch(&a, words)
		s.Sketch(&b, changed)
		exact, _ = a.Compare(&b).Resemblance()
		for _, k := range []struct {
			sketcher Sketcher
			m        *moments
		}{{Sketcher{}, &mod}, {Sketcher{Kind: Min, S: 50}, &least}} {
			r, _ := k.sketcher.Overlap(stored(k.sketcher, a.Values()), stored(k.sketcher, b.Values())).Resemblance()
			k.m.add(r)
		}
	}
	n := 2300.0
	for _, m := range []struct {
		name     string
		got      moments
		variance float64
	}{{"MOD_25", mod, meanVariance(exact, int(n), 1./25)}, {"MIN_50", least, withoutReplacement(exact, 50, n)}} {
		se := math.Sqrt(m.variance / m.got.n)
		t.Logf("%s: mean %.4f, exact %.4f ± %.4f, variance %.3g (%.3g)", m.name, m.got.mean(), exact, se, m.got.variance(), m.variance)
		if q := m.got.variance() / m.variance; math.Abs(m.got.mean()-exact) > 4.5*se || q < 0.6 || q > 1.5 {
			t.Errorf("%s: mean %.4f, exact %.4f ± %.4f, variance ratio %.2f", m.name, m.got.mean(), exact, se, q)
		}
	}
}
