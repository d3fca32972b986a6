package tables

import (
	"encoding/binary"
	"fmt"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/rice"
	"github.com/lshclust/lshclust/shingles"
)

// shinglesTable has had these versions: 1 had 8 bytes for each value; 2 packs the values; 3 had Golomb-Rice codes; 4 has
// gaps of as many bits as the largest of the page needs; 5 has other digests of words, and digests of sets; 6 has
// other values.
var shinglesTable = kind{"shingles", 6}

type shingleColumns struct {
	doc     numbers32     `lsh:"doc" of:"page"`
	host    numbers32     `lsh:"host" of:"page"`
	first   mapped.Starts `lsh:"first" of:"page"`
	bytes   numbers64     `lsh:"bytes" of:"page"`
	lexical numbers64     `lsh:"lexical" of:"page"`
	digest  numbers64     `lsh:"digest" of:"page"`
	all     numbers32     `lsh:"all" of:"page"`
	value   octets        `lsh:"value,stream"`
}

// ShinglesWriter writes shingles.lsh in order of the documents.
type ShinglesWriter struct {
	writer
	shingleColumns
	distinct *numbers32 // for sketches, otherwise nil
	packed   []byte
}

// CreateShingles starts shingles.lsh.
func CreateShingles(path string) *ShinglesWriter {
	s := new(ShinglesWriter)
	s.writer = shinglesTable.create(path, &s.shingleColumns)
	return s
}

// ShinglePage is a row of shingles.lsh: one crawled page.
type ShinglePage struct {
	Document uint32
	Host     uint32   // number of its host, below 2^31
	Notice   bool     // its label says that it is not content: it may equal other pages, but is not paired with any
	Bytes    uint64   // digest of the decoded content
	Lexical  uint64   // digest of the canonical words
	Shingles uint32   // number of shingles of the text, including repeated ones
	Values   []uint64 // their distinct values, ascending, or a sketch of them
	Packed   []byte   // if not nil, what rice.AppendGaps made of Values, which is nil then
	Digest   uint64   // digest of the distinct values (see resemble.Digest)
	Distinct uint32   // with a sketch: number of distinct values
}

// noticeBit marks the number of the host of a page with a notice.
const noticeBit = 1 << 31

// Add appends a page.
func (s *ShinglesWriter) Add(p ShinglePage) {
	s.doc.Add(p.Document)
	if p.Notice {
		p.Host |= noticeBit
	}
	s.host.Add(p.Host)
	s.bytes.Add(p.Bytes)
	s.lexical.Add(p.Lexical)
	s.digest.Add(p.Digest)
	s.all.Add(p.Shingles)
	if s.distinct != nil {
		s.distinct.Add(p.Distinct)
	}
	if p.Packed == nil {
		s.packed = rice.AppendGaps(s.packed[:0], p.Values)
		p.Packed = s.packed
	}
	s.value.AddAll(p.Packed)
	s.first.Add(len(p.Packed))
}

// Close publishes the table.
func (s *ShinglesWriter) Close() error {
	s.pad()
	return s.writer.Close()
}

// pad ends the values.
func (s *ShinglesWriter) pad() { s.value.AddAll(make([]byte, rice.Padding)) }

// Shingles reads shingles.lsh. Pages are numbered in order of their documents. It implements resemble.Documents.
type Shingles struct {
	file
	shingleColumns
	sketches *sketchColumns // nil if the table has whole sets
	sketcher shingles.Sketcher
}

// OpenShingles opens shingles.lsh.
func OpenShingles(path string) (*Shingles, error) {
	s := new(Shingles)
	return s, shinglesTable.open(path, &s.file, &s.shingleColumns, s.fits)
}

// fits opens the additional columns of a table of sketches, and reports whether the columns fit each other.
func (s *Shingles) fits() bool { return s.value.Len() >= rice.Padding && s.openSketches() }

// Len returns the number of pages.
func (s *Shingles) Len() int { return s.doc.Len() }

// Values returns the set of shingles of a page, or the samples in its sketch, ascending.
func (s *Shingles) Values(page uint32) []uint64 { return s.AppendValues(nil, page) }

// AppendValues appends the values of a page.
func (s *Shingles) AppendValues(dst []uint64, page uint32) []uint64 {
	from, to := s.first.Span(int(page), s.value.Len()-rice.Padding)
	if from == to {
		return dst
	}
	values, rest, ok := rice.Gaps(dst, s.value.Slice(from, to+rice.Padding))
	if !ok || len(rest) != rice.Padding {
		s.f.Report("value", from, "the values of page %d are damaged", page)
		return dst
	}
	return values
}

// Stored returns the number of values of a page in the table.
func (s *Shingles) Stored(page uint32) int {
	from, to := s.first.Span(int(page), s.value.Len()-rice.Padding)
	n, _ := binary.Uvarint(s.value.Slice(from, to))
	return int(min(n, uint64(8*(to-from)+1)))
}

// Scattered tells the kernel whether pages are read in random order, so that it need not read ahead.
func (s *Shingles) Scattered(on bool) { s.f.Scattered(on) }

// fetchFrom is the size of the values from which on it is worth while to ask the kernel for those of a page.
const fetchFrom = 256 << 20

// Fetch asks the kernel to start reading the values of a page.
func (s *Shingles) Fetch(page uint32) {
	if s.value.Len() < fetchFrom {
		return
	}
	s.value.Fetch(s.first.Span(int(page), s.value.Len()-rice.Padding))
}

// Bytes returns the digest of the content of a page.
func (s *Shingles) Bytes(page uint32) uint64 { return s.bytes.At(int(page)) }

// Lexical returns the digest of the canonical words of a page.
func (s *Shingles) Lexical(page uint32) uint64 { return s.lexical.At(int(page)) }

// Digest returns the digest of the set of all shingles of a page.
func (s *Shingles) Digest(page uint32) uint64 { return s.digest.At(int(page)) }

// Host returns the number of the host of a page.
func (s *Shingles) Host(page uint32) uint32 { return s.host.At(int(page)) &^ noticeBit }

// Notice reports whether the label of a page says that it is not content.
func (s *Shingles) Notice(page uint32) bool { return s.host.At(int(page))&noticeBit != 0 }

// Count returns the number of shingles of the text of a page, including repeated ones.
func (s *Shingles) Count(page uint32) uint32 { return s.all.At(int(page)) }

// Document returns the document of a page, or None if there is no such page.
func (s *Shingles) Document(page uint32) uint32 {
	if int64(page) >= int64(s.doc.Len()) {
		return None
	}
	return s.doc.At(int(page))
}

// Page returns the page of a document. It returns false if the document was not crawled.
func (s *Shingles) Page(document uint32) (uint32, bool) {
	i, ok := search(s.doc.Column, document)
	return uint32(i), ok
}

// sketchColumns are the columns that shingles.lsh has in addition if a run keeps sketches. The column value then contains the
// samples of each page.
type sketchColumns struct {
	sketch   numbers64 `lsh:"sketch,stream"` // kind, m, s of the sketches
	distinct numbers32 `lsh:"distinct"`      // number of distinct shingles of each page
}

// CreateSketches starts shingles.lsh for a run that keeps only sketches of pages.
func CreateSketches(path string, how shingles.Sketcher) *ShinglesWriter {
	s := new(ShinglesWriter)
	s.writer = shinglesTable.create(path, new(struct{}))
	s.declare(how)
	return s
}

// declare starts the columns of a table of sketches.
func (s *ShinglesWriter) declare(how shingles.Sketcher) {
	var c sketchColumns
	s.w.Declare("", &c)
	c.sketch.AddAll([]uint64{uint64(how.Kind), how.M, uint64(how.S)})
	s.distinct = &c.distinct
	s.w.Declare("", &s.shingleColumns)
}

// openSketches opens the additional columns of a table of sketches.
func (s *Shingles) openSketches() bool {
	if !s.f.Has("sketch") {
		return true
	}
	s.sketches = new(sketchColumns)
	head := &s.sketches.sketch
	if s.f.Load("", s.sketches) != nil || head.Len() != 3 || s.sketches.distinct.Len() != s.doc.Len() {
		return false
	}
	s.sketcher = shingles.Sketcher{Kind: shingles.Kind(head.At(0)), M: head.At(1), S: int(head.At(2))}
	if s.sketcher.Kind > shingles.Var || s.sketcher.S < 0 {
		s.f.Report("sketch", 0, "%s", fmt.Sprint("sketches of ", s.sketcher.Kind))
		s.sketcher = shingles.Sketcher{}
	}
	return true
}

// Sketched reports whether the table contains sketches of the pages rather than whole sets of shingles. If so, it
// implements resemble.Sketches.
func (s *Shingles) Sketched() bool { return s.sketches != nil }

// Sketcher returns the sketcher that made the sketches.
func (s *Shingles) Sketcher() shingles.Sketcher { return s.sketcher }

// Size returns the number of distinct shingles of a page.
func (s *Shingles) Size(page uint32) int {
	if s.sketches == nil {
		return s.Stored(page)
	}
	return int(s.sketches.distinct.At(int(page)))
}
