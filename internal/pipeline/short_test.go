package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/shingles"
)

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		words []uint32
		want  int64
	}{{nil, 0}, {[]uint32{0, 0}, 0}, {[]uint32{0, 7}, 7}, {[]uint32{5, 1, 9}, 5}, {[]uint32{5, 1, 9, 8}, 5}, {[]uint32{3, 3, 3, 100}, 3}} {
		var w wordCounts
		for _, n := range c.words {
			w.add(n)
		}
		if got := w.median(); got != c.want {
			t.Errorf("%v: median %d, want %d", c.words, got, c.want)
		}
	}
}

// TestApart checks that a text with as many changed words as apart returns is below the resemblance, and that it is
// not with one fewer.
func TestApart(t *testing.T) {
	for _, w := range []int{3, 10} {
		for _, words := range []int{40, 100, 200} {
			for _, r := range []float64{0.3, 0.5, 0.8} {
				n := apart(int64(words), w, r)
				if least := resemblanceAfter(t, words, w, int(n)-1); least < r {
					t.Errorf("%d words, w=%d: resemblance %g after %d changed words", words, w, least, n-1)
				}
				if int(n)*w <= words-w+1 { // there is room for n changed words
					if most := resemblanceAfter(t, words, w, int(n)); most >= r {
						t.Errorf("%d words, w=%d: resemblance %g after %d changed words, want less than %g", words, w, most, n, r)
					}
				}
			}
		}
	}
}

// resemblanceAfter changes every w-th word until n words are changed.
func resemblanceAfter(t *testing.T, words, w, changed int) float64 {
	t.Helper()
	s, err := shingles.New(shingles.Config{W: w, Bits: 64})
	if err != nil {
		t.Fatal(err)
	}
	var text, other []string
	for i := range words {
		text, other = append(text, fmt.Sprint("w", i)), append(other, fmt.Sprint("w", i))
		if i%w == w-1 && i/w < changed {
			other[i] = "other"
		}
	}
	a, b := shingles.NewSet(), shingles.NewSet()
	s.Sketch(a, []byte(strings.Join(text, " ")))
	s.Sketch(b, []byte(strings.Join(other, " ")))
	r, _ := a.Compare(b).Resemblance()
	return r
}

// TestSampling checks that the index is sampled no more than necessary for the allowed number of postings, and at
// most as much as the settings allow.
func TestSampling(t *testing.T) {
	sizes := []int{20, 100, 1000, 10_000, 100_000}
	for _, c := range []struct {
		most    int64
		given   uint64
		want    uint64
		whole   int64
		entries int64
	}{
		{111_120, 0, 1, 5, 111_120}, {111_119, 0, 2, 1, 20 + 55_550}, {30_000, 0, 4, 1, 20 + 27_775},
		{5_000, 0, 23, 2, 120 + 43 + 434 + 4347}, {1, 0, 25, 2, 120 + 40 + 400 + 4000}, {1, 1, 1, 5, 111_120}, {1 << 40, 100, 100, 3, 1120 + 100 + 1000},
	} {
		got, err := sampling(t.Context(), sizes, config.Config{Modulus: 25, IndexOneIn: c.given}, c.most)
		if err != nil || got != (indexSampling{c.want, c.entries, c.whole}) {
			t.Errorf("%+v: %+v", c, got)
		}
	}
}

// TestSamplingTooMany checks that if no modulus leaves few enough postings, the modulus with the fewest is chosen,
// not the largest: pages with fewer than 16 times the modulus have all their shingles in the index. The choice ends
// with its context, and processes equal sizes together.
func TestSamplingTooMany(t *testing.T) {
	sizes := slices.Repeat([]int{399}, 10_000)
	got, err := sampling(t.Context(), sizes, config.Config{Modulus: 25}, 1000)
	if want := (indexSampling{24, 160_000, 0}); err != nil || got != want {
		t.Errorf("%+v %v, want %+v", got, err, want)
	}
	if h := sampledBy(append(sizes, 7), 24); h != (indexSampling{24, 160_007, 1}) {
		t.Errorf("%+v", h)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sampling(ctx, sizes, config.Config{Modulus: 25}, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
