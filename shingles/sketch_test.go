package shingles

import (
	"encoding"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// valued is what all sketches but GroupedMinima have in common.
type valued interface {
	Sink
	Add(uint64)
	Values() []uint64
	Len() int
	Reset()
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
}

// kinds of sketch, each with the sample of a set by its definition.
var kinds = []struct {
	name  string
	empty func() valued
	zero  func() valued
	of    func(sorted []uint64) []uint64
	merge func(a, b valued) error
}{
	{"mod", func() valued { return NewModSketch(6) }, func() valued { return new(ModSketch) },
		func(v []uint64) []uint64 { return multiples(v, 6) },
		func(a, b valued) error { return a.(*ModSketch).Merge(b.(*ModSketch)) }},
	{"min", func() valued { return NewMinSketch(7) }, func() valued { return new(MinSketch) },
		func(v []uint64) []uint64 { return smallest(v, 7) },
		func(a, b valued) error { return a.(*MinSketch).Merge(b.(*MinSketch)) }},
	{"tree", func() valued { return NewTreeMinSketch(7) }, func() valued { return new(TreeMinSketch) },
		func(v []uint64) []uint64 { return smallest(v, 7) },
		func(a, b valued) error { return a.(*TreeMinSketch).Merge(b.(*TreeMinSketch)) }},
	{"minmod", func() valued { return NewMinModSketch(3, 5) }, func() valued { return new(MinModSketch) },
		func(v []uint64) []uint64 { return smallest(multiples(v, 3), 5) },
		func(a, b valued) error { return a.(*MinModSketch).Merge(b.(*MinModSketch)) }},
	{"var", func() valued { return NewVarSketch(1000) }, func() valued { return new(VarSketch) },
		func(v []uint64) []uint64 { return multiples(v, 16) },
		func(a, b valued) error { a.(*VarSketch).Merge(b.(*VarSketch)); return nil }},
}

func multiples(values []uint64, m uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(values), func(v uint64) bool { return v%m != 0 })
}

func smallest(values []uint64, s int) []uint64 { return values[:min(s, len(values))] }

func sortedSet(values []uint64) []uint64 {
	values = slices.Clone(values)
	slices.Sort(values)
	return slices.Compact(values)
}

// drawValues has many repeats and multiples, and the ends of the range.
func drawValues(t *rapid.T, name string) []uint64 {
	one := rapid.OneOf(rapid.Uint64Range(0, 60), rapid.Uint64Range(0, 5000), rapid.Uint64(),
		rapid.SampledFrom([]uint64{0, 1, 1 << 63, ^uint64(0), ^uint64(0) - 3}))
	return rapid.SliceOfN(one, 0, 300).Draw(t, name)
}

func TestSketchesEqualTheirDefinition(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				x, y := drawValues(t, "x"), drawValues(t, "y")
				a, b := k.empty(), k.empty()
				a.AddAll(x)
				for _, v := range y {
					b.Add(v)
					if rapid.IntRange(0, 50).Draw(t, "read") == 0 {
						b.Values()
					}
				}
				check := func(s valued, all []uint64, what string) {
					want := k.of(sortedSet(all))
					if !slices.Equal(want, s.Values()) || s.Len() != len(want) {
						t.Fatalf("%s: %v, want %v", what, s.Values(), want)
					}
				}
				check(a, x, "x")
				check(b, y, "y")
				if err := k.merge(a, b); err != nil {
					t.Fatal(err)
				}
				check(a, append(slices.Clone(x), y...), "merged")
				check(b, y, "y after merge")
				if k.name != "var" { // Reset of V_i forgets the level that was asked for
					b.Reset()
					check(b, nil, "reset")
					b.AddAll(x)
					check(b, x, "x again")
				}
			})
		})
	}
}

func TestMergeLaws(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				make := func(values []uint64, others ...valued) valued {
					s := k.empty()
					s.AddAll(values)
					for _, o := range others {
						if err := k.merge(s, o); err != nil {
							t.Fatal(err)
						}
					}
					return s
				}
				x, y, z := drawValues(t, "x"), drawValues(t, "y"), drawValues(t, "z")
				same := func(a, b valued, law string) {
					if !slices.Equal(a.Values(), b.Values()) {
						t.Fatalf("not %s", law)
					}
				}
				same(make(x, make(y)), make(y, make(x)), "commutative")
				same(make(x, make(y, make(z))), make(x, make(y), make(z)), "associative")
				same(make(x, make(x)), make(x), "idempotent")
				same(make(x, k.empty()), make(x), "neutral to the empty sketch")
				self := make(x)
				if err := k.merge(self, self); err != nil {
					t.Fatal(err)
				}
				same(self, make(x), "stable when merged with itself")
			})
		})
	}
}

func TestZeroValues(t *testing.T) {
	values := randomValues(3, 0, 20000)
	want := map[string][]uint64{
		"mod": multiples(sortedSet(values), 25), "min": smallest(sortedSet(values), 200),
		"tree": smallest(sortedSet(values), 200), "minmod": smallest(multiples(sortedSet(values), 25), 200),
		"var": multiples(sortedSet(values), 256),
	}
	for _, k := range kinds {
		s := k.zero()
		if s.Len() != 0 || len(s.Values()) != 0 {
			t.Errorf("%s: the zero value is not empty", k.name)
		}
		s.AddAll(values)
		if d := cmp.Diff(want[k.name], s.Values()); d != "" {
			t.Errorf("%s: %s", k.name, d)
		}
	}
}

func TestMismatch(t *testing.T) {
	_, mod := NewModSketch(5).Estimate(NewModSketch(6))
	_, least := NewMinSketch(5).Estimate(NewMinSketch(6))
	_, tree := NewTreeMinSketch(5).Estimate(NewTreeMinSketch(6))
	_, m := NewMinModSketch(5, 5).Estimate(NewMinModSketch(6, 5))
	_, s := NewMinModSketch(5, 5).Estimate(NewMinModSketch(5, 6))
	errs := []error{mod, least, tree, m, s,
		NewModSketch(5).Merge(NewModSketch(6)), NewMinSketch(5).Merge(NewMinSketch(6)),
		NewTreeMinSketch(5).Merge(NewTreeMinSketch(6)), NewMinModSketch(5, 5).Merge(NewMinModSketch(6, 5)),
		NewGroupedMinima(2, 3).Merge(NewGroupedMinima(3, 2))}
	for i, err := range errs {
		if !errors.Is(err, ErrMismatch) {
			t.Errorf("%d: %v", i, err)
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
		d := newDivisor(m)
		if d.divides(v) != (v%m == 0) {
			t.Fatalf("%d divides %d: %t", m, v, d.divides(v))
		}
	})
}

// Dropping values from a sketch gives the sketch of the set without them.
func TestDrop(t *testing.T) {
	values := randomValues(4, 0, 5000)
	common := func(v uint64) bool { return v%7 == 0 }
	rest := slices.DeleteFunc(slices.Clone(values), common)
	var a, b ModSketch
	a.AddAll(values)
	b.AddAll(rest)
	if n := a.Drop(common); n == 0 || !slices.Equal(a.Values(), b.Values()) {
		t.Errorf("MOD_m: %d dropped, %d left, want %d", n, a.Len(), b.Len())
	}
	v, w := NewVarSketch(5000), NewVarSketch(5000)
	v.AddAll(values)
	w.AddAll(rest)
	if n := v.Drop(common); n == 0 || !slices.Equal(v.Values(), w.Values()) {
		t.Errorf("V_i: %d dropped, %d left, want %d", n, v.Len(), w.Len())
	}
}

func TestVarSizes(t *testing.T) {
	for _, c := range []struct {
		size  uint64
		level int
	}{{0, 0}, {99, 0}, {100, 1}, {199, 1}, {200, 2}, {399, 2}, {400, 3}, {100 << 10, 11}, {^uint64(0), 58}} {
		if got := VarLevel(c.size); got != c.level {
			t.Errorf("size %d: level %d, want %d", c.size, got, c.level)
		}
		if c.size >= VarSize {
			if kept := float64(c.size) / float64(uint64(1)<<c.level); kept < 50 || kept > 100 {
				t.Errorf("size %d keeps %.1f", c.size, kept)
			}
		}
	}
	for _, size := range []int{50, 100, 199, 3200, 100000, 204799} { // the mean over permutations
		kept := 0
		for seed := range uint64(20) {
			var s VarSketch
			s.AddAll(randomValues(seed, 0, size))
			kept += s.Len()
		}
		if mean := float64(kept) / 20; mean < 45 || mean > 105 {
			t.Errorf("size %d: %.1f samples, want 50 to 100", size, mean)
		}
	}
}

func TestVarSketchesOfDifferentSizes(t *testing.T) {
	var small, large VarSketch
	small.AddAll(randomValues(1, 0, 2000))
	large.AddAll(randomValues(1, 1000, 33000))
	o := small.Estimate(&large)
	if o.A >= small.Len() || o.B != large.Len() {
		t.Errorf("%+v: the finer one was not coarsened", o)
	}
	coarse := small
	for coarse.Level() < large.Level() {
		coarse.Coarsen()
	}
	if again := coarse.Estimate(&large); again != o {
		t.Errorf("coarsened: %+v, want %+v", again, o)
	}
}
