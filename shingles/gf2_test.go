package shingles

import (
	"testing"

	"pgregory.net/rapid"
)

func TestKnownPolynomials(t *testing.T) {
	for _, c := range []struct {
		p           Poly
		irreducible bool
		what        string
	}{
		{Poly{2, 0b11}, true, "t^2+t+1"},
		{Poly{2, 0b01}, false, "(t+1)^2"},
		{Poly{4, 0b0011}, true, "t^4+t+1"},
		{Poly{4, 0b0101}, false, "(t^2+t+1)^2"},
		{Poly{8, 0x1B}, true, "AES"},
		{Poly{8, 0x1D}, true, "Reed-Solomon"},
		{Poly{32, 0x04C11DB7}, true, "CRC-32"},
		{Poly{32, 0x1EDC6F41}, false, "CRC-32C, a multiple of t+1"},
		{Poly{40, 0x39}, true, "pentanomial t^40+t^5+t^4+t^3+1"},
		{Poly{64, 0x1B}, true, "GF(2^64) of GCM-SIV and others"},
		{Poly{64, 0x42F0E1EBA9EA3693}, false, "CRC-64-ECMA, a multiple of t+1"},
		{Poly{53, 0x3DA3358B4DC173 &^ (1 << 53)}, true, "the 53-bit polynomial of LBFS's descendants (restic)"},
		{Poly{8, 0x11B}, false, "not reduced: refused"},
		{Poly{0, 0}, false, "no degree: refused"},
		{Poly{65, 1}, false, "degree too high: refused"},
	} {
		if got := c.p.Irreducible(); got != c.irreducible {
			t.Errorf("%v (%s): irreducible %t, want %t", c.p, c.what, got, c.irreducible)
		}
	}
}

func TestChoosePoly(t *testing.T) {
	for degree := 1; degree <= 64; degree++ {
		p, err := ChoosePoly(degree, 7)
		if err != nil || !p.Irreducible() {
			t.Fatalf("degree %d: %v, %v", degree, p, err)
		}
		if again, _ := ChoosePoly(degree, 7); again != p {
			t.Fatalf("degree %d: %v, then %v", degree, p, again)
		}
	}
	for _, degree := range []int{-1, 0, 65} {
		if _, err := ChoosePoly(degree, 0); err == nil {
			t.Errorf("degree %d was accepted", degree)
		}
	}
}

func TestFieldLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := ChoosePoly(rapid.IntRange(1, 64).Draw(t, "degree"), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		draw := func(name string) uint64 { return rapid.Uint64().Draw(t, name) & p.mask() }
		a, b, c := draw("a"), draw("b"), draw("c")
		if p.Mul(a, b) != p.Mul(b, a) {
			t.Fatal("not commutative")
		}
		if p.Mul(a, p.Mul(b, c)) != p.Mul(p.Mul(a, b), c) {
			t.Fatal("not associative")
		}
		if p.Mul(a, b^c) != p.Mul(a, b)^p.Mul(a, c) {
			t.Fatal("not distributive")
		}
		i, j := rapid.IntRange(0, 1000).Draw(t, "i"), rapid.IntRange(0, 1000).Draw(t, "j")
		if p.Mul(p.PowerOfT(i), p.PowerOfT(j)) != p.PowerOfT(i+j) {
			t.Fatal("powers of t do not add up")
		}
	})
}
