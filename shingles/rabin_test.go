package shingles

import (
	"encoding/binary"
	"slices"
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

func TestWindowEqualsDivision(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, err := ChoosePoly(rapid.IntRange(16, 64).Draw(t, "degree"), rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		w := rapid.IntRange(1, 20).Draw(t, "w")
		win, err := newWindow(newRabin(p), w)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // reset must leave nothing behind
			units := rapid.SliceOf(rapid.Uint64()).Draw(t, "units")
			cut := rapid.IntRange(0, len(units)).Draw(t, "cut")
			got := win.append(nil, units[:cut])
			got = win.append(got, units[cut:])
			if short, ok := win.short(); ok {
				got = append(got, short)
			}
			win.reset()
			if d := cmp.Diff(dividedWindows(p, units, w), got); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// dividedWindows is the plain way: every window by itself, or the whole text if it is shorter.
func dividedWindows(p Poly, units []uint64, w int) []uint64 {
	var want []uint64
	if n := len(units); n > 0 && n < w {
		w = n
	}
	for i := 0; i+w <= len(units) && len(units) > 0; i++ {
		want = append(want, divide(p, bytesOf(units[i:i+w]), unitPower))
	}
	return want
}

func TestWindowOverManyBatches(t *testing.T) {
	p := Poly{40, 0x39}
	win, _ := newWindow(newRabin(p), 700) // longer than a batch
	units := make([]uint64, 3000)
	state := uint64(1)
	for i := range units {
		units[i] = nextRandom(&state)
	}
	var got []uint64
	for some := range slices.Chunk(units, batch) {
		got = win.append(got, some)
	}
	if len(got) != len(units)-699 {
		t.Fatalf("%d windows", len(got))
	}
	for i := 0; i < len(got); i += 50 {
		if want := divide(p, bytesOf(units[i:i+700]), unitPower); got[i] != want {
			t.Fatalf("window %d: %#x, want %#x", i, got[i], want)
		}
	}
}
