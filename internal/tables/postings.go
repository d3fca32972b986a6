package tables

import (
	"fmt"
	"math/bits"
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
)

// postingsVersion is the version of postings.lsh.
//
//	1  value (8) and page (4) of every posting
//	2  values as buckets and 16 more bits, pages in 2 bytes where that is enough, and the modulus of the sample:
//	   4 to 6 bytes a posting instead of 12, so that small runs can hold all shingles. Version 1 is still read.
const postingsVersion = 2

// postingsInBucket is about the number of postings in a bucket; each bucket takes 8 bytes.
const postingsInBucket = 64

// PostingsForm says what postings are to be written.
type PostingsForm struct {
	Modulus  uint64 // long pages are there with the shingles that it divides; 1: all pages with all
	Bits     int    // of a value
	Pages    int    // in the run
	Expected int64  // postings, about
}

// PostingsWriter writes postings.lsh, in the order of (value, page).
type PostingsWriter struct {
	w                 *mapped.Writer
	page, rest, first *mapped.Section
	shift, low        int
	narrow            bool // pages in 2 bytes
	buckets, next     uint64
	n                 uint64
}

// CreatePostings starts postings.lsh.
func CreatePostings(path string, form PostingsForm) (*PostingsWriter, error) {
	if form.Modulus < 1 || form.Bits < 1 || form.Bits > 64 {
		return nil, fmt.Errorf("postings of one shingle in %d, of %d bits", form.Modulus, form.Bits)
	}
	w, err := mapped.Create(path, "postings", postingsVersion)
	if err != nil {
		return nil, err
	}
	lead := min(bits.Len64(uint64(form.Expected)/postingsInBucket), form.Bits, 32)
	p := &PostingsWriter{w: w, shift: form.Bits - lead, narrow: form.Pages <= 1<<16, buckets: 1 << lead}
	p.low = max(0, p.shift-16)
	head := w.Section("form", 8)
	for _, n := range []uint64{form.Modulus, uint64(p.shift), uint64(p.low)} {
		head.U64(n)
	}
	size := 4
	if p.narrow {
		size = 2
	}
	p.page, p.rest, p.first = w.Section("page", size), w.Side("rest", 2), w.Side("first", 8)
	p.first.U64(0)
	return p, nil
}

// Add appends a shingle of a page.
func (p *PostingsWriter) Add(value uint64, page uint32) {
	for bucket := min(value>>p.shift, p.buckets-1); p.next < bucket; p.next++ {
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
	for ; p.next < p.buckets; p.next++ {
		p.first.U64(p.n)
	}
	return p.w.Close()
}

// Abort removes what was written.
func (p *PostingsWriter) Abort() { p.w.Abort() }

// Postings reads postings.lsh: for each shingle that is in it the pages that have it.
type Postings struct {
	f          *mapped.File
	modulus    uint64
	shift, low uint64
	first      []uint64
	rest       []uint16
	page       []uint32
	narrow     []uint16 // instead of page

	value []uint64 // of version 1
}

// OpenPostings opens postings.lsh.
func OpenPostings(path string) (*Postings, error) {
	f, err := mapped.Open(path, "postings", 0)
	r := reader{f, err}
	p := &Postings{f: f}
	switch {
	case err != nil:
		return p, err
	case f.Version() == 1:
		p.value, p.page = r.u64("value"), r.u32("page")
		return p, r.done(len(p.value) == len(p.page))
	case f.Version() != postingsVersion:
		r.err = fmt.Errorf("%s: %w: version %d, known are 1 and %d", path, mapped.ErrVersion, f.Version(), postingsVersion)
		return p, r.done(true)
	}
	form := r.u64("form")
	p.first, p.rest = r.u64("first"), r.u16("rest")
	if info, err := f.Info("page"); err == nil && info.ElemSize == 2 {
		p.narrow = r.u16("page")
	} else {
		p.page = r.u32("page")
	}
	fits := len(form) == 3 && form[0] > 0 && form[1] <= 64 && form[2] <= form[1] && len(p.first) > 1 && max(len(p.page), len(p.narrow)) == len(p.rest)
	if fits {
		p.modulus, p.shift, p.low = form[0], form[1], form[2]
	}
	return p, r.done(fits)
}

// Len is the number of postings.
func (p *Postings) Len() int { return max(len(p.page), len(p.narrow)) }

// Modulus tells which shingles of long pages are there: those that it divides; 1: every shingle of every page. It is 0
// in a table of version 1, which does not say.
func (p *Postings) Modulus() uint64 { return p.modulus }

// Pages appends the pages that have a shingle to dst. Among them may be pages of another shingle that is equal in the
// leading bits, one in 65,536 of those in its bucket: what is found is to be compared anyway.
func (p *Postings) Pages(dst []uint32, value uint64) []uint32 {
	if p.value != nil {
		from, to := equalRange(p.value, value)
		return append(dst, p.page[from:to]...)
	}
	if len(p.first) < 2 {
		return dst
	}
	start, end := span(p.first, int(min(value>>p.shift, uint64(len(p.first)-2))), len(p.rest))
	from, to := equalRange(p.rest[start:end], uint16(value>>p.low))
	from, to = start+from, start+to
	if p.page != nil {
		return append(dst, p.page[from:to]...)
	}
	for _, page := range p.narrow[from:to] {
		dst = append(dst, uint32(page))
	}
	return dst
}

// equalRange finds the entries of an ascending list that equal one.
func equalRange[T uint16 | uint64](list []T, value T) (from, to int) {
	from = sort.Search(len(list), func(i int) bool { return list[i] >= value })
	to = from
	for to < len(list) && list[to] == value {
		to++
	}
	return from, to
}

// Close unmaps the table.
func (p *Postings) Close() error { return p.f.Close() }
