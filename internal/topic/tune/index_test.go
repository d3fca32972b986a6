package tune

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lshclust/lshclust/lsh"
)

// groups returns signatures of rows in groups: any two rows of a group agree in each signature with probability
// similarity. Each signature has one of a number of values; if there are few, rows of different groups also agree.
func groups(n, size int, similarity float64, values int, seed uint64) lsh.Signatures {
	const m = 80
	r := rand.New(rand.NewPCG(seed, 1))
	sigs := lsh.Signatures{M: m, Rows: make([]byte, 3*m*n)}
	common := make([]uint32, m)
	for i := range n {
		row := sigs.Row(i)
		for j := range m {
			if i%size == 0 {
				common[j] = uint32(r.IntN(values))
			}
			v := uint32(r.IntN(values))
			if r.Float64() < math.Sqrt(similarity) {
				v = common[j]
			}
			row[j], row[m+j], row[2*m+j] = byte(v), byte(v>>8), byte(v>>16)
		}
	}
	return sigs
}

// sampled returns every step-th row with the other rows of its group.
func sampled(n, size, step int) (out []Sampled) {
	for row := 0; row < n; row += step {
		s := Sampled{Row: uint32(row)}
		for other := row / size * size; other < min(n, row/size*size+size); other++ {
			if other != row {
				s.Near = append(s.Near, uint32(other))
			}
		}
		out = append(out, s)
	}
	return out
}

// recallOf counts the pairs of a sample that an index finds, as Pairs emits them.
func recallOf(t *testing.T, sigs lsh.Signatures, c IndexChoice, seed uint64, sample []Sampled) float64 {
	t.Helper()
	found := map[[2]uint32]bool{}
	x, how := mustIndex(t, sigs.M, c.K, c.L, seed), lsh.Config{MaxBucket: c.MaxBucket, Workers: 1}
	_, err := x.Pairs(t.Context(), sigs, how, func(_ int, pairs []lsh.Pair) error {
		for _, p := range pairs {
			found[[2]uint32{p.A, p.B}] = true
		}
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	hits, all := 0, 0
	for _, s := range sample {
		for _, n := range s.Near {
			all++
			if found[[2]uint32{min(s.Row, n), max(s.Row, n)}] {
				hits++
			}
		}
	}
	return float64(hits) / float64(all)
}

// formedOf counts the pairs that the keys form for each row of a sample, half of each.
func formedOf(t *testing.T, sigs lsh.Signatures, c IndexChoice, seed uint64, sample []Sampled) float64 {
	t.Helper()
	formed := 0
	for _, subset := range mustIndex(t, sigs.M, c.K, c.L, seed).Subsets {
		keyOf := func(row int) string {
			var key []byte
			for _, i := range subset {
				r := sigs.Row(row)
				key = append(key, r[i], r[int(i)+sigs.M], r[int(i)+2*sigs.M])
			}
			return string(key)
		}
		size := map[string]int{}
		for row := range sigs.Len() {
			size[keyOf(row)]++
		}
		for _, s := range sample {
			if n := size[keyOf(int(s.Row))]; n <= c.MaxBucket {
				formed += n - 1
			}
		}
	}
	return float64(formed) / 2 / float64(len(sample))
}

func choose(t *testing.T, sigs lsh.Signatures, sample []Sampled, g IndexGoal) IndexChoice {
	t.Helper()
	c, err := ChooseIndex(t.Context(), sigs, sample, g)
	if err != nil {
		t.Fatal(err)
	}
	if c.K < 1 || g.K == 0 && c.K > mostSize || c.L < 1 || c.L > min(mostKeys, lsh.MostKeys(sigs.M, c.K)) || c.MaxBucket < 2 {
		t.Fatalf("%+v", c)
	}
	return c
}

// TestChooseIndex: the choice finds what it says, as the index emits it, and reaches the goal; with one key less it
// would not. It is the same for any number of workers.
func TestChooseIndex(t *testing.T) {
	const n = 2000
	for _, similarity := range []float64{0.2, 0.4, 0.8} {
		sigs, sample := groups(n, 8, similarity, 1<<24, 3), sampled(n, 8, 11)
		for _, recall := range []float64{0.5, 0.95} {
			g := IndexGoal{Recall: recall, Seed: 5, Workers: 1}
			c := choose(t, sigs, sample, g)
			if got := recallOf(t, sigs, c, 5, sample); math.Abs(got-c.Recall) > 1e-9 || got < recall {
				t.Errorf("similarity %v: %+v finds %v, wanted %v", similarity, c, got, recall)
			}
			fewer := c
			if fewer.L--; c.L > 1 && recallOf(t, sigs, fewer, 5, sample) >= recall {
				t.Errorf("similarity %v: %+v has a key too many", similarity, c)
			}
			for _, g.Workers = range []int{2, 5} {
				if other := choose(t, sigs, sample, g); other != c {
					t.Errorf("%d workers: %+v, want %+v", g.Workers, other, c)
				}
			}
		}
	}
}

// TestChooseIndexWithin: the choice keeps a given key size and largest bucket.
func TestChooseIndexWithin(t *testing.T) {
	const n = 1000
	sigs, sample := groups(n, 8, 0.4, 1<<24, 3), sampled(n, 8, 7)
	for k := range 5 {
		for _, most := range []int{0, 2, 7, 8, 10, 500} {
			g := IndexGoal{Recall: 0.8, K: k, MaxBucket: most, Seed: 5}
			c := choose(t, sigs, sample, g)
			if k > 0 && c.K != k || most > 0 && c.MaxBucket != most {
				t.Errorf("%+v: %+v", g, c)
			}
			// The choice does not count on large buckets, but the first row of each is paired with the others.
			if got := recallOf(t, sigs, c, 5, sample); got < c.Recall-1e-9 || c.MaxBucket >= 8 && got > c.Recall+1e-9 {
				t.Errorf("%+v: %+v finds %v", g, c, got)
			}
			if got := formedOf(t, sigs, c, 5, sample); math.Abs(got-c.Formed) > 1e-9 {
				t.Errorf("%+v: %+v forms %v pairs for each row", g, c, got)
			}
		}
	}
	// A key size outside of those that are tried by default.
	for _, k := range []int{1, mostSize + 1, 80} {
		if c := choose(t, sigs, sample, IndexGoal{Recall: 0.8, K: k, Seed: 5}); c.K != k {
			t.Errorf("key size %d: %+v", k, c)
		}
	}
}

// TestChooseIndexGrows: if signatures have few values, the buckets of short keys grow with the crawl until they are too
// large to be paired. Then longer keys are chosen.
func TestChooseIndexGrows(t *testing.T) {
	last := 0
	for _, n := range []int{400, 40_000} {
		c := choose(t, groups(n, 8, 0.6, 20, 3), sampled(n, 8, n/200), IndexGoal{Recall: 0.8, Seed: 5, Workers: 2})
		t.Logf("%d rows: %+v", n, c)
		if c.Recall < 0.8 || c.K <= last {
			t.Errorf("%d rows: %+v, %d signatures for fewer rows", n, c, last)
		}
		last = c.K
	}
}

// TestChooseIndexOfLittle has no rows, no sample, and a sample without neighbours, and goals that nothing reaches.
func TestChooseIndexOfLittle(t *testing.T) {
	sigs := groups(500, 8, 0.05, 1<<24, 3)
	c := choose(t, sigs, sampled(500, 8, 3), IndexGoal{Recall: 0.999, Seed: 5})
	if got := recallOf(t, sigs, c, 5, sampled(500, 8, 3)); c.Recall >= 0.999 || c.Recall < 0.1 || math.Abs(got-c.Recall) > 1e-9 {
		t.Errorf("what cannot be reached: %+v finds %v", c, got)
	}
	alone := []Sampled{{Row: 3}, {Row: 400}}
	for name, of := range map[string]struct {
		sigs   lsh.Signatures
		sample []Sampled
	}{"no rows": {lsh.Signatures{M: 80}, nil}, "no sample": {sigs, nil}, "no neighbours": {sigs, alone}} {
		for _, g := range []IndexGoal{{Recall: 0.9}, {Recall: 0}, {Recall: 0.9, K: 4, MaxBucket: 7}} {
			c := choose(t, of.sigs, of.sample, g)
			if math.IsNaN(c.Recall) || g.K > 0 && c.K != g.K || g.MaxBucket > 0 && c.MaxBucket != g.MaxBucket {
				t.Errorf("%s, %+v: %+v", name, g, c)
			}
		}
	}
	for m := 1; m < 4; m++ {
		few := lsh.Signatures{M: m, Rows: make([]byte, 3*m*10)}
		c := choose(t, few, []Sampled{{Row: 1, Near: []uint32{2}}}, IndexGoal{Recall: 0.9})
		if c.K > m || c.Recall != 1 {
			t.Errorf("%d signatures, all equal: %+v", m, c)
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
