package ascii

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestWordMap compares the maps of blocks with their definition, in assembly and in Go.
func TestWordMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var p [64]byte
		for i := range p {
			p[i] = byte(r.Uint32())
			if r.IntN(4) == 0 {
				p[i] = "\\@AZ[`az{/09:\x7f\x80\xff"[r.IntN(16)]
			}
		}
		var want [3]uint64
		for i, c := range p {
			for k, is := range []bool{c < 0x80 && strings.IndexByte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", c) >= 0, c >= 0x80, c == '\\'} {
				if is {
					want[k] |= 1 << i
				}
			}
		}
		for name, f := range map[string]func(*[64]byte) (a, b, c uint64){"Go": wordMapGo, "this machine": wordMap} {
			word, high, slash := f(&p)
			if got := [3]uint64{word, high, slash}; got != want {
				t.Fatalf("%s: %x: %x, want %x", name, p, got, want)
			}
		}
	}
}
