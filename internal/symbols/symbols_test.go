package symbols

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// addresses returns n URLs that are alike.
func addresses(n int) (all [][]byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		all = append(all, fmt.Appendf(nil, "https://%s.example.org/projects/%s/index.html?page=%d",
			[]string{"www", "docs", "git"}[rng.IntN(3)], strings.Repeat(string(rune('a'+rng.IntN(26))), 1+rng.IntN(5)), rng.IntN(1000)))
	}
	return all
}

// TestPack checks that URLs are packed to less than 40 % of their size, with the symbols of a part of them.
func TestPack(t *testing.T) {
	all := addresses(5000)
	table := Train(all[:500])
	again, err := Parse(table.Bytes())
	must(t, err)
	if *again != *table || table.n < 50 {
		t.Fatalf("%d symbols, read %d", table.n, again.n)
	}
	if !bytes.Equal(Train(all[:500]).Bytes(), table.Bytes()) {
		t.Error("the same sample gives other symbols")
	}
	e, size, packed := table.Encoder(), 0, 0
	for _, s := range all {
		p := e.Append(nil, s)
		got, ok := again.String(p)
		if !ok || !bytes.Equal(got, s) {
			t.Fatalf("%q became %q, %v", s, got, ok)
		}
		size, packed = size+len(s), packed+len(p)
	}
	if 10*packed > 4*size {
		t.Errorf("%d bytes are packed to %d", size, packed)
	}
}

// TestLaw checks that any strings come back, whatever the symbols were made of, and that damaged tables and strings are
// refused or give some other string.
func TestLaw(t *testing.T) {
	text := rapid.SliceOfN(rapid.SliceOfN(rapid.ByteRange(0, 255), 0, 30), 0, 20)
	few := rapid.SliceOfN(rapid.SliceOfN(rapid.SampledFrom([]byte("ab\x00\xff")), 0, 40), 0, 20)
	rapid.Check(t, func(t *rapid.T) {
		table := Train(rapid.OneOf(text, few).Draw(t, "sample"))
		again, err := Parse(table.Bytes())
		if err != nil || *again != *table {
			t.Fatal(err, table.n, again)
		}
		e := table.Encoder()
		for _, s := range rapid.OneOf(text, few).Draw(t, "strings") {
			if got, ok := table.String(e.Append(nil, s)); !ok || !bytes.Equal(got, s) {
				t.Fatalf("%q became %q, %v", s, got, ok)
			}
		}
		damaged := rapid.SliceOf(rapid.Byte()).Draw(t, "damaged")
		if other, err := Parse(damaged); err == nil {
			other.String(damaged)
		}
		table.String(damaged)
	})
}

// TestDamage checks that what no encoder makes is refused.
func TestDamage(t *testing.T) {
	for _, b := range [][]byte{{0}, {9, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 'a'}, bytes.Repeat([]byte{1, 'a'}, 256)} {
		if _, err := Parse(b); err == nil {
			t.Errorf("%v is a table", b)
		}
	}
	table, err := Parse([]byte{2, 'a', 'b'})
	must(t, err)
	for _, b := range [][]byte{{1}, {0, 254}, {escape}, {0, escape}} {
		if s, ok := table.String(b); ok {
			t.Errorf("%v is packed %q", b, s)
		}
	}
	if s, ok := table.String([]byte{0, escape, 'x', 0}); !ok || string(s) != "abxab" {
		t.Errorf("%q, %v", s, ok)
	}
}

func BenchmarkAppend(b *testing.B) {
	all := addresses(1000)
	e, size := Train(all).Encoder(), 0
	for _, s := range all {
		size += len(s)
	}
	b.SetBytes(int64(size))
	var buffer []byte
	for b.Loop() {
		for _, s := range all {
			buffer = e.Append(buffer[:0], s)
		}
	}
}

func BenchmarkString(b *testing.B) {
	all := addresses(1000)
	e, size := Train(all).Encoder(), 0
	for i, s := range all {
		size += len(s)
		all[i] = e.Append(nil, s)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, s := range all {
			e.String(s)
		}
	}
}
