package query

import (
	"math"
	"testing"
)

// TestSimilarAll: with all nodes in the sample, the pairs found are those that the run counted.
func TestSimilarAll(t *testing.T) {
	c := preset(t, "web")
	c.MaxBucket = 30
	r := opened(t, c, samplePages(t, 150))
	found := 0
	count := func(similarity float64, is bool) {
		if is {
			found++
		}
		if !(similarity > 0 && similarity <= 1) {
			t.Errorf("a similarity of %v", similarity)
		}
	}
	if n, err := r.Similar(t.Context(), math.MaxInt, 1, count); err != nil || n != r.Nodes() {
		t.Fatalf("%d nodes, %v", n, err)
	}
	s, _ := r.Manifest.Stage("pair")
	if want := s.In - s.Dropped["agreement-below-floor"]; int64(found) != 2*want || want < 500 {
		t.Errorf("%d pairs found, the run has %d", found/2, want)
	}
	if _, err := r.Similar(t.Context(), leastSample-1, 1, count); err == nil {
		t.Error("a sample of too few is taken")
	}
}
