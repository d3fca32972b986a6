package lsh

import (
	"context"
	"math"
	"math/rand/v2"
	"sync"
)

// rows makes signature rows without documents: random ones, and groups of rows that copy each signature of a common one
// with probability √similarity, so that any two of a group agree with probability similarity in each signature.
type rows struct {
	m     int
	r     *rand.Rand
	bytes []byte
}

func newRows(m int, seed uint64) *rows { return &rows{m: m, r: rand.New(rand.NewPCG(seed, 7))} }

func (g *rows) signatures() Signatures { return Signatures{M: g.m, Rows: g.bytes} }

func (g *rows) put(signatures []uint32) {
	row := make([]byte, 3*g.m)
	for i, v := range signatures {
		row[i], row[g.m+i], row[2*g.m+i] = byte(v), byte(v>>8), byte(v>>16)
	}
	g.bytes = append(g.bytes, row...)
}

func (g *rows) fresh() []uint32 {
	s := make([]uint32, g.m)
	for i := range s {
		s[i] = g.r.Uint32() >> 8
	}
	return s
}

func (g *rows) group(size int, similarity float64) *rows {
	common := g.fresh()
	for range size {
		s := g.fresh()
		for i := range s {
			if g.r.Float64() < math.Sqrt(similarity) {
				s[i] = common[i]
			}
		}
		g.put(s)
	}
	return g
}

// shuffle puts the rows in random order, as ids that are hashes do.
func (g *rows) shuffle() *rows {
	size := 3 * g.m
	tmp := make([]byte, size)
	g.r.Shuffle(len(g.bytes)/size, func(i, j int) {
		a, b := g.bytes[i*size:][:size], g.bytes[j*size:][:size]
		copy(tmp, a)
		copy(a, b)
		copy(b, tmp)
	})
	return g
}

// crawl is n rows shaped like those of targets of anchor text: half alone, half in small groups of similarity .1 to .9,
// and groups of 3,000 that are nearly the same, one for every 100,000 rows.
func crawl(n int, seed uint64) Signatures {
	g := newRows(80, seed)
	for range n / 100_000 {
		g.group(3000, 0.97)
	}
	for len(g.bytes)/240 < n/2 {
		g.group(2+g.r.IntN(9), 0.1+0.8*g.r.Float64())
	}
	for len(g.bytes)/240 < n {
		g.put(g.fresh())
	}
	return g.shuffle().signatures()
}

func mustIndex(t fataler, m, k, l int, seed uint64) *Index {
	x, err := NewIndex(m, k, l, seed)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// fataler is what testing.TB and rapid.T have in common.
type fataler interface{ Fatal(args ...any) }

// pairsOf collects what Pairs emits.
func pairsOf(t fataler, x *Index, sigs Signatures, c Config) ([]Pair, Stats) {
	var mu sync.Mutex
	var all []Pair
	stats, err := x.Pairs(context.Background(), sigs, c, func(_ int, p []Pair) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, p...)
		return nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return all, stats
}
