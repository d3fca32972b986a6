package shingles

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// divide is polynomial division bit by bit: a leading 1, the bits of data, then power zeros; the remainder modulo p. It
// shares no code with the tables.
func divide(p Poly, data []byte, power int) uint64 {
	var hi, lo uint64 // 65 bits for the remainder of a polynomial of degree 64
	feed := func(bit uint64) {
		hi, lo = hi<<1|lo>>63, lo<<1|bit
		if p.Degree == 64 && hi&1 == 1 {
			hi, lo = 0, lo^p.Low
		} else if p.Degree < 64 && lo>>uint(p.Degree)&1 == 1 {
			lo ^= 1<<uint(p.Degree) | p.Low
		}
	}
	feed(1)
	for _, b := range data {
		for i := 7; i >= 0; i-- {
			feed(uint64(b >> uint(i) & 1))
		}
	}
	for range power {
		feed(0)
	}
	return lo
}

func bytesOf(units []uint64) []byte {
	var p []byte
	for _, u := range units {
		p = binary.BigEndian.AppendUint64(p, u)
	}
	return p
}

func drawRabin(t *rapid.T, power int) *Rabin {
	p, err := ChoosePoly(rapid.IntRange(8, 64).Draw(t, "degree"), rapid.Uint64().Draw(t, "seed"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewRabin(p, power)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFingerprintEqualsDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		power := rapid.SampledFrom([]int{0, 1, 8, 40, 63, UnitPower, 65, 200}).Draw(t, "power")
		r := drawRabin(t, power)
		data := rapid.SliceOf(rapid.Byte()).Draw(t, "data")
		if got, want := r.Fingerprint(data), divide(r.poly, data, power); got != want {
			t.Fatalf("%v, power %d: %#x, want %#x", r.poly, power, got, want)
		}
	})
}

// The remainder modulo x^32+… with nothing before and 32 zeros after is the plain CRC-32 without its inversions: a
// value computed elsewhere (CRC-32/MPEG-2 family).
func TestFingerprintOfKnownPolynomial(t *testing.T) {
	r, err := NewRabin(Poly{32, 0x04C11DB7}, 32)
	if err != nil {
		t.Fatal(err)
	}
	lead := r.poly.PowerOfT(8*9 + 32) // CRC has no leading 1
	// CRC-32/CKSUM of nine bytes, without length and inversion: init 0, xorout 0.
	if got, want := r.Fingerprint([]byte("123456789"))^lead, uint64(0x89A1897F); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

func TestWindowEqualsDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawRabin(t, UnitPower)
		w := rapid.IntRange(1, 20).Draw(t, "w")
		win, err := NewWindow(r, w)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // Reset must leave nothing behind
			units := rapid.SliceOf(rapid.Uint64()).Draw(t, "units")
			cut := rapid.IntRange(0, len(units)).Draw(t, "cut")
			got := win.Append(nil, units[:cut])
			got = win.Append(got, units[cut:])
			if short, ok := win.Short(); ok {
				got = append(got, short)
			}
			win.Reset()
			if d := cmp.Diff(dividedWindows(r.poly, units, w), got); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// dividedWindows is the plain way: every window by itself, the whole if shorter.
func dividedWindows(p Poly, units []uint64, w int) []uint64 {
	var want []uint64
	if n := len(units); n > 0 && n < w {
		w = n
	}
	for i := 0; i+w <= len(units) && len(units) > 0; i++ {
		want = append(want, divide(p, bytesOf(units[i:i+w]), UnitPower))
	}
	return want
}

func TestWindowOverManyBatches(t *testing.T) {
	r, _ := NewRabin(Poly{40, 0x39}, UnitPower)
	win, _ := NewWindow(r, 700) // longer than a batch
	units := make([]uint64, 3000)
	state := uint64(1)
	for i := range units {
		units[i] = nextRandom(&state)
	}
	got := win.Append(nil, units)
	if len(got) != len(units)-699 {
		t.Fatalf("%d windows", len(got))
	}
	for i, f := range got {
		if want := r.FingerprintUnits(units[i : i+700]); f != want {
			t.Fatalf("window %d: %#x, want %#x", i, f, want)
		}
	}
}

func TestUnitsAreFingerprintedAsBytes(t *testing.T) {
	r, _ := NewRabin(Poly{64, 0x1B}, UnitPower)
	units := []uint64{1, 0, 1 << 63, 0x6162630000000000}
	if got, want := r.FingerprintUnits(units), r.Fingerprint(bytesOf(units)); got != want {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// Without the power, texts that differ in the last letter differ in the last byte of the fingerprint only; with it
// about half of all bits change.
func TestPowerSpreadsTheLastLetter(t *testing.T) {
	p, _ := ChoosePoly(40, 0)
	plain, _ := NewRabin(p, 0)
	spread, _ := NewRabin(p, UnitPower)
	a, b := []byte("a rose is a rose"), []byte("a rose is a rosy")
	if d := plain.Fingerprint(a) ^ plain.Fingerprint(b); d != 'e'^'y' {
		t.Errorf("power 0: difference %#x", d)
	}
	changed := 0
	for c := byte(1); c < 128; c++ {
		b[len(b)-1] = 'e' ^ c
		changed += bits.OnesCount64(spread.Fingerprint(a) ^ spread.Fingerprint(b))
	}
	if mean := float64(changed) / 127; mean < 18 || mean > 22 {
		t.Errorf("power %d: %.1f of 40 bits change, want about 20", UnitPower, mean)
	}
}

func TestLeadingZerosCount(t *testing.T) {
	r, _ := NewRabin(Poly{40, 0x39}, UnitPower)
	if r.Fingerprint([]byte{0, 1}) == r.Fingerprint([]byte{1}) {
		t.Error("a leading zero byte is lost")
	}
}

func TestRefusedParameters(t *testing.T) {
	for _, c := range []struct {
		p     Poly
		power int
	}{{Poly{7, 0b11}, 64}, {Poly{65, 1}, 64}, {Poly{8, 0}, 64}, {Poly{8, 0x1B}, -1}} {
		if _, err := NewRabin(c.p, c.power); err == nil {
			t.Errorf("NewRabin(%v, %d) was accepted", c.p, c.power)
		}
	}
	r, _ := NewRabin(Poly{8, 0x1B}, 0)
	for _, w := range []int{-1, 0, maxW + 1} {
		if _, err := NewWindow(r, w); err == nil {
			t.Errorf("a window of %d was accepted", w)
		}
	}
}

func ExampleRabin_Fingerprint() {
	p, _ := ChoosePoly(40, 0)
	r, _ := NewRabin(p, UnitPower)
	fmt.Printf("%010x\n%010x\n", r.Fingerprint([]byte("a rose is a rose")), r.Fingerprint([]byte("a rose is a rosy")))
	// Output:
	// 05f4eb6894
	// 4e0a3192be
}
