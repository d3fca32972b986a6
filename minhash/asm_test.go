package minhash

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// withoutAssembly runs f with the Go code in place of the assembly.
func withoutAssembly(f func()) {
	defer setAVX2(setAVX2(false))
	f()
}

func numbers(n int, seed uint64) []uint32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]uint32, n)
	for i := range out {
		out[i] = r.Uint32N(P)
	}
	return out
}

func FuzzMinima(f *testing.F) {
	for n := range 20 {
		f.Add(binary.LittleEndian.AppendUint32(nil, uint32(n)*0x11111111), uint64(n), uint8(n*7))
	}
	f.Add([]byte{0, 0, 0, 0, 0xfe, 0xff, 0xff, 0x7f, 0xfd, 0xff, 0xff, 0x7f}, uint64(1), uint8(80))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64, m uint8) {
		var elements []uint32
		for ; len(data) >= 4; data = data[4:] {
			elements = append(elements, binary.LittleEndian.Uint32(data)%P)
		}
		sameBytes(t, NewFamily(int(m%129), seed), elements)
	})
}

func sameBytes(t *testing.T, f *Family, elements []uint32) {
	t.Helper()
	got, want := make([]byte, f.RowSize()), make([]byte, f.RowSize())
	f.Sign(got, elements)
	withoutAssembly(func() { f.Sign(want, elements) })
	if !bytes.Equal(got, want) {
		t.Fatalf("m=%d elements=%v\n got %x\nwant %x", f.m, elements, got, want)
	}
}

func TestAssemblySameBytes(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 20, 100, 1000} {
		for seed := range uint64(50) {
			sameBytes(t, NewFamily(int(seed)*3, seed), numbers(n, seed))
		}
	}
}

// TestAssemblyEdges takes coefficients and elements at the ends of their ranges, where a fold is 1, P, P+1 or 2P.
func TestAssemblyEdges(t *testing.T) {
	edge := []uint32{0, 1, 2, 1 << 16, P / 2, P/2 + 1, P - 3, P - 2, P - 1}
	for _, a := range edge[1:] {
		for _, b := range edge {
			var c block
			for i := range lanes {
				c.set(i, 1+(a-1+uint32(i))%(P-1), (b+uint32(i/2))%P)
			}
			for n := range edge {
				var got, want [lanes]uint32
				minima(&got, &c, edge[:n])
				minimaGo(&want, &c, edge[:n])
				if def := definition(&c, edge[:n]); got != want || got != def {
					t.Fatalf("a=%d b=%d n=%d\n got %v\nin Go %v\nwant %v", a, b, n, got, want, def)
				}
			}
		}
	}
}

// definition computes the minima of a block as they are defined.
func definition(c *block, elements []uint32) (least [lanes]uint32) {
	for i := range least {
		least[i] = P
		for _, x := range elements {
			least[i] = min(least[i], uint32((uint64(c.a[i]/2)*uint64(x)+uint64(c.b[i]/2-1))%P))
		}
	}
	return least
}

// TestMinimaDefinition compares both implementations with the definition, for random elements and for those whose values
// are the least and the greatest.
func TestMinimaDefinition(t *testing.T) {
	f := NewFamily(37, 3)
	extremes := func(c *block) (out []uint32) {
		for i := range lanes {
			for _, v := range []uint64{0, 1, P - 2, P - 1} {
				b := uint64(c.b[i]/2 - 1)
				out = append(out, uint32((v+P-b)%P*inverse(c.a[i]/2)%P))
			}
		}
		return out
	}
	for i := range f.blocks {
		c := &f.blocks[i]
		lists := [][]uint32{nil, numbers(50, 4)}
		for _, x := range append(extremes(c), numbers(100, 5)...) {
			lists = append(lists, []uint32{x})
		}
		for _, elements := range lists {
			want := definition(c, elements)
			var got [lanes]uint32
			minima(&got, c, elements)
			var plain [lanes]uint32
			minimaGo(&plain, c, elements)
			if got != want || plain != want {
				t.Fatalf("elements %v:\n got %v\nin Go %v\nwant %v", elements, got, plain, want)
			}
		}
	}
}

func FuzzEqual(f *testing.F) {
	for n := range 3 * 130 {
		a := make([]byte, n)
		for i, v := range numbers(n, uint64(n)) {
			a[i] = byte(v & 3)
		}
		f.Add(a, bytes.Repeat([]byte{1, 1, 2, 0, 3}, n))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		rows := min(len(a), len(b)) / 3 * 3
		if got, want := Mask(a[:rows:rows], b[:rows:rows]), maskGo(a[:rows], b[:rows]); got != want {
			t.Fatalf("rows %x\n%x\n got %x\nwant %x", a, b, got, want)
		}
		n := min(len(a), len(b), MaxMask)
		a, b = a[:n:n], b[:n:n]
		if got, want := equal(a, b), equalGo(a, b); got != want {
			t.Fatalf("%x\n%x\n got %x\nwant %x", a, b, got, want)
		}
	})
}
