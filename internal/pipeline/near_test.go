package pipeline_test

import (
	"cmp"
	"context"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// nodeSet holds what a run has about its nodes, by node.
type nodeSet struct {
	bags    []bags.Bag
	sigs    lsh.Signatures
	sources [][]uint64
	place   []int // in the order of the first of the pages that link to them
}

func openNodeSet(t *testing.T, dir string) *nodeSet {
	t.Helper()
	var set tables.Set
	bag := tables.Open(&set, filepath.Join(dir, tables.BagsFile), tables.OpenBags)
	nodes := tables.Open(&set, filepath.Join(dir, tables.NodesFile), tables.OpenNodes)
	sources := tables.Open(&set, filepath.Join(dir, tables.SourcesFile), tables.OpenSources)
	must(t, set.Ready())
	t.Cleanup(func() { set.Close() })
	s := &nodeSet{place: make([]int, nodes.Len())}
	order := make([]int, nodes.Len())
	for n := range order {
		id := nodes.Members(uint32(n))[0]
		s.bags, s.sources, order[n] = append(s.bags, bag.At(id)), append(s.sources, sources.Of(id)), n
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.firstSource(a), s.firstSource(b)) })
	for at, n := range order {
		s.place[n] = at
	}
	return s
}

func (s *nodeSet) firstSource(n int) uint64 {
	if len(s.sources[n]) == 0 {
		return 0
	}
	return s.sources[n][0]
}

func (s *nodeSet) together(a, b uint32) bool {
	return slices.ContainsFunc(s.sources[a], func(page uint64) bool { return slices.Contains(s.sources[b], page) })
}

func (s *nodeSet) similarity(a, b uint32) float32 {
	return float32(bags.Similarity(s.bags[a], s.bags[b]))
}

// list returns what a node keeps of the nodes that it is compared with: the nearest, and the nearest apart. Among
// equally near nodes, it keeps those in lower places.
func (s *nodeSet) list(c config.Config, node uint32, compared []uint32) (kept []uint32) {
	slices.SortFunc(compared, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.similarity(node, b), s.similarity(node, a)), cmp.Compare(s.place[a], s.place[b]))
	})
	all, apart := 0, 0
	for _, n := range compared {
		if x := s.similarity(node, n); x == 0 || x < float32(c.Similarity) {
			break
		}
		is := !s.together(node, n)
		if all < c.Neighbours || is && apart < c.Apart {
			kept = append(kept, n)
		}
		if all++; is {
			apart++
		}
	}
	return kept
}

// best returns the candidates that a node is compared with: twice as many as are kept, those with the best agreement.
// Ties go to the ones that it met first.
func (s *nodeSet) best(c config.Config, node uint32, candidates []uint32) (out []uint32) {
	low := func(n uint32) []byte { return s.sigs.Row(int(n))[:s.sigs.M] }
	slices.SortStableFunc(candidates, func(a, b uint32) int {
		return minhash.LowAgreement(low(node), low(b)) - minhash.LowAgreement(low(node), low(a))
	})
	apart := 0
	for i, n := range candidates {
		is := !s.together(node, n)
		if i < 2*c.Neighbours || is && apart < 2*c.Apart {
			out = append(out, n)
		}
		if is {
			apart++
		}
	}
	return out
}

// lists returns the lists of all nodes: what the index finds, and the rounds of expansion.
func (s *nodeSet) lists(t *testing.T, c config.Config) [][]uint32 {
	t.Helper()
	s.sigs = signed(s.bags, c)
	index, err := c.Index()
	must(t, err)
	candidates := make([][]uint32, len(s.bags))
	how := lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: 1}
	_, err = index.Pairs(t.Context(), s.sigs, how, func(_ int, pairs []lsh.Pair) error {
		for _, p := range pairs {
			candidates[p.A], candidates[p.B] = append(candidates[p.A], p.B), append(candidates[p.B], p.A)
		}
		return nil
	}, nil)
	must(t, err)
	lists := make([][]uint32, len(s.bags))
	for n := range lists {
		slices.SortFunc(candidates[n], func(a, b uint32) int { return cmp.Compare(s.place[a], s.place[b]) })
		lists[n] = s.list(c, uint32(n), s.best(c, uint32(n), candidates[n]))
	}
	for range c.Rounds {
		next := make([][]uint32, len(lists))
		for n, list := range lists {
			met, fresh := map[uint32]bool{uint32(n): true}, []uint32(nil)
			for _, v := range list {
				met[v] = true
			}
			once := map[uint32]bool{}
			for i, v := range list[:min(c.Width, len(list))] {
				for _, w := range lists[v][:min(c.Width, len(lists[v]))] {
					if !met[w] && (i < 16 || once[w]) {
						met[w] = true
						fresh = append(fresh, w)
					}
					once[w] = true
				}
			}
			next[n] = s.list(c, uint32(n), append(s.best(c, uint32(n), fresh), list...))
		}
		lists = next
	}
	return lists
}

// nearestOf returns the nodes nearest to a node, by brute force.
func (s *nodeSet) nearestOf(c config.Config, node uint32, most int) []uint32 {
	var all []similar
	for n := range uint32(len(s.bags)) {
		if x := bags.Similarity(s.bags[node], s.bags[n]); n != node && x >= max(c.Similarity, 1e-9) {
			all = append(all, similar{node, n, x})
		}
	}
	slices.SortFunc(all, func(x, y similar) int { return cmp.Or(cmp.Compare(y.similarity, x.similarity), cmp.Compare(x.b, y.b)) })
	var nearest []uint32
	for _, x := range all[:min(most, len(all))] {
		nearest = append(nearest, x.b)
	}
	return nearest
}

// pairsIn returns the pairs of a run.
func pairsIn(t *testing.T, dir string) map[[2]uint32]center.Edge {
	t.Helper()
	pairs, err := tables.OpenPairs(filepath.Join(dir, tables.PairsFile))
	must(t, err)
	defer pairs.Close()
	out := map[[2]uint32]center.Edge{}
	for a := range uint32(pairs.Len()) {
		for _, e := range pairs.Neighbours(a) {
			out[[2]uint32{a, e.To}] = e
		}
	}
	return out
}

// recall returns the share of the 10 exact nearest neighbours of every step-th node that a run stores.
func (s *nodeSet) recall(c config.Config, stored map[[2]uint32]center.Edge, step int) float64 {
	all, found := 0, 0
	for n := 0; n < len(s.bags); n += step {
		for _, v := range s.nearestOf(c, uint32(n), 10) {
			all++
			if _, ok := stored[[2]uint32{uint32(n), v}]; ok {
				found++
			}
		}
	}
	return float64(found) / float64(max(1, all))
}

// fewPages is the number of pages of the sample that the tests of pairs cluster, and allPages stands for all of them.
const (
	fewPages = 100
	allPages = 0
)

// nearRun clusters pages of the sample and returns the configuration with the index of the run.
func nearRun(t *testing.T, pages int, c config.Config, o pipeline.Options) (string, config.Config, run.StageStats) {
	t.Helper()
	dir, m := cluster(t, c, o, write(t, samplePages(t, pages)...))
	stage, ok := m.Stage("pair")
	if !ok {
		t.Fatal("no stage pair")
	}
	return dir, c.WithIndex(stage.Counts), stage
}

// TestNearestOfRun compares the pairs of runs with a reference: they are exact, the index and expansion find them,
// and they are among the nearest, or the nearest apart, of one of the two nodes.
func TestNearestOfRun(t *testing.T) {
	web := topicalOf(t, "web")
	narrow := web
	narrow.Neighbours, narrow.Apart, narrow.Width, narrow.KeySize = 5, 3, 4, 3
	nearestOfRuns(t, sampledPages, map[string]config.Config{"web": web, "narrow": narrow})
}

// nearestOfRuns compares runs of a number of pages with the reference.
func nearestOfRuns(t *testing.T, pages int, configs map[string]config.Config) {
	for name, c := range configs {
		dir, used, stage := nearRun(t, pages, c, pipeline.Options{Workers: 2})
		if c.KeySize > 0 && used.KeySize != c.KeySize || c.Keys > 0 && used.Keys != c.Keys || c.MaxBucket > 0 && used.MaxBucket != c.MaxBucket || used.ChoosesIndex() {
			t.Errorf("%s: %d keys of %d signatures, buckets up to %d", name, used.Keys, used.KeySize, used.MaxBucket)
		}
		nodes, got := openNodeSet(t, dir), pairsIn(t, dir)
		want := map[[2]uint32]center.Edge{}
		for n, list := range nodes.lists(t, used) {
			for _, v := range list {
				x := nodes.similarity(uint32(n), v)
				want[[2]uint32{uint32(n), v}] = center.Edge{To: v, Similarity: x}
				want[[2]uint32{v, uint32(n)}] = center.Edge{To: uint32(n), Similarity: x}
			}
		}
		if !maps.Equal(got, want) || len(want) < 1000 {
			t.Errorf("%s: %d pairs, want %d", name, len(got), len(want))
		}
		if 2*stage.Out != int64(len(got)) {
			t.Errorf("%s: %d pairs counted of %d", name, stage.Out, len(got))
		}
		checkSample(t, name, c, nodes, got, stage)
		t.Logf("%s: %d nodes, %d pairs, %d keys of %d signatures, buckets up to %d: %v", name, len(nodes.bags), stage.Out, used.Keys, used.KeySize, used.MaxBucket, stage.Counts)
	}
}

// checkSample checks what a run counted for the sample.
func checkSample(t *testing.T, name string, c config.Config, s *nodeSet, stored map[[2]uint32]center.Edge, stage run.StageStats) {
	t.Helper()
	size := min(400, len(s.bags))
	want := map[string]int64{config.CountSample: int64(size), config.CountSampled: 0, config.CountStored: 0}
	for i := range size {
		node := uint32(i * len(s.bags) / size)
		for _, v := range s.nearestOf(c, node, 10) {
			want[config.CountSampled]++
			if _, ok := stored[[2]uint32{node, v}]; ok {
				want[config.CountStored]++
			}
		}
	}
	for count, n := range want {
		if got, ok := stage.Counts[count]; !ok || got != n {
			t.Errorf("%s: %s is %d, want %d", name, count, got, n)
		}
	}
}

// TestAllPairsOfChosenIndex checks that without a limit of neighbours, a run with the preset web stores all pairs
// that the chosen index finds with signatures made here and that are similar enough.
func TestAllPairsOfChosenIndex(t *testing.T) { allPairsOfChosenIndex(t, fewPages) }

func allPairsOfChosenIndex(t *testing.T, pages int) {
	c := topicalOf(t, "web")
	c.Neighbours, c.Recall = 0, 0.85 // the largest index finds .9 of neighbours as distant as those of a few pages
	dir, used, stage := nearRun(t, pages, c, pipeline.Options{Workers: 2})
	nodes, got := openNodeSet(t, dir), pairsIn(t, dir)
	want := map[[2]uint32]center.Edge{}
	for pair := range found(t, nodes.bags, used) {
		a, b := pair[0], pair[1]
		if bags.Similarity(nodes.bags[a], nodes.bags[b]) >= c.Similarity {
			x := nodes.similarity(a, b)
			want[pair], want[[2]uint32{b, a}] = center.Edge{To: b, Similarity: x}, center.Edge{To: a, Similarity: x}
		}
	}
	if !maps.Equal(got, want) || len(want) < 1000 {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
	checkSample(t, "all pairs", c, nodes, got, stage)
	if r := nodes.recall(c, got, 3); r < c.Recall-0.03 {
		t.Errorf("stores %.3f, the goal is %v", r, c.Recall)
	}
}

// TestSamePairs checks that the number of workers and the memory change nothing in the pairs of the sample if the
// nodes are chained; TestSameBytes checks this for nodes that are not. Chaining changes few pairs: of those with
// equal agreement, others may be compared, and rounds follow fewer neighbours.
func TestSamePairs(t *testing.T) {
	samePairs(t, sampleRun(t).dir, samplePages(t, sampledPages), pipeline.Options{Workers: 5, Memory: 1 << 18})
}

// samePairs compares runs with chains with one of one worker, and their recall with that of a run without chains.
func samePairs(t *testing.T, without string, lines []string, options ...pipeline.Options) {
	c, in := topicalOf(t, "web"), write(t, lines...)
	first, _ := cluster(t, c, pipeline.Options{Workers: 1, Memory: 64 << 20}.ChainedFrom(0), in)
	want := sums(t, first)[tables.PairsFile]
	for _, o := range options {
		dir, _ := cluster(t, c, o.ChainedFrom(0), in)
		if got := sums(t, dir)[tables.PairsFile]; got != want {
			t.Errorf("%+v: other pairs", o)
		}
	}
	nodes := openNodeSet(t, first)
	if a, b := nodes.recall(c, pairsIn(t, without), 3), nodes.recall(c, pairsIn(t, first), 3); math.Abs(a-b) > 0.01 {
		t.Errorf("recall %v without chains and %v with them", a, b)
	}
}

// similar is a pair of nodes with its exact similarity.
type similar struct {
	a, b       uint32
	similarity float64
}

// signed returns the signatures of bags.
func signed(all []bags.Bag, c config.Config) lsh.Signatures {
	family := minhash.NewFamily(c.Signatures, c.Seed)
	sigs := lsh.Signatures{M: c.Signatures}
	for _, b := range all {
		sigs.Rows = append(sigs.Rows, family.Signature(b)...)
	}
	return sigs
}

// found returns the pairs of nodes that signatures and an index of one seed find and whose agreement reaches the
// floor.
func found(t *testing.T, all []bags.Bag, c config.Config) map[[2]uint32]bool {
	t.Helper()
	index, err := c.Index()
	must(t, err)
	out := map[[2]uint32]bool{}
	var mu sync.Mutex
	_, err = index.Pairs(context.Background(), signed(all, c), lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach, Workers: 2}, func(_ int, pairs []lsh.Pair) error {
		mu.Lock()
		defer mu.Unlock()
		for _, p := range pairs {
			out[[2]uint32{p.A, p.B}] = true
		}
		return nil
	}, nil)
	must(t, err)
	return out
}
