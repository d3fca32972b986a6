// Package sweep stores what the reader of a crawl made of each page, so that a later run over a newer crawl of the same
// site need not read a page again that has not changed.
//
// A record is whatever bytes the caller made of a page. Its [Key] is a digest of everything that the record was made
// from. A second key, the raw one, is a digest of the same before it is decoded, with which the caller finds most pages
// without decoding them. Records are packed into blocks, which are compressed, and blocks into segments. What many
// records have in common, such as the letters of words, is written once for all of them, beside the blocks. A segment is
// a file that never changes, so that a later run takes it over by a hard link. The index of a run, [IndexFile], names
// the segments, and for each key the place of its record, the raw key, the hash of the URL of the page, and the time of
// its last capture. It holds the pages of the run and those of earlier runs that are gone.
package sweep

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// IndexFile is the name of the index in a run.
const IndexFile = "sweep.lsh"

// SegmentPrefix begins the names of segments.
const SegmentPrefix = "sweep-"

const (
	indexKind   = "sweepidx"
	segmentKind = "sweepseg"
	version     = 3 // 1 had no raw keys; 2 packed with zstd and had nothing in common
)

// Key identifies a page by all that its record was made from.
type Key [16]byte

// Digester makes keys. The zero value is ready to use.
type Digester struct{ h xxh3.Hasher }

// Reset begins another key.
func (d *Digester) Reset() { d.h.Reset() }

// Add adds a field. Its length is part of the key.
func (d *Digester) Add(field []byte) {
	d.Number(uint64(len(field)))
	d.h.Write(field) //nolint:errcheck // it never fails
}

// String adds a field.
func (d *Digester) String(field string) {
	d.Number(uint64(len(field)))
	d.h.WriteString(field) //nolint:errcheck // it never fails
}

// Number adds a number.
func (d *Digester) Number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	d.h.Write(b[:]) //nolint:errcheck // it never fails
}

// Key returns the key of the fields since Reset.
func (d *Digester) Key() Key { return d.h.Sum128().Bytes() }

// State says where the record of an entry is, and whether the page is in the run.
type State byte

// The states of an entry, in the order in which entries of one key are sorted.
const (
	Known State = iota // an earlier run has the record
	Again              // an earlier run has the record, and this run has the page
	New                // a segment of this run has the record
)

// Entry is the place of a record.
type Entry struct {
	Key     Key
	State   State
	Hash    uint64 // of the URL of the page
	Millis  int64  // time of the last capture, in milliseconds since 1970; 0 unknown
	Segment uint32 // number of the segment in the index of the earlier run, or of the part of this run that wrote it
	Offset  uint64 // of the block in the segment
	Inside  uint32 // offset of the record in the block
	Raw     Key    // raw key of the page when it was last read; zero: none
}

// EntrySize is the size in bytes of an encoded entry. Entries sort by their bytes: by key, then by state.
const EntrySize = 16 + 1 + 8 + 8 + 4 + 8 + 4 + 16

// Append appends the encoded entry to dst.
func (e Entry) Append(dst []byte) []byte {
	dst = append(append(dst, e.Key[:]...), byte(e.State))
	dst = binary.BigEndian.AppendUint64(dst, e.Hash)
	dst = binary.BigEndian.AppendUint64(dst, uint64(e.Millis))
	dst = binary.BigEndian.AppendUint32(dst, e.Segment)
	dst = binary.BigEndian.AppendUint64(dst, e.Offset)
	return append(binary.BigEndian.AppendUint32(dst, e.Inside), e.Raw[:]...)
}

// DecodeEntry decodes EntrySize bytes.
func DecodeEntry(b []byte) (e Entry) {
	copy(e.Key[:], b)
	e.State, b = State(b[16]), b[17:]
	e.Hash, e.Millis = binary.BigEndian.Uint64(b), int64(binary.BigEndian.Uint64(b[8:]))
	e.Segment, e.Offset = binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint64(b[20:])
	e.Inside = binary.BigEndian.Uint32(b[28:])
	copy(e.Raw[:], b[32:])
	return e
}

// ErrNothingKept is the error for a run that keeps no records of its pages.
var ErrNothingKept = errors.New("the run does not keep what a later one can build upon")

// ErrOrder is the error for a run over a crawl that is older than that of the run that it comes after.
var ErrOrder = errors.New("the sweeps are in the wrong order")

// ErrDamaged is the error for a record that is not what was stored.
var ErrDamaged = errors.New("damaged record of an earlier sweep")

func damaged(path string, offset uint64) error {
	return fmt.Errorf("%s: %w at byte %d of its blocks; lshclust check tells more", path, ErrDamaged, offset)
}
