package shingles

import (
	"math"
	"testing"

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
		union := NewSet(a.Values()...)
		union.Merge(b)
		limit := rapid.IntRange(0, 300).Draw(t, "limit")
		inA, inB := in(a.Values()), in(b.Values())
		var want Overlap
		for _, v := range union.Values()[:min(limit, union.Len())] {
			want.A += one(inA[v])
			want.B += one(inB[v])
			want.Both += one(inA[v] && inB[v])
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
			d, ok := x.Compare(y).Distance()
			if !ok {
				t.Fatal("no distance")
			}
			return d
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

func TestMinEstimator(t *testing.T) {
	var resemblance, containment moments
	forPermutations(func(a, b []uint64) {
		s, u := NewMinSketch(100), NewMinSketch(100)
		s.AddAll(a)
		u.AddAll(b)
		o, _ := s.Estimate(u)
		r, _ := o.Resemblance()
		c, _ := o.Containment()
		resemblance.add(r)
		containment.add(c)
	})
	resemblance.expect(t, "MIN_100 resemblance", 0.5, withoutReplacement(0.5, 100, 1600))
	containment.expect(t, "MIN_100 containment", 2./3, withoutReplacement(2./3, 75, 1200))
}

func TestMinModEstimator(t *testing.T) {
	var resemblance moments
	forPermutations(func(a, b []uint64) {
		s, u := NewMinModSketch(4, 100), NewMinModSketch(4, 100)
		s.AddAll(a)
		u.AddAll(b)
		o, _ := s.Estimate(u)
		r, _ := o.Resemblance()
		resemblance.add(r)
	})
	resemblance.expect(t, "MIN_100 of MOD_4", 0.5, withoutReplacement(0.5, 100, 1600))
}

// The number of samples varies: the variance is the mean over k of that for k, where k is binomial.
func TestModEstimator(t *testing.T) {
	var resemblance, containment moments
	forPermutations(func(a, b []uint64) {
		var s, u ModSketch
		s.AddAll(a)
		u.AddAll(b)
		o, _ := s.Estimate(&u)
		r, _ := o.Resemblance()
		c, _ := o.Containment()
		resemblance.add(r)
		containment.add(c)
	})
	resemblance.expect(t, "MOD_25 resemblance", 0.5, meanVariance(0.5, 1600, 1./25))
	containment.expect(t, "MOD_25 containment", 2./3, meanVariance(2./3, 1200, 1./25))
}

func TestVarEstimator(t *testing.T) {
	var resemblance, containment moments
	forPermutations(func(a, b []uint64) {
		var s, u VarSketch
		s.AddAll(a)
		u.AddAll(b)
		o := s.Estimate(&u)
		r, _ := o.Resemblance()
		c, _ := o.Containment()
		resemblance.add(r)
		containment.add(c)
	})
	resemblance.expect(t, "V_i resemblance", 0.5, meanVariance(0.5, 1600, 1./16))
	containment.expect(t, "V_i containment", 2./3, meanVariance(2./3, 1200, 1./16))
}

func meanVariance(r float64, n int, p float64) float64 {
	var sum, weight float64
	for k := 1; k <= n; k++ {
		w := atMost(float64(k), n, p) - atMost(float64(k-1), n, p)
		sum += w * withoutReplacement(r, float64(k), float64(n))
		weight += w
	}
	return sum / weight
}

// A is 20 shingles, of which 10 are in B. MOD_25 has no sample of it in 44 % of permutations: counted as 0 the estimate
// is biased, corrected it is not, and those that there are, are right in the mean.
func TestSmallSampleCorrection(t *testing.T) {
	var raw, fixed, resemblance, known moments
	for seed := range uint64(4 * trials) {
		union := randomValues(seed, 0, 30)
		var a, b ModSketch
		a.AddAll(union[:20])
		b.AddAll(union[10:])
		o, _ := a.Estimate(&b)
		c, ok := o.Containment()
		raw.add(c)
		if ok {
			known.add(c)
		}
		cc, _ := a.ContainmentCorrected(&b, 20)
		fixed.add(cc)
		rc, _ := a.ResemblanceCorrected(&b, 30)
		resemblance.add(rc)
	}
	presence := 1 - math.Pow(0.96, 20)
	if math.Abs(Presence(25, 20)-presence) > 1e-12 {
		t.Errorf("Presence %v, want %v", Presence(25, 20), presence)
	}
	variance := presence*(0.25+meanVariance(0.5, 20, 1./25)) - math.Pow(0.5*presence, 2)
	raw.expect(t, "empty counts as 0", 0.5*presence, variance)
	fixed.expect(t, "corrected", 0.5, variance/presence/presence)
	known.expect(t, "where there is an estimate", 0.5, meanVariance(0.5, 20, 1./25))
	if math.Abs(resemblance.mean()-1./3) > 0.03 {
		t.Errorf("corrected resemblance %.3f, want 0.333", resemblance.mean())
	}
}

// Sketches of whole texts, not of random numbers: the mixer must make up for the linearity of the fingerprints. The
// texts differ in single words.
func TestEstimatesOfTexts(t *testing.T) {
	words := Canonical(nil, prose(12000), false)
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
		modA, modB, minA, minB := new(ModSketch), new(ModSketch), NewMinSketch(50), NewMinSketch(50)
		modA.AddAll(a.Values())
		modB.AddAll(b.Values())
		minA.AddAll(a.Values())
		minB.AddAll(b.Values())
		o, _ := modA.Estimate(modB)
		r, _ := o.Resemblance()
		mod.add(r)
		o, _ = minA.Estimate(minB)
		r, _ = o.Resemblance()
		least.add(r)
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
