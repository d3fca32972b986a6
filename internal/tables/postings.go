package tables

import (
	"context"
	"fmt"
	"math/bits"
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
)

// postingsVersion is the version of postings.lsh.
//
//	1  the value (8 bytes) and the page (4) of every posting; only in runs of format 1, which are no longer read
//	2  the modulus of the sample; values as a range of leading bits and 16 bits more, pages in 2 bytes where that is
//	   enough: 4 to 6 bytes a posting instead of 12, so that small runs can hold all shingles
const postingsVersion = 2

// postingsInRange is the approximate number of postings in a range of values. Each range takes 8 bytes.
const postingsInRange = 64

// PostingsForm describes the postings of a table before they are written.
type PostingsForm struct {
	Modulus  uint64 // the table contains the shingles of long pages that it divides; 1 means all shingles
	Bits     int    // bits of a value
	Pages    int    // pages of the run
	Expected int64  // approximate number of postings
}

// PostingsWriter writes postings.lsh in order of (value, page).
type PostingsWriter struct {
	writer
	page, rest   *mapped.Section
	first        *mapped.OffsetsWriter
	shift, low   int
	narrow       bool // pages in 2 bytes
	ranges, next uint64
	n            uint64
}

// CreatePostings starts postings.lsh.
func CreatePostings(path string, form PostingsForm) (*PostingsWriter, error) {
	if form.Modulus < 1 || form.Bits < 1 || form.Bits > 64 {
		return nil, fmt.Errorf("postings of one shingle in %d, of %d bits", form.Modulus, form.Bits)
	}
	w := mapped.Create(path, "postings", postingsVersion)
	lead := min(bits.Len64(uint64(form.Expected)/postingsInRange), form.Bits, 32)
	p := &PostingsWriter{writer: writer{w}, shift: form.Bits - lead, narrow: form.Pages <= 1<<16, ranges: 1 << lead}
	p.low = max(0, p.shift-16)
	head := w.Section("form", 8)
	for _, n := range []uint64{form.Modulus, uint64(p.shift), uint64(p.low)} {
		head.U64(n)
	}
	size := 4
	if p.narrow {
		size = 2
	}
	p.page, p.rest, p.first = w.Section("page", size), w.Side("rest", 2), w.Offsets("first")
	p.first.U64(0)
	return p, nil
}

// Add appends a shingle of a page.
func (p *PostingsWriter) Add(value uint64, page uint32) {
	for of := min(value>>p.shift, p.ranges-1); p.next < of; p.next++ {
		p.first.U64(p.n)
	}
	p.n++
	p.rest.U16(uint16(value >> p.low))
	if p.narrow {
		p.page.U16(uint16(page))
	} else {
		p.page.U32(page)
	}
}

// Close publishes the table.
func (p *PostingsWriter) Close() error {
	for ; p.next < p.ranges; p.next++ {
		p.first.U64(p.n)
	}
	return p.w.Close()
}

// Postings reads postings.lsh, which lists for each indexed shingle the pages that contain it.
type Postings struct {
	file
	modulus    uint64
	shift, low uint64
	first      mapped.Offsets
	rest       column16
	page       column32
	narrow     column16 // pages of 2 bytes, used instead of page
}

// OpenPostings opens postings.lsh.
func OpenPostings(path string) (*Postings, error) {
	f, err := mapped.Open(path, "postings", postingsVersion)
	r := reader{f, err}
	p := &Postings{file: file{f}}
	if err != nil {
		return p, err
	}
	form := r.u64("form")
	p.first, p.rest = r.offsets("first"), r.u16("rest")
	if info, err := f.Info("page"); err == nil && info.ElemSize == 2 {
		p.narrow = r.u16("page")
	} else {
		p.page = r.u32("page")
	}
	fits := form.Len() == 3 && formFits(form.At(0), form.At(1), form.At(2), p.first.Len()) && p.Len() == p.rest.Len()
	if fits {
		p.modulus, p.shift, p.low = form.At(0), form.At(1), form.At(2)
	}
	return p, r.done(fits)
}

// formFits reports whether a PostingsWriter can have written this form: there are 2^lead ranges of values with the same
// leading bits, and rest holds the next 16 bits or all that are left.
func formFits(modulus, shift, low uint64, first int) bool {
	ranges := uint64(max(first-1, 0))
	if modulus == 0 || bits.OnesCount64(ranges) != 1 {
		return false
	}
	lead := uint64(bits.TrailingZeros64(ranges))
	return lead <= 32 && shift <= 64-lead && low == max(shift, 16)-16
}

// Len returns the number of postings.
func (p *Postings) Len() int { return max(p.page.Len(), p.narrow.Len()) }

// Modulus returns the number that divides the indexed shingles of long pages. If it is 1, every shingle of every page
// is indexed.
func (p *Postings) Modulus() uint64 { return p.modulus }

// Pages appends to dst the pages that contain a shingle. It may add pages of another shingle with the same leading
// bits, one in 65,536 of those in its range; callers compare the pages anyway.
func (p *Postings) Pages(dst []uint32, value uint64) []uint32 {
	from, to := p.of(value)
	if p.page.Len() > 0 {
		return append(dst, p.page.Slice(from, to)...)
	}
	for _, page := range p.narrow.Slice(from, to) {
		dst = append(dst, uint32(page))
	}
	return dst
}

// Count returns the number of pages that Pages would append.
func (p *Postings) Count(value uint64) int {
	from, to := p.of(value)
	return to - from
}

// of returns where the postings of a shingle begin and end.
func (p *Postings) of(value uint64) (from, to int) {
	if p.first.Len() < 2 {
		return 0, 0
	}
	start, end := p.span("first", p.first, int(p.rangeOf(value)), p.rest.Len())
	from, to = equalRange(p.rest.Slice(start, end), uint16(value>>p.low))
	return start + from, start + to
}

// rangeOf returns the number of the range of a value.
func (p *Postings) rangeOf(value uint64) uint64 {
	return min(value>>p.shift, uint64(p.first.Len()-2))
}

// equalRange returns where the entries of an ascending list that equal a value begin and end.
func equalRange(list []uint16, value uint16) (from, to int) {
	from = sort.Search(len(list), func(i int) bool { return list[i] >= value })
	to = from + sort.Search(len(list)-from, func(i int) bool { return list[from+i] > value })
	return from, to
}

// Check checks that the postings are in order and that their pages are less than pages. It returns the sum of their
// digests, which must equal the sum of Digest over all shingles that should be in the index.
func (p *Postings) Check(ctx context.Context, pages int) (digests uint64, err error) {
	rest, ranges := p.rest.All(), p.first.Len()-1
	if ranges < 1 || p.first.At(0) != 0 || p.first.At(ranges) != uint64(p.Len()) {
		return 0, fmt.Errorf("the ranges do not hold all %d postings", p.Len())
	}
	for of := range ranges {
		start, end := p.first.At(of), p.first.At(of+1)
		if start > end || end > uint64(p.Len()) {
			return 0, fmt.Errorf("range %d: from posting %d to %d", of, start, end)
		}
		for i := start; i < end; i++ {
			if i > start && rest[i] < rest[i-1] {
				return 0, fmt.Errorf("posting %d: out of order", i)
			}
			page := p.pageAt(i)
			if int64(page) >= int64(pages) {
				return 0, fmt.Errorf("posting %d: page %d of %d", i, page, pages)
			}
			digests += digest(uint64(of), rest[i], page)
		}
		if of%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	return digests, nil
}

func (p *Postings) pageAt(i uint64) uint32 {
	if p.page.Len() > 0 {
		return p.page.At(int(i))
	}
	return uint32(p.narrow.At(int(i)))
}

// Digest returns the digest of the posting of a shingle of a page (see Check).
func (p *Postings) Digest(value uint64, page uint32) uint64 {
	return digest(p.rangeOf(value), uint16(value>>p.low), page)
}

// digest mixes the parts of a posting.
func digest(of uint64, rest uint16, page uint32) uint64 {
	h := (of<<16|uint64(rest))*0x9e3779b97f4a7c15 ^ uint64(page)*0xd6e8feb86659fd93
	h = (h ^ h>>32) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29) * 0x94d049bb133111eb
	return h ^ h>>32
}
