package bags

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLogCosine compares cosines with those of dense vectors.
func TestLogCosine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	dense := func(b Bag) (v [200]float64) {
		for i, term := range b.Terms {
			v[term] = math.Log1p(float64(b.Counts[i]))
		}
		return v
	}
	dot := func(a, b [200]float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	some := 0
	for range 500 {
		a, b := randomBag(r, r.IntN(40), 200, 1<<r.IntN(17)), randomBag(r, 1+r.IntN(40), 200, 1<<r.IntN(17))
		x, y := dense(a), dense(b)
		want := 0.0
		if a.Len() > 0 {
			want = dot(x, y) / math.Sqrt(dot(x, x)*dot(y, y))
		}
		got := LogCosine(a, b)
		if math.Abs(got-want) > 1e-3 || got != LogCosine(b, a) {
			t.Fatalf("%v and %v: %v and %v, want %v", a, b, got, LogCosine(b, a), want)
		}
		if got > 0 {
			some++
		}
	}
	if some < 100 {
		t.Errorf("%d pairs have anything in common", some)
	}
	if b := randomBag(r, 30, 200, 99); LogCosine(b, b) < 1-1e-12 {
		t.Errorf("a bag has the cosine %v to itself", LogCosine(b, b))
	}
}
