package shingles

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/sets"
	"pgregory.net/rapid"
)

// stored returns the stored form of the sketch of a set.
func stored(s Sketcher, set []uint64) Stored {
	sketch := s.New()
	sketch.AddAll(set)
	return Stored{Values: slices.Clone(sketch.Values()), Size: len(set)}
}

// distinct returns n values of 40 bits in ascending order.
func distinct(seed uint64, n int) []uint64 {
	return slices.Sorted(slices.Values(randomValues(seed, 0, n)))
}

func sketchers() []Sketcher {
	return []Sketcher{{}, {Kind: Mod, M: 5}, {Kind: Min}, {Kind: Min, S: 50}, {Kind: MinMod, M: 3, S: 40}, {Kind: Var}}
}

// defined returns the sketch of an ascending set by its definition.
func defined(s Sketcher, set []uint64, size int) []uint64 {
	s = s.withDefaults()
	divisor := map[Kind]uint64{Mod: s.M, Min: 1, MinMod: s.M, Var: 1 << varLevel(uint64(size))}[s.Kind]
	out := slices.DeleteFunc(slices.Clone(set), func(v uint64) bool { return v%divisor != 0 })
	if s.Kind == Min || s.Kind == MinMod {
		out = out[:min(s.S, len(out))]
	}
	return out
}

// drawValues has many repeats and multiples, and the ends of the range.
func drawValues(t *rapid.T, name string) []uint64 {
	one := rapid.OneOf(rapid.Uint64Range(0, 60), rapid.Uint64Range(0, 5000), rapid.Uint64(),
		rapid.SampledFrom([]uint64{0, 1, 1 << 63, ^uint64(0), ^uint64(0) - 3}))
	return rapid.SliceOfN(one, 0, 300).Draw(t, name)
}

// TestSketchesEqualTheirDefinition: even after Reset, and if the sketch is read before it is complete.
func TestSketchesEqualTheirDefinition(t *testing.T) {
	for _, s := range sketchers() {
		rapid.Check(t, func(t *rapid.T) {
			sketch := s.New()
			for range 2 {
				sketch.Reset()
				values := drawValues(t, "values")
				for piece := range slices.Chunk(values, rapid.IntRange(1, 300).Draw(t, "piece")) {
					sketch.AddAll(piece)
					if rapid.Bool().Draw(t, "read") {
						sketch.Values()
					}
				}
				want := defined(s, NewSet(values...).Values(), len(values))
				if !slices.Equal(want, sketch.Values()) || len(sketch.Values()) != len(want) {
					t.Fatalf("%v: %v, want %v", s, sketch.Values(), want)
				}
			}
		})
	}
}

// TestSketcherOverlap: stored sketches are compared by their first s samples, or at the coarser modulus, in either order.
func TestSketcherOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][2]int{{3, 5}, {90, 120}, {400, 5000}, {3000, 3000}, {10, 20_000}} {
		all := distinct(1, sizes[0]+sizes[1])
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		from := sizes[0] - sizes[0]/2
		a, b := NewSet(all[:sizes[0]]...), NewSet(all[from:from+sizes[1]]...)
		union := NewSet(slices.Concat(a.Values(), b.Values())...)
		for _, s := range sketchers() {
			seen := defined(s, union.Values(), max(len(a.Values()), len(b.Values()))) // samples of the union that are compared
			var want Overlap
			for _, v := range seen {
				_, inA := slices.BinarySearch(a.Values(), v)
				_, inB := slices.BinarySearch(b.Values(), v)
				want.A, want.B, want.Both = want.A+sets.One(inA), want.B+sets.One(inB), want.Both+sets.One(inA && inB)
			}
			x, y := stored(s, a.Values()), stored(s, b.Values())
			if d := cmp.Diff(want, s.Overlap(x, y)); d != "" {
				t.Errorf("%v of %v: %s", s, sizes, d)
			}
			if d := cmp.Diff(want.Swap(), s.Overlap(y, x)); d != "" {
				t.Errorf("%v of %v, the other way: %s", s, sizes, d)
			}
		}
	}
}

func TestDivisor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.OneOf(rapid.Uint64Range(1, 100), rapid.Uint64Range(1, ^uint64(0)), rapid.SampledFrom([]uint64{1, 1 << 63, ^uint64(0)})).Draw(t, "m")
		v := rapid.Uint64().Draw(t, "v")
		if rapid.Bool().Draw(t, "multiple") {
			v -= v % m
		}
		if got := NewDivisor(m).Divides(v); got != (v%m == 0) {
			t.Fatalf("%d divides %d: %t", m, v, got)
		}
	})
}

// TestVarSizes: V_i holds 50 to 100 samples on average over permutations.
func TestVarSizes(t *testing.T) {
	for _, c := range []struct {
		size  uint64
		level int
	}{{0, 0}, {99, 0}, {100, 1}, {199, 1}, {200, 2}, {399, 2}, {400, 3}, {100 << 10, 11}, {^uint64(0), 58}} {
		if got := varLevel(c.size); got != c.level {
			t.Errorf("size %d: level %d, want %d", c.size, got, c.level)
		}
	}
	for _, size := range []int{50, 100, 199, 3200, 100000, 204799} {
		kept := 0
		for seed := range uint64(20) {
			kept += len(stored(Sketcher{Kind: Var}, randomValues(seed, 0, size)).Values)
		}
		if mean := float64(kept) / 20; mean < 45 || mean > 105 {
			t.Errorf("size %d: %.1f samples, want 50 to 100", size, mean)
		}
	}
}

// TestSketcherValid: the samples that a Sketcher makes are valid, and those that it cannot make are not.
func TestSketcherValid(t *testing.T) {
	set := distinct(2, 5000)
	for _, s := range sketchers() {
		x := stored(s, set)
		if !s.Valid(x) || len(x.Values) == 0 || x.Whole() {
			t.Errorf("%v: %d samples: valid %v, whole %v", s, len(x.Values), s.Valid(x), x.Whole())
		}
		x.Size = len(x.Values) - 1
		if s.Valid(x) {
			t.Errorf("%v: more samples than shingles", s)
		}
		few := stored(s, set[:2])
		if !s.Valid(few) {
			t.Errorf("%v: two shingles", s)
		}
		if s.Kind == Min {
			continue
		}
		x = stored(s, set)
		x.Values[0]++
		if s.Valid(x) {
			t.Errorf("%v: a value that it does not keep", s)
		}
	}
}

// TestKinds: kinds are parsed by the names that String returns, and only sketches by modulus estimate containment.
func TestKinds(t *testing.T) {
	var names []string
	for _, k := range Kinds() {
		names = append(names, k.String())
		if want := k == Mod || k == Var; k.Containment() != want || k.Drops() != want {
			t.Errorf("%v: containment %v, drops %v", k, k.Containment(), k.Drops())
		}
	}
	if d := cmp.Diff([]string{"mod", "min", "minmod", "var"}, names); d != "" || Kind(9).String() != "kind 9" {
		t.Error(d, Kind(9))
	}
	if d := cmp.Diff([]string{"MOD_25", "MOD_5", "MIN_200", "MIN_50", "MIN_40 of MOD_3", "V_i"}, describe(sketchers())); d != "" {
		t.Error(d)
	}
}

func describe(list []Sketcher) (out []string) {
	for _, s := range list {
		out = append(out, s.String())
	}
	return out
}

// TestStdErr: the standard deviation of many estimates on n samples is about the standard error of each.
func TestStdErr(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, trials, p = 100, 4000, 0.7
	sum, squares, said := 0.0, 0.0, 0.0
	for range trials {
		both := 0
		for range n {
			both += sets.One(r.Float64() < p)
		}
		o := Overlap{A: n, B: both, Both: both}
		e, _ := o.Resemblance()
		sum, squares, said = sum+e, squares+e*e, said+o.StdErr()
	}
	mean := sum / trials
	if dev := math.Sqrt(squares/trials - mean*mean); math.Abs(said/trials/dev-1) > 0.05 {
		t.Errorf("standard deviation %.4f, standard error %.4f", dev, said/trials)
	}
	if e := (Overlap{A: 4, B: 4, Both: 4}).StdErr(); e < 0.1 || (Overlap{}).StdErr() != 0 {
		t.Errorf("four samples that agree: %v", e)
	}
}
