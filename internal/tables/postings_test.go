package tables

import (
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/mapped"
)

// Postings of any modulus, number of pages and width of values are found again; so are those of version 1.
func TestPostings(t *testing.T) {
	for _, form := range []PostingsForm{
		{Modulus: 1, Bits: 40, Pages: 300, Expected: 3000}, {Modulus: 25, Bits: 40, Pages: 1 << 17, Expected: 100_000},
		{Modulus: 1, Bits: 16, Pages: 300, Expected: 1 << 30}, {Modulus: 3, Bits: 64, Pages: 1 << 20, Expected: 6000},
	} {
		r := rand.New(rand.NewPCG(1, uint64(form.Bits)))
		want := map[uint64][]uint32{}
		for range 3000 {
			v := r.Uint64() >> (64 - form.Bits)
			for range 1 + r.IntN(3) {
				want[v] = append(want[v], uint32(r.IntN(form.Pages)))
			}
			slices.Sort(want[v])
			want[v] = slices.Compact(want[v])
		}
		path := filepath.Join(t.TempDir(), PostingsFile)
		w, err := CreatePostings(path, form)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, v := range slices.Sorted(maps.Keys(want)) {
			for _, page := range want[v] {
				w.Add(v, page)
				n++
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		p, err := OpenPostings(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Len() != n || p.Modulus() != form.Modulus {
			t.Errorf("%+v: %d postings, modulus %d", form, p.Len(), p.Modulus())
		}
		others := 0
		for v, pages := range want {
			got := p.Pages([]uint32{7}, v)[1:]
			for _, page := range pages {
				if !slices.Contains(got, page) {
					t.Fatalf("%+v: page %d is not found by %x", form, page, v)
				}
			}
			others += len(got) - len(pages)
		}
		if others > n/100 {
			t.Errorf("%+v: %d pages of other shingles", form, others)
		}
		for range 3000 {
			if v := r.Uint64() >> (64 - form.Bits); want[v] == nil {
				others += len(p.Pages(nil, v))
			}
		}
		if others > n/50 {
			t.Errorf("%+v: %d pages for shingles that nobody has", form, others)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Tables of version 1 hold whole values and no modulus; later versions than this one are refused.
func TestPostingsVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), PostingsFile)
	write := func(version uint32) {
		w, err := mapped.Create(path, "postings", version)
		if err != nil {
			t.Fatal(err)
		}
		value, page := w.Section("value", 8), w.Side("page", 4)
		for i, v := range []uint64{25, 50, 50, 75} {
			value.U64(v)
			page.U32(uint32(i))
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	p, err := OpenPostings(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Pages(nil, 50); !slices.Equal(got, []uint32{1, 2}) || p.Pages(nil, 51) != nil || p.Modulus() != 0 || p.Len() != 4 {
		t.Errorf("%v, modulus %d", got, p.Modulus())
	}
	p.Close()
	write(postingsVersion + 1)
	if _, err := OpenPostings(path); !errors.Is(err, mapped.ErrVersion) {
		t.Errorf("version %d: %v", postingsVersion+1, err)
	}
	for _, bad := range []PostingsForm{{}, {Modulus: 1}, {Modulus: 1, Bits: 65}, {Bits: 40}} {
		if _, err := CreatePostings(path, bad); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
}
