package shingles

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// stored returns the stored form of the sketch of a set.
func stored(s Sketcher, set []uint64) Stored {
	sketch := s.New()
	sketch.AddAll(set)
	return Stored{Values: slices.Clone(sketch.Values()), Size: len(set)}
}

// distinct returns n values of 40 bits in ascending order.
func distinct(r *rand.Rand, n int) []uint64 {
	set := NewSet()
	for set.Len() < n {
		set.Add(r.Uint64() >> 24)
	}
	return slices.Clone(set.Values())
}

func sketchers() []Sketcher {
	return []Sketcher{{}, {Kind: Mod, M: 5}, {Kind: Min}, {Kind: Min, S: 50}, {Kind: MinMod, M: 3, S: 40}, {Kind: Var}}
}

// TestSketcherOverlap: comparing stored sketches gives the same as comparing the sketches, in either order.
func TestSketcherOverlap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][2]int{{3, 5}, {90, 120}, {400, 5000}, {3000, 3000}, {10, 20_000}} {
		all := distinct(r, sizes[0]+sizes[1])
		r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		from := sizes[0] - sizes[0]/2
		a, b := slices.Clone(all[:sizes[0]]), slices.Clone(all[from:from+sizes[1]])
		for _, x := range [][]uint64{a, b} {
			slices.Sort(x)
		}
		want := map[Kind]func(s Sketcher) (Overlap, error){
			Mod: func(s Sketcher) (Overlap, error) {
				x, y := NewModSketch(s.M), NewModSketch(s.M)
				x.AddAll(a)
				y.AddAll(b)
				return x.Estimate(y)
			},
			Min: func(s Sketcher) (Overlap, error) {
				x, y := NewTreeMinSketch(s.S), NewTreeMinSketch(s.S)
				x.AddAll(a)
				y.AddAll(b)
				return x.Estimate(y)
			},
			MinMod: func(s Sketcher) (Overlap, error) {
				x, y := NewMinModSketch(s.M, s.S), NewMinModSketch(s.M, s.S)
				x.AddAll(a)
				y.AddAll(b)
				return x.Estimate(y)
			},
			Var: func(Sketcher) (Overlap, error) {
				var x, y VarSketch
				x.AddAll(a)
				y.AddAll(b)
				return x.Estimate(&y), nil
			},
		}
		for _, s := range sketchers() {
			o, err := want[s.Kind](s)
			if err != nil {
				t.Fatal(err)
			}
			x, y := stored(s, a), stored(s, b)
			if d := cmp.Diff(o, s.Overlap(x, y)); d != "" {
				t.Errorf("%v of %v: %s", s, sizes, d)
			}
			if d := cmp.Diff(o.Swap(), s.Overlap(y, x)); d != "" {
				t.Errorf("%v of %v, the other way: %s", s, sizes, d)
			}
			if own, _ := s.Overlap(x, x).Resemblance(); len(x.Values) > 0 && own != 1 {
				t.Errorf("%v: resemblance %v with itself", s, own)
			}
		}
	}
}

// TestSketcherValid: the samples that a Sketcher makes are valid, and those that it cannot make are not.
func TestSketcherValid(t *testing.T) {
	set := distinct(rand.New(rand.NewPCG(3, 4)), 5000)
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

// TestStdErr: of many estimates on n samples, the standard deviation is about the standard error of each.
func TestStdErr(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, trials, p = 100, 4000, 0.7
	sum, squares, said := 0.0, 0.0, 0.0
	for range trials {
		both := 0
		for range n {
			both += one(r.Float64() < p)
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
