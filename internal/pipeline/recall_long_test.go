package pipeline_test

import (
	"math"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/lsh"
)

// bruteForce compares all bags with all and returns the pairs of the least similarity or more.
func bruteForce(all []bags.Bag, least float64) []similar {
	var out []similar
	for a := range all {
		for b := a + 1; b < len(all); b++ {
			if s := bags.Similarity(all[a], all[b]); s >= least {
				out = append(out, similar{uint32(a), uint32(b), s})
			}
		}
	}
	return out
}

// bin is a range of similarities of real pairs, with how many of them were found.
type bin struct {
	pairs    int
	expected float64   // share that the formula predicts, mean over the pairs
	spread   float64   // variance of the share of one seed if pairs were independent
	shares   []float64 // found, a seed each
}

// TestLongRecall compares the share of real pairs that are found with the formula, in bins of their exact similarity.
// The figures are in docs/quality.md.
//
// Pairs of one seed are not independent: they share documents, hence rows, and all share one family and one index.
// Seeds are independent. So the test checks that the mean over the seeds is within Student's interval of the expected
// value, using the standard deviation between seeds instead of between pairs. If all seeds find all pairs, that
// deviation is zero, and it uses the interval for independent pairs, which is never too wide.
func TestLongRecall(t *testing.T) {
	const seeds, t995 = 24, 2.807 // the quantile .995 of Student's distribution for so many
	for _, name := range []string{"paper2000", "web"} {
		c := preset(t, name)
		if c.ChoosesIndex() {
			c.KeySize, c.Keys, c.MaxBucket = 2, 160, 1000
		}
		dir, _ := cluster(t, topicalOf(t, name), pipeline.Options{}, write(t, samplePages(t, allPages)...))
		all := openNodeSet(t, dir).bags
		c.MaxBucket = len(all) + 2
		pairs := bruteForce(all, 0.05)
		bins := expect(c, pairs)
		for c.Seed = range uint64(seeds) {
			got := found(t, all, c)
			hits := make([]float64, len(bins))
			for _, p := range pairs {
				if _, ok := got[[2]uint32{p.a, p.b}]; ok {
					hits[binOf(p.similarity)]++
				}
			}
			for i := range bins {
				bins[i].shares = append(bins[i].shares, hits[i]/float64(bins[i].pairs))
			}
		}
		t.Logf("%s: %d distinct bags, %d pairs of similarity 0.05 or more, %d seeds", name, len(all), len(pairs), seeds)
		t.Logf("similarity    pairs   found  formula  99 %% interval of the mean")
		for i, b := range bins {
			if b.pairs < 10 {
				continue
			}
			mean, dev := moments(b.shares)
			wide := max(t995*dev, 2.576*math.Sqrt(b.spread)) / math.Sqrt(float64(seeds))
			wide += 0.5 / float64(b.pairs*seeds)
			t.Logf("%.2f-%.2f  %9d  %.4f   %.4f  ± %.4f", edges[i], edges[i+1], b.pairs, mean, b.expected, wide)
			if math.Abs(mean-b.expected) > wide {
				t.Errorf("%s, similarity %.2f-%.2f: found %.4f, the formula says %.4f ± %.4f", name, edges[i], edges[i+1], mean, b.expected, wide)
			}
		}
	}
}

var edges = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0001}

// binOf returns the bin of a similarity: the last one whose lower edge is not above it.
func binOf(s float64) int {
	i, at := slices.BinarySearch(edges, s)
	if !at {
		i--
	}
	return i
}

// expect makes the bins, with the values of the formula for their pairs.
func expect(c config.Config, pairs []similar) []bin {
	bins, known := make([]bin, len(edges)-1), map[float64]float64{}
	for _, p := range pairs {
		q, ok := known[p.similarity]
		if !ok {
			q = lsh.Found(c.Signatures, c.KeySize, c.Keys, c.Floor, p.similarity)
			known[p.similarity] = q
		}
		b := &bins[binOf(p.similarity)]
		b.pairs, b.expected, b.spread = b.pairs+1, b.expected+q, b.spread+q*(1-q)
	}
	for i := range bins {
		n := float64(bins[i].pairs)
		bins[i].expected, bins[i].spread = bins[i].expected/n, bins[i].spread/(n*n)
	}
	return bins
}

func moments(x []float64) (mean, dev float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		dev += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(dev)
}
