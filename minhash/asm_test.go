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
				c.a[i], c.b[i] = 2*(1+(a-1+uint32(i))%(P-1)), 2*(1+(b+uint32(i/2))%P)
			}
			for n := range edge {
				var got, want [lanes]uint32
				minima(&got, &c, edge[:n])
				minimaGo(&want, &c, edge[:n])
				if got != want {
					t.Fatalf("a=%d b=%d n=%d\n got %v\nwant %v", a, b, n, got, want)
				}
			}
		}
	}
}

// TestMinimaDefinition compares the fold with the definition.
func TestMinimaDefinition(t *testing.T) {
	f := NewFamily(37, 3)
	elements := numbers(50, 4)
	got := make([]uint32, f.M())
	f.Minima(got, elements)
	for i, v := range got {
		a, b := uint64(f.blocks[i/lanes].a[i%lanes]/2), uint64(f.blocks[i/lanes].b[i%lanes]/2-1)
		want := uint64(P)
		for _, x := range elements {
			want = min(want, (a*uint64(x)+b)%P)
		}
		if uint64(v) != want {
			t.Fatalf("permutation %d: got %d, want %d", i, v, want)
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
