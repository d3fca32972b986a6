package shingles

import (
	"cmp"
	"fmt"
)

// Sketch is a Sink that keeps some of its values.
type Sketch interface {
	Sink
	Values() []uint64 // the samples in ascending order, valid until the sketch changes
	Reset()           // empties the sketch
}

// Kind is one of the kinds of sketches that [S2] defines.
type Kind uint8

// The kinds of sketches.
const (
	Mod    Kind = iota // the values that m divides: MOD_m
	Min                // the s smallest values: MIN_s
	MinMod             // the s smallest of the values that m divides
	Var                // the values divisible by a power of two that grows with the document: V_i
)

var kindNames = [...]string{"mod", "min", "minmod", "var"}

// Kinds lists the kinds of sketches.
func Kinds() []Kind { return []Kind{Mod, Min, MinMod, Var} }

// String returns the name of the kind: "mod", "min", "minmod" or "var".
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Containment reports whether sketches of this kind estimate containment. A sketch of the s smallest values does not:
// it holds only the smallest values of a large document, while the values of a small document inside it lie anywhere.
func (k Kind) Containment() bool { return k == Mod || k == Var }

// Drops reports whether dropping common values from a finished sketch gives the sketch of the set without them. It does
// not for a sketch of the s smallest values, which has lost the values that would take their places.
func (k Kind) Drops() bool { return k.Containment() }

// Sketcher makes sketches of one kind with the same parameters, and compares their stored samples. Two Sketchers are
// equal if and only if their sketches can be compared. The zero value makes MOD_m sketches with the default m.
type Sketcher struct {
	Kind Kind
	M    uint64 // modulus of Mod and MinMod; 0 means DefaultM
	S    int    // number of samples of Min and MinMod; 0 means DefaultS
}

func (s Sketcher) withDefaults() Sketcher {
	s.M, s.S = cmp.Or(s.M, DefaultM), cmp.Or(s.S, DefaultS)
	return s
}

// New returns an empty sketch.
func (s Sketcher) New() Sketch {
	switch s = s.withDefaults(); s.Kind {
	case Min:
		return newMinSketch(1, s.S)
	case MinMod:
		return newMinSketch(s.M, s.S)
	case Var:
		return new(varSketch)
	}
	return &modSketch{divisor: NewDivisor(s.M)}
}

// String describes the sketches: "MOD_25", "MIN_200", "MIN_200 of MOD_25" or "V_i".
func (s Sketcher) String() string {
	switch s = s.withDefaults(); s.Kind {
	case Min:
		return fmt.Sprintf("MIN_%d", s.S)
	case MinMod:
		return fmt.Sprintf("MIN_%d of MOD_%d", s.S, s.M)
	case Var:
		return "V_i"
	}
	return fmt.Sprintf("MOD_%d", s.M)
}

// Stored is a sketch as stored outside of memory: its samples, and the size of the set behind it.
type Stored struct {
	Values []uint64 // ascending
	Size   int      // distinct values of the document
}

// Whole reports whether the sketch holds every value of the document, so that nothing need be estimated.
func (s Stored) Whole() bool { return len(s.Values) == s.Size }

// Level returns the level at which a stored sketch was sampled: every value in it is a multiple of 2^level, and every
// such value of the document is in it. It is 0 for all kinds but Var.
func (s Sketcher) Level(size int) int {
	if s.Kind == Var {
		return varLevel(uint64(size))
	}
	return 0
}

// Overlap compares two stored sketches, in time linear in their samples, as Estimate does.
func (s Sketcher) Overlap(a, b Stored) Overlap {
	switch s.Kind {
	case Min, MinMod:
		return overlap(a.Values, b.Values, s.withDefaults().S)
	case Var:
		la, lb := s.Level(a.Size), s.Level(b.Size)
		return overlap(coarsened(a.Values, la, lb), coarsened(b.Values, lb, la), all)
	}
	return overlap(a.Values, b.Values, all)
}

// coarsened returns the values of a level that also belong to another one.
func coarsened(values []uint64, level, other int) []uint64 {
	if other <= level {
		return values
	}
	var kept []uint64
	mask := uint64(1)<<uint(other) - 1
	for _, v := range values {
		if v&mask == 0 {
			kept = append(kept, v)
		}
	}
	return kept
}

// Valid reports whether a stored sketch, whose values ascend, can come from the Sketcher: it has no value that the
// parameters leave out, and no more values than the set.
func (s Sketcher) Valid(x Stored) bool {
	s = s.withDefaults()
	least := x.Size // number of values, if the kind determines it
	divisor := uint64(1) << uint(s.Level(x.Size))
	if s.Kind == Mod || s.Kind == MinMod {
		divisor = s.M
	}
	if s.Kind == Min || s.Kind == MinMod {
		least = min(least, s.S)
	}
	if len(x.Values) > least || s.Kind == Min && len(x.Values) < least {
		return false
	}
	for _, v := range x.Values {
		if v%divisor != 0 {
			return false
		}
	}
	return true
}
