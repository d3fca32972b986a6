package tables

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
)

// postingsTable has had these versions:
//
//	1  the value (8 bytes) and the page (4) of every posting; only in runs of format 1, which are no longer read
//	2  the modulus of the sample; values as a range of leading bits and 16 bits more, pages in 2 or 4 bytes
//	3  ranges in Golomb-Rice codes
var postingsTable = kind{"postings", 3}

type postingColumns struct {
	form  numbers64     `lsh:"form,stream"` // modulus, shift, low, width
	list  octets        `lsh:"list,stream"`
	sum   numbers64     `lsh:"total"` // number of postings
	first mapped.Starts `lsh:"first"`
}

// A range holds the postings of the values with the same leading bits. It is stored as their number (a uvarint), the next 16
// bits of the values, as gaps (see package rice), and the pages, in as many bits as the largest page takes. An empty range
// takes nothing.

// postingsInRange is the largest number of postings that a range is expected to have.
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
	postingColumns
	shift, low   int
	width        int // bits of a page
	ranges, next uint64
	n            uint64
	last         uint16   // of the range
	gaps, pages  []uint64 // of the range
	packed       rice.Writer
}

// CreatePostings starts postings.lsh.
func CreatePostings(path string, form PostingsForm) (*PostingsWriter, error) {
	if form.Modulus < 1 || form.Bits < 1 || form.Bits > 64 {
		return nil, fmt.Errorf("postings of one shingle in %d, of %d bits", form.Modulus, form.Bits)
	}
	lead := min(bits.Len64(uint64(form.Expected)/postingsInRange), form.Bits, 32)
	p := &PostingsWriter{shift: form.Bits - lead, width: bits.Len(uint(max(form.Pages-1, 0))), ranges: 1 << lead}
	p.low = max(0, p.shift-16)
	p.writer = postingsTable.create(path, &p.postingColumns)
	p.form.AddAll([]uint64{form.Modulus, uint64(p.shift), uint64(p.low), uint64(p.width)})
	return p, nil
}

// Add appends a shingle of a page.
func (p *PostingsWriter) Add(value uint64, page uint32) {
	for of := min(value>>p.shift, p.ranges-1); p.next < of; {
		p.end()
	}
	rest := uint16(value >> p.low)
	p.gaps, p.pages, p.last = append(p.gaps, uint64(rest-p.last)), append(p.pages, uint64(page)), rest
	p.n++
}

// end writes a range.
func (p *PostingsWriter) end() {
	p.packed.Bytes = p.packed.Bytes[:0]
	if len(p.gaps) > 0 {
		p.packed.Bytes = binary.AppendUvarint(p.packed.Bytes, uint64(len(p.gaps)))
		p.packed.List(p.gaps)
		for _, page := range p.pages {
			p.packed.Bits(page, p.width)
		}
		p.packed.End()
		p.list.AddAll(p.packed.Bytes)
		p.gaps, p.pages, p.last = p.gaps[:0], p.pages[:0], 0
	}
	p.first.Add(len(p.packed.Bytes))
	p.next++
}

// Close publishes the table.
func (p *PostingsWriter) Close() error {
	for p.next < p.ranges {
		p.end()
	}
	p.sum.Add(p.n)
	p.list.AddAll(make([]byte, rice.Padding))
	return p.w.Close()
}

// Postings reads postings.lsh, which lists for each indexed shingle the pages that contain it.
type Postings struct {
	file
	postingColumns
	modulus    uint64
	shift, low uint64
	width      int // bits of a page
	total      int
}

// OpenPostings opens postings.lsh.
func OpenPostings(path string) (*Postings, error) {
	p := new(Postings)
	return p, postingsTable.open(path, &p.file, &p.postingColumns, func() bool {
		if p.form.Len() != 4 {
			return false
		}
		p.modulus, p.shift, p.low, p.width = p.form.At(0), p.form.At(1), p.form.At(2), int(min(p.form.At(3), 33))
		p.total = int(p.sum.At(0))
		return p.sum.Len() == 1 && formFits(p.modulus, p.shift, p.low, p.first.Len()) && p.width <= 32 &&
			p.list.Len() >= rice.Padding && p.sum.At(0) <= uint64(p.list.Len())*8
	})
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
func (p *Postings) Len() int { return p.total }

// Modulus returns the number that divides the indexed shingles of long pages. If it is 1, every shingle of every page
// is indexed.
func (p *Postings) Modulus() uint64 { return p.modulus }

// Pages appends to dst the pages that contain a shingle. It may add pages of another shingle with the same leading
// bits, one in 65,536 of those in its range; callers compare the pages anyway.
func (p *Postings) Pages(dst []uint32, value uint64) []uint32 {
	from, to, pages := p.of(value)
	for i := from; i < to; i++ {
		dst = append(dst, p.page(pages, i))
	}
	return dst
}

// Count returns the number of pages that Pages would append.
func (p *Postings) Count(value uint64) int {
	from, to, _ := p.of(value)
	return to - from
}

// of returns where the postings of a shingle begin and end in their range, and the pages of the range.
func (p *Postings) of(value uint64) (from, to int, pages []byte) {
	if p.first.Len() < 2 {
		return 0, 0, nil
	}
	var buffer [2 * postingsInRange]uint16
	rest, pages := p.read(int(p.rangeOf(value)), buffer[:0])
	from, to = equalRange(rest, uint16(value>>p.low))
	return from, to, pages
}

// read returns the 16 bits of the values of a range, in the memory of dst if it is large enough, and its pages, packed.
func (p *Postings) read(of int, dst []uint16) (rest []uint16, pages []byte) {
	from, to := p.first.Span(of, p.list.Len()-rice.Padding)
	if from == to {
		return nil, nil
	}
	list := p.list.Slice(from, to+rice.Padding)
	n, at := binary.Uvarint(list)
	if at > 0 && n > 0 && n <= uint64(len(list))*8 {
		rest = slices.Grow(dst[:0], int(n))[:n]
		if after, ok := rice.List(rest, list[at:]); ok && (int(n)*p.width+7)/8+rice.Padding == len(after) {
			sum, sorted := uint16(0), true
			for i, gap := range rest {
				rest[i] = sum + gap
				sorted, sum = sorted && rest[i] >= sum, rest[i]
			}
			if sorted {
				return rest, after
			}
		}
	}
	p.f.Report("list", from, "the postings of range %d are damaged", of)
	return nil, nil
}

// page returns a page of a range.
func (p *Postings) page(pages []byte, i int) uint32 {
	at := i * p.width
	return uint32(binary.LittleEndian.Uint64(pages[at>>3:]) >> (at & 7) & (1<<p.width - 1))
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
	ranges, n := p.first.Len()-1, 0
	var rest []uint16
	for of := range ranges {
		var packed []byte
		rest, packed = p.read(of, rest)
		if err := p.Err(); err != nil {
			return 0, err
		}
		for i, r := range rest {
			page := p.page(packed, i)
			if int64(page) >= int64(pages) {
				return 0, fmt.Errorf("posting %d: page %d of %d", n+i, page, pages)
			}
			digests += digest(uint64(of), r, page)
		}
		n += len(rest)
		if of%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
	}
	if n != p.total || p.first.At(0) != 0 || p.first.At(ranges) != uint64(p.list.Len()-rice.Padding) {
		return 0, fmt.Errorf("the ranges hold %d postings of %d", n, p.total)
	}
	return digests, nil
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

// wholeUpTo is the number of shingles, in multiples of the modulus of the index, below which the index contains all
// shingles of a page. The sample of a shorter page would be too small to find it.
const wholeUpTo = 16

// IndexedWhole reports whether an index with the given modulus contains every shingle of a page with n shingles.
func IndexedWhole(n int, modulus uint64) bool { return modulus == 1 || uint64(n)/modulus < wholeUpTo }
