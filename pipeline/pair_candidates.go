package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
)

// The candidates that a part of the search has found are a file of lists by place (see ordered), each in the order of
// the packed records from which it is made. A list is the distance of its place from that of the list before, or from
// the first of the range; the number of candidates; and for each the distance of its place from the one before, or from
// the place of the list, and by how much more it differs. All of them are variable-length numbers: a candidate takes 3
// to 4 bytes where a record takes 8. Similar bags have places near each other.

const (
	candidatesKind    = "found"
	candidatesVersion = 1
)

// packedSize is the size of a record that packing packs, a big-endian number.
const packedSize = 8

// packing packs two places and the number of signatures in which they differ into 64 bits: 28 bits for a place of one
// of 2^28 and 8 for the difference. With more places the lowest bits of the difference are left out.
type packing struct{ place, dropped int }

func newPacking(places int) packing {
	k := packing{place: bits.Len(uint(max(places-1, 1)))}
	k.dropped = max(0, 8-(64-2*k.place))
	return k
}

// candidate packs a candidate b of place a. The records of a place are together, those that agree best first, and those
// that agree alike in the order of their places.
func (k packing) candidate(a, b uint32, differs int) uint64 {
	return uint64(a)<<(64-k.place) | uint64(differs>>k.dropped)<<k.place | uint64(b)
}

// places returns the places of a candidate.
func (k packing) places(candidate uint64) (a, b uint32) {
	return uint32(candidate >> (64 - k.place)), uint32(candidate & (1<<k.place - 1))
}

// split returns what candidate has packed.
func (k packing) split(candidate uint64) (a, b, differs uint32) {
	a, b = k.places(candidate)
	return a, b, uint32(candidate >> k.place & (1<<(64-2*k.place) - 1))
}

// writeCandidates writes the packed candidates of a sorter for a number of places to a file, in ranges of some size.
func writeCandidates(ctx context.Context, path string, places, size int, from *extsort.Sorter) error {
	w, err := mapped.Create(path, candidatesKind, candidatesVersion)
	if err != nil {
		return err
	}
	defer w.Abort()
	c := candidatesWriter{packing: newPacking(places), size: uint32(size), first: w.Side("first", 8), list: w.Section("list", 1)}
	err = records(ctx, from, func(rec []byte) error {
		c.add(binary.BigEndian.Uint64(rec))
		return nil
	})
	c.end(partsOf(places, size))
	return cmp.Or(err, w.Close())
}

// candidatesWriter writes lists of candidates.
type candidatesWriter struct {
	packing     packing
	size        uint32          // places of each range
	first, list *mapped.Section // where the lists of each range begin; the lists
	ranges      int             // that have begun
	before      uint32          // the place of the last written list, or where the range begins

	place         uint32 // of the current list
	n             uint64 // its candidates
	entries       []byte // which are packed here
	last, differs uint32 // of the last candidate
}

func (w *candidatesWriter) add(candidate uint64) {
	a, b, differs := w.packing.split(candidate)
	if w.n == 0 || a != w.place {
		w.flush()
		w.begin(int(a/w.size) + 1)
		w.place, w.last, w.differs = a, a, 0
	}
	away, more := int64(b)-int64(w.last), differs-w.differs
	entry := uint64(away<<1^away>>63) << 1
	if more == 0 {
		w.entries = binary.AppendUvarint(w.entries, entry)
	} else {
		w.entries = binary.AppendUvarint(binary.AppendUvarint(w.entries, entry|1), uint64(more))
	}
	w.n++
	w.last, w.differs = b, differs
}

// flush writes the current list.
func (w *candidatesWriter) flush() {
	if w.n == 0 {
		return
	}
	var head [2 * binary.MaxVarintLen64]byte
	w.list.Bytes(binary.AppendUvarint(binary.AppendUvarint(head[:0], uint64(w.place-w.before)), w.n))
	w.list.Bytes(w.entries)
	w.n, w.entries, w.before = 0, w.entries[:0], w.place
}

// begin begins ranges until there are as many as given.
func (w *candidatesWriter) begin(ranges int) {
	for ; w.ranges < ranges; w.ranges++ {
		w.first.U64(uint64(w.list.Size()))
		w.before = uint32(w.ranges) * w.size
	}
}

func (w *candidatesWriter) end(ranges int) {
	w.flush()
	w.begin(ranges + 1)
}

// candidateFiles are the candidates that all parts of the search have found.
type candidateFiles struct {
	packing packing
	places  int
	size    int // places of each range
	files   []candidateFile
}

type candidateFile struct {
	file  *mapped.File
	first mapped.Column[uint64]
	list  mapped.Column[byte]
}

func (b *build) openCandidates(places int) (c candidateFiles, err error) {
	c.packing, c.places, c.size = newPacking(places), places, b.sizes.partNodes(places)
	parts, err := b.recorded("pair", pairSearch)
	for i := range parts {
		var f candidateFile
		if f, err = openCandidateFile(b.dir.Path(stepFile(pairSearch, "", i))); err != nil {
			break
		}
		c.files = append(c.files, f)
	}
	if err != nil {
		c.close()
	}
	return c, err
}

func openCandidateFile(path string) (f candidateFile, err error) {
	if f.file, err = mapped.Open(path, candidatesKind, candidatesVersion); err != nil {
		return f, err
	}
	var errFirst, errList error
	f.first, errFirst = f.file.U64("first")
	f.list, errList = f.file.Bytes("list")
	if err = cmp.Or(errFirst, errList); err != nil {
		f.file.Close()
	}
	return f, err
}

func (c candidateFiles) close() {
	for _, f := range c.files {
		f.file.Close()
	}
}

// err returns the first damage in what was read.
func (c candidateFiles) err() error {
	for _, f := range c.files {
		if err := f.file.Err(); err != nil {
			return err
		}
	}
	return nil
}

// of returns the candidates of the places of a part.
func (c candidateFiles) of(r places) *candidates {
	out := &candidates{packing: c.packing, places: c.places}
	i := int(r.from) / c.size
	for _, f := range c.files {
		from, to := int(f.first.At(i)), int(f.first.At(i+1))
		l := candidateLists{file: f.file, place: r.from, rest: f.list.Slice(from, to), end: to}
		l.head()
		out.lists = append(out.lists, l)
	}
	return out
}

// candidates are the candidates of the places of a part.
type candidates struct {
	packing packing
	places  int
	lists   []candidateLists // of each part of the search
	packed  []uint64         // those of the current place
	found   []uint32
}

// next returns the candidates of a place, which follows the one before: those that agree best first.
func (c *candidates) next(place uint32) []uint32 {
	c.packed, c.found = c.packed[:0], c.found[:0]
	for i := range c.lists {
		if l := &c.lists[i]; l.n > 0 && l.place == place {
			c.packed = l.read(c.packed, c.packing, c.places)
		}
	}
	slices.Sort(c.packed)
	for _, packed := range c.packed {
		_, other := c.packing.places(packed)
		c.found = append(c.found, other)
	}
	return c.found
}

// candidateLists are the lists of a range of places in a file.
type candidateLists struct {
	file  *mapped.File
	rest  []byte // nil after damage
	end   int    // where rest ends in its section
	place uint32 // of the list whose candidates come next
	n     uint64 // its candidates; 0 after the last list
}

// head reads the place of the next list and the number of its candidates.
func (l *candidateLists) head() {
	if l.n = 0; len(l.rest) > 0 {
		l.place += uint32(l.number())
		l.n = l.number()
	}
}

// number reads a number.
func (l *candidateLists) number() uint64 {
	v, n := binary.Uvarint(l.rest)
	if n <= 0 {
		l.damaged()
		return 0
	}
	l.rest = l.rest[n:]
	return v
}

// read appends the candidates of the current list, packed, and goes on to the next list.
func (l *candidateLists) read(to []uint64, k packing, places int) []uint64 {
	last, differs := int64(l.place), uint64(0)
	for ; l.n > 0; l.n-- {
		entry := l.number()
		if entry&1 != 0 {
			differs += l.number()
		}
		away := entry >> 1
		last += int64(away>>1) ^ -int64(away&1)
		if last < 0 || last >= int64(places) || differs>>(64-2*k.place) != 0 {
			l.damaged()
		}
		if l.rest == nil {
			break
		}
		to = append(to, uint64(l.place)<<(64-k.place)|differs<<k.place|uint64(last))
	}
	l.head()
	return to
}

// damaged reports that the lists are not as they were written, and ends them.
func (l *candidateLists) damaged() {
	l.file.Report("list", l.end-len(l.rest), "no list of candidates")
	l.rest = nil
}
