package resemble

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Pairs finds documents at resemblance 0.6 at least as often as Chance predicts, with few and with many samples.
func TestChance(t *testing.T) {
	for _, n := range []int{4, 40, 90, 200, 450, 2000} {
		m := newMaker()
		m.r = rand.New(rand.NewPCG(uint64(n), 1))
		const families = 400
		said := 0.0
		for range families {
			text := m.values(n)
			m.add(0, text)
			own := m.docs[len(m.docs)-1].Values
			p, err := Config{}.Chance(own, 0.6, func(uint64) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			said += p
			shared := (3*n + 3) / 4 // of n and n: a resemblance of 0.6 or more
			m.add(0, text[:shared], m.values(n-shared))
		}
		found, _ := prepare(t, m.docs, false).pairs(t, Config{})
		if got := float64(len(found)) / families; got < said/families-0.01 || said/families < 0.95 {
			t.Errorf("%d shingles: %.4f found, %.4f said", n, got, said/families)
		}
	}
}

// A document whose samples are all too common, or that is too short, is not found; a document of many samples is.
func TestChanceNone(t *testing.T) {
	own := newMaker().values(100)
	slices.Sort(own)
	for _, c := range []struct {
		own         []uint64
		paired      bool
		least, most float64
	}{{own, true, 0.99, 1}, {own, false, 0, 0}, {own[:3], true, 0, 0}, {nil, true, 0, 0}} {
		p, err := Config{}.Chance(c.own, 0.5, func(uint64) bool { return c.paired })
		if err != nil || p < c.least || p > c.most {
			t.Errorf("%d shingles, %v: %g %v", len(c.own), c.paired, p, err)
		}
	}
}

// The probability is that of the hypergeometric distribution.
func TestAtLeastOne(t *testing.T) {
	for _, c := range []struct {
		n, shared, lookedUp int
		want                float64
	}{{10, 5, 0, 0}, {10, 0, 3, 0}, {10, 5, 1, 0.5}, {10, 5, 2, 1 - 5.0*4/(10*9)}, {10, 8, 3, 1}, {1000000, 500000, 4, 1 - 1.0/16}} {
		if got := AtLeastOne(c.n, c.shared, c.lookedUp); math.Abs(got-c.want) > 1e-5 {
			t.Errorf("%+v: %g", c, got)
		}
	}
}

// Up to PairedUpTo documents of a shingle are paired all with all, however few pairs may be formed; one more is not.
func TestPairedUpTo(t *testing.T) {
	for _, c := range []struct {
		common int
		inPart bool
		want   int
	}{{0, false, 1000}, {0, true, 32}, {5, false, 5}, {5, true, 5}} {
		if got := (Config{MaxCommon: c.common}).PairedUpTo(c.inPart); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	for _, more := range []int{0, 1} {
		m, n := newMaker(), Config{}.PairedUpTo(true)+more
		text := m.values(100)
		for range n {
			m.add(0, text, m.values(10))
		}
		_, stats := prepare(t, m.docs, false).pairs(t, Config{MaxPairs: 1})
		if (stats.SelfJoin.PartlyPaired == 0) != (more == 0) {
			t.Errorf("%d documents: %d shingles paired in part", n, stats.SelfJoin.PartlyPaired)
		}
	}
}
