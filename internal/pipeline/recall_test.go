package pipeline_test

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// similar is a pair of nodes with its exact similarity.
type similar struct {
	a, b       uint32
	similarity float64
}

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

// realBags are the distinct bags of a run over pages of the embedded sample.
func realBags(t *testing.T, pages int, c config.Config) (dir string, distinct []bags.Bag) {
	t.Helper()
	c.Views = []string{config.Topical}
	dir, _ = cluster(t, c, pipeline.Options{}, write(t, samplePages(t, pages)...))
	all, err := tables.OpenBags(filepath.Join(dir, tables.BagsFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { all.Close() })
	nodes, err := tables.OpenNodes(filepath.Join(dir, tables.NodesFile))
	if err != nil {
		t.Fatal(err)
	}
	defer nodes.Close()
	for n := range uint32(nodes.Len()) {
		distinct = append(distinct, all.At(nodes.Members(n)[0]))
	}
	return dir, distinct
}

// found are the pairs of nodes that signatures and an index of one seed find and that agree at the floor, no run
// capped.
func found(t *testing.T, all []bags.Bag, c config.Config) map[[2]uint32]uint8 {
	t.Helper()
	family := minhash.NewFamily(c.Signatures, c.Seed)
	sigs := lsh.Signatures{M: c.Signatures, Rows: make([]byte, len(all)*family.RowSize())}
	var elements []uint32
	for i, b := range all {
		elements = b.Elements(elements[:0], minhash.Element)
		family.Sign(sigs.Row(i), elements)
	}
	index, err := c.Index()
	if err != nil {
		t.Fatal(err)
	}
	out := map[[2]uint32]uint8{}
	var mu sync.Mutex
	_, err = index.Pairs(context.Background(), sigs, lsh.Config{Floor: c.Floor, MaxBucket: len(all) + 2, Workers: 2}, func(_ int, pairs []lsh.Pair) error {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range pairs {
			out[[2]uint32{p.A, p.B}] = p.Agreement
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// bin is a range of similarities of real pairs, with what was found of them.
type bin struct {
	pairs    int
	expected float64   // share that the formula says, mean over the pairs
	spread   float64   // variance of the share of one seed if pairs were independent
	shares   []float64 // found, a seed each
}

// TestRecall holds the share of real pairs that are found to the formula, in bins of their exact similarity.
//
// Pairs of one seed are not independent: they share documents, hence rows, and all share one family and one index.
// Seeds are. So the mean over the seeds lies within Student's interval of what is expected, with the standard deviation
// between the seeds in place of one between pairs; where all seeds find all pairs that is zero, and the interval is the
// one for independent pairs, which is never too wide.
func TestRecall(t *testing.T) { holdRecall(t, fewPages, 6, 4.032, "paper2000") }

// holdRecall holds the share of the pairs of a number of pages to the formula, by so many seeds. The quantile .995 of
// Student's distribution belongs to their number.
func holdRecall(t *testing.T, pages, seeds int, t995 float64, presets ...string) {
	for _, name := range presets {
		c := preset(t, name)
		if c.ChoosesIndex() {
			c.KeySize, c.Keys, c.MaxBucket = 2, 160, 1000
		}
		_, all := realBags(t, pages, c)
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

// binOf is the bin of a similarity: the last whose lower edge is not above it.
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

// The pairs of a run are those that its signatures find, no more and no less, and they have the exact similarity.
func TestPairsOfRun(t *testing.T) {
	c := preset(t, "paper2000")
	dir, all := realBags(t, fewPages, c)
	want := found(t, all, c)
	pairs, err := tables.OpenPairs(filepath.Join(dir, tables.PairsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer pairs.Close()
	n := 0
	for a := range uint32(pairs.Len()) {
		agreements := pairs.Agreements(a)
		for i, e := range pairs.Neighbours(a) {
			if e.To < a {
				continue
			}
			n++
			agreement, ok := want[[2]uint32{a, e.To}]
			if s := bags.Similarity(all[a], all[e.To]); !ok || agreement != agreements[i] || float32(s) != e.Similarity {
				t.Fatalf("nodes %d and %d: similarity %v, agreement %d; brute force %v, %d, %v", a, e.To, e.Similarity, agreements[i], s, agreement, ok)
			}
		}
	}
	if n != len(want) || n < 1000 {
		t.Errorf("%d pairs in the run, brute force has %d", n, len(want))
	}
}
