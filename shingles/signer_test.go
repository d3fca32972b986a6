package shingles

import (
	"bytes"
	"math"
	"testing"

	"github.com/lshclust/lshclust/internal/sets"
)

// signed returns the signature of values.
func signed(t *testing.T, bins int, values ...[]uint64) []byte {
	t.Helper()
	s, err := NewSigner(bins)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		s.AddAll(v)
	}
	return s.AppendSignature(nil)
}

// The share of equal bytes estimates the resemblance, for large sets and for sets with fewer values than bins.
func TestSignatureEstimates(t *testing.T) {
	for _, c := range []struct{ size, shared, bins int }{{400, 300, 64}, {400, 100, 80}, {20, 16, 64}, {3, 2, 64}, {5000, 4999, 128}, {1, 1, 64}} {
		const pairs = 400
		equal := 0
		for seed := range uint64(pairs) {
			all := spreadValues(seed, 0, 2*c.size-c.shared)
			a, b := signed(t, c.bins, all[:c.size]), signed(t, c.bins, all[c.size-c.shared:])
			for i := range a {
				equal += sets.One(a[i] == b[i])
			}
		}
		r := float64(c.shared) / float64(2*c.size-c.shared)
		want, got := Agreement(r), float64(equal)/float64(pairs*c.bins)
		if sigma := math.Sqrt(want*(1-want)/pairs) / math.Sqrt(float64(min(c.bins, c.size))); math.Abs(got-want) > 4*sigma+1e-9 {
			t.Errorf("%+v: %.4f agree, want %.4f ± %.4f", c, got, want, sigma)
		}
	}
}

// Neither the order nor repeats of the values matter.
func TestSignatureOfSet(t *testing.T) {
	v := spreadValues(1, 0, 50)
	if want := signed(t, 64, v); !bytes.Equal(signed(t, 64, v[20:], v[:30], v), want) {
		t.Error("another order has another signature")
	}
	if empty := signed(t, 64); !bytes.Equal(empty, make([]byte, 64)) {
		t.Errorf("empty set: %x", empty)
	}
	for _, bins := range []int{0, 257} {
		if _, err := NewSigner(bins); err == nil {
			t.Errorf("no error for %d bins", bins)
		}
	}
}

// The S-curve of locality-sensitive hashing holds for signatures.
func TestBands(t *testing.T) {
	const pairs, size, shared = 2000, 300, 247 // resemblance .7
	found := 0
	for seed := range uint64(pairs) {
		all := spreadValues(seed, 0, 2*size-shared)
		a, b := signed(t, 64, all[:size]), signed(t, 64, all[size-shared:])
		for i := 0; i < 64; i += 4 {
			if bytes.Equal(a[i:i+4], b[i:i+4]) {
				found++
				break
			}
		}
	}
	want := Banded(16, 4, float64(shared)/(2*size-shared))
	if got := float64(found) / pairs; math.Abs(got-want) > 0.006 {
		t.Errorf("%.4f found, want %.4f", got, want)
	}
}
