package tables

import (
	"errors"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
)

// TestPostings checks that postings are found and pass Check, whatever the modulus, the number of pages and the width
// of the values are.
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
		others, digests := 0, uint64(0)
		for v, pages := range want {
			for _, page := range pages {
				digests += p.Digest(v, page)
			}
			got := p.Pages([]uint32{7}, v)[1:]
			for _, page := range pages {
				if !slices.Contains(got, page) {
					t.Fatalf("%+v: page %d is not found by %x", form, page, v)
				}
			}
			others += len(got) - len(pages)
		}
		if got, err := p.Check(t.Context(), form.Pages); err != nil || got != digests {
			t.Errorf("%+v: digests %x, want %x, %v", form, got, digests, err)
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

// writeForm writes one posting with the given numbers as the form of the table.
func writeForm(t *testing.T, version uint32, form, first []uint64) string {
	t.Helper()
	return writeRanges(t, version, form, first, onePosting, 1)
}

// onePosting is a range with value 7 and page 0.
var onePosting = packRange([]uint64{7}, []uint64{0}, 1)

// packRange packs a range of values, given as gaps, and pages of some bits.
func packRange(gaps, pages []uint64, width int) []byte {
	w := rice.Writer{Bytes: []byte{byte(len(gaps))}}
	w.List(gaps)
	for _, page := range pages {
		w.Bits(page, width)
	}
	w.End()
	return w.Bytes
}

func writeRanges(t *testing.T, version uint32, form, first []uint64, list []byte, total uint64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), PostingsFile)
	w := mapped.Create(path, "postings", version)
	head := w.Section("form", 8)
	for _, n := range form {
		head.U64(n)
	}
	s, n, at := w.Section("list", 1), w.Side("total", 8), w.Offsets("first")
	for _, n := range first {
		at.U64(n)
	}
	s.Bytes(append(slices.Clone(list), make([]byte, rice.Padding)...))
	n.U64(total)
	must(t, w.Close())
	return path
}

// TestPostingsForms checks that OpenPostings refuses other versions, and forms that no PostingsWriter writes.
func TestPostingsForms(t *testing.T) {
	for _, version := range []uint32{postingsTable.version - 1, postingsTable.version + 1} {
		if _, err := OpenPostings(writeForm(t, version, []uint64{1, 40, 24, 1}, []uint64{0, 1})); !errors.Is(err, mapped.ErrVersion) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	for _, c := range []struct {
		form  []uint64 // modulus, shift, low, width
		first []uint64
		ok    bool
	}{
		{[]uint64{1, 40, 24, 1}, []uint64{0, 1}, true}, {[]uint64{7, 38, 22, 1}, []uint64{0, 1, 1, 1, 1}, true}, {[]uint64{1, 0, 0, 1}, []uint64{0, 1}, true},
		{[]uint64{1, 64, 48, 1}, []uint64{0, 1}, true}, {[]uint64{1, 63, 47, 1}, []uint64{0, 1, 1}, true}, {[]uint64{1, 9, 0, 1}, []uint64{0, 1}, true},
		{[]uint64{0, 40, 24, 1}, []uint64{0, 1}, false},       // no modulus
		{[]uint64{1, 65, 49, 1}, []uint64{0, 1}, false},       // values of more than 64 bits
		{[]uint64{1, 64, 48, 1}, []uint64{0, 1, 1}, false},    // with those of the range
		{[]uint64{1, 40, 25, 1}, []uint64{0, 1}, false},       // bits between range and rest
		{[]uint64{1, 40, 23, 1}, []uint64{0, 1}, false},       // rest of more than 16 bits
		{[]uint64{1, 40, 24, 1}, []uint64{0, 1, 1, 1}, false}, // 3 ranges
		{[]uint64{1, 40, 24, 1}, []uint64{0}, false},          // none
		{[]uint64{1, 40}, []uint64{0, 1}, false},
		{[]uint64{1, 40, 24, 33}, []uint64{0, 1}, false}, // pages of more than 32 bits
	} {
		p, err := OpenPostings(writeForm(t, postingsTable.version, c.form, c.first))
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		if err == nil {
			must(t, p.Close())
		}
	}
	for _, bad := range []PostingsForm{{}, {Modulus: 1}, {Modulus: 1, Bits: 65}, {Bits: 40}} {
		if _, err := CreatePostings(filepath.Join(t.TempDir(), PostingsFile), bad); err == nil {
			t.Errorf("no error for %+v", bad)
		}
	}
}

// TestPostingsCheck checks that Check finds ranges, values and pages that are out of order or too large.
func TestPostingsCheck(t *testing.T) {
	two, one := packRange([]uint64{5, 0}, []uint64{0, 1}, 2), packRange([]uint64{1}, []uint64{0}, 2)
	n, m := uint64(len(two)), uint64(len(two)+len(one))
	list := append(slices.Clone(two), one...)
	for _, c := range []struct {
		first []uint64
		list  []byte
		total uint64
		want  string
	}{
		{[]uint64{0, n, m}, list, 3, ""},
		{[]uint64{0, n, n}, list, 2, "hold 2 postings of 2"},
		{[]uint64{0, n, m}, list, 4, "hold 3 postings of 4"},
		{[]uint64{n, n, m}, list, 1, "hold 1 postings of 1"},
		{[]uint64{0, n, 0, n, m}, list, 3, "entry 1 is from"},
		{[]uint64{0, 99, m}, list, 3, "entry 0 is from 0 to 99"},
		{[]uint64{0, m, m}, list, 3, "the postings of range 0 are damaged"},
		{[]uint64{0, n, m}, append(slices.Clone(two), packRange([]uint64{1}, []uint64{2}, 2)...), 3, "posting 2: page 2 of 2"},
		{[]uint64{0, m, m}, packRange([]uint64{9, 65535}, []uint64{0, 1}, 2), 2, "damaged"},
	} {
		p, err := OpenPostings(writeRanges(t, postingsTable.version, []uint64{1, 38, 22, 2}, c.first, c.list, c.total))
		must(t, err)
		_, err = p.Check(t.Context(), 2)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
		must(t, p.Close())
	}
}
