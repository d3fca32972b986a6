package resemble

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
	"pgregory.net/rapid"
)

// A table counts the same as merging both sets, with 0 in them, and with values for which a place is too small.
func TestProbe(t *testing.T) {
	var p probe
	full := 0
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]uint64{10, 1000, 1 << 40, 1<<64 - 1}).Draw(t, "most")
		draw := func(name string) []uint64 {
			values := rapid.SliceOfN(rapid.Uint64Range(0, most), 0, 300).Draw(t, name)
			slices.Sort(values)
			return slices.Compact(values)
		}
		a, b := draw("a"), draw("b")
		p.set(a)
		least, want := rapid.IntRange(-1, 300).Draw(t, "least"), sets.Common(a, b)
		if got := p.common(b, least); got != want && (got > want || want >= least) {
			t.Fatalf("%d in common, want %d, if that is at least %d", got, want, least)
		}
		if got := p.common(b, 0); got != want {
			t.Fatalf("%d in common, want %d", got, want)
		}
	})
	for n := range 64 { // more and more values of one place
		var a []uint64
		for v := uint64(1); len(a) < n; v++ {
			if v*0x9e3779b97f4a7c15>>50 == 0 {
				a = append(a, v)
			}
		}
		p.set(a)
		full += len(p.rest)
		if got := p.common(a, n); got != n {
			t.Fatalf("%d of %d values", got, n)
		}
	}
	if full == 0 {
		t.Error("no place was full")
	}
}

// No emitted pair has fewer values in common than least.
func TestLeast(t *testing.T) {
	for _, c := range []Config{{Floor: 0.5, Containment: 0.8}, {Floor: 0.7, Containment: 2}, {Floor: 1, Containment: 1}, {Floor: 0.001, Containment: 0.9}} {
		for a := range 60 {
			for b := range 60 {
				for both := range min(a, b) + 1 {
					p := Pair{Exact: shingles.Overlap{A: a, B: b, Both: both}}
					if (p.Resemblance() >= c.Floor || p.Containment() >= c.Containment) && both < c.least(a, b) {
						t.Fatalf("%+v: %d of %d and %d", c, both, a, b)
					}
				}
			}
		}
	}
}

// The counts of a table are those of a map, however the table has grown.
func TestTally(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var table tally
	for _, n := range []int{0, 1, 100, 5000, 300, 200_000} {
		want := map[uint32]uint32{}
		table.begin(n / 4)
		for range n {
			id := uint32(random.IntN(n+1)) * 0x10001
			want[id]++
			table.add([]uint32{id})
		}
		got := table.take()
		if len(got) != len(want) {
			t.Errorf("%d of %d ids", len(got), len(want))
		}
		for _, p := range got {
			if want[p.id] != p.n {
				t.Fatalf("%d: %d, want %d", p.id, p.n, want[p.id])
			}
		}
	}
}
