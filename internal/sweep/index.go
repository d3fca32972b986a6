package sweep

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/lshclust/lshclust/internal/mapped"
)

// About describes an index.
type About struct {
	Reader     uint32 // version of the records
	Generation uint32 // number of sweeps before this one, from 0
	Late       int64  // time by which nine in ten captures were made ([Dates.Late]), in milliseconds since 1970; 0 unknown
}

// IndexWriter writes an index.
type IndexWriter struct {
	w                     *mapped.Writer
	key, hash, last       *mapped.Section
	offset, inside, where *mapped.Section
	raw, byRaw            *mapped.Section
	names                 []string
}

// CreateIndex begins an index.
func CreateIndex(path string) (*IndexWriter, error) {
	w, err := mapped.Create(path, indexKind, version)
	if err != nil {
		return nil, err
	}
	return &IndexWriter{
		w: w, key: w.Section("key", 16), hash: w.Side("hash", 8), last: w.Side("last", 8), offset: w.Side("offset", 8),
		inside: w.Side("inside", 4), where: w.Side("segment", 4),
		raw: w.Side("raw", 16), byRaw: w.Side("by-raw", 4),
	}, nil
}

// Segment adds a segment and returns its number.
func (w *IndexWriter) Segment(name string) uint32 {
	w.names = append(w.names, name)
	return uint32(len(w.names) - 1)
}

// Add adds an entry, in the order of keys, whose segment is a number that Segment returned.
func (w *IndexWriter) Add(e Entry) {
	w.key.Bytes(e.Key[:])
	w.hash.U64(e.Hash)
	w.last.U64(uint64(e.Millis))
	w.offset.U64(e.Offset)
	w.inside.U32(e.Inside)
	w.raw.Bytes(e.Raw[:])
	w.where.U32(e.Segment)
}

// AddRaw adds the number of an entry that has a raw key, in the order of raw keys.
func (w *IndexWriter) AddRaw(entry uint32) { w.byRaw.U32(entry) }

// Close publishes the index.
func (w *IndexWriter) Close(a About) error {
	s := w.w.Strings("segments")
	for _, name := range w.names {
		s.Add(name)
	}
	about := w.w.Side("about", 8)
	about.U64(uint64(a.Reader))
	about.U64(uint64(a.Generation))
	about.U64(uint64(a.Late))
	return w.w.Close()
}

// Abort removes what was written, unless Close was called.
func (w *IndexWriter) Abort() { w.w.Abort() }

// Store is the index of a finished run, with its segments. Several goroutines may use it.
type Store struct {
	About
	f           *mapped.File
	key, raw    mapped.Column[byte]
	hash, last  mapped.Column[uint64]
	offset      mapped.Column[uint64]
	inside, seg mapped.Column[uint32]
	byRaw       mapped.Column[uint32] // numbers of entries in the order of their raw keys
	names       mapped.Strings
	dir         string
	files       []*mapped.File
	blocks      []mapped.Column[byte]
	common      []mapped.Column[uint64] // of each segment, two numbers for each number: offset and length
}

// Open opens what the run in a directory keeps. The error is ErrNothingKept if it keeps nothing.
func Open(dir string) (*Store, error) {
	path := filepath.Join(dir, IndexFile)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNothingKept)
	}
	f, err := mapped.Open(path, indexKind, version)
	if err != nil {
		return nil, err
	}
	s := &Store{f: f, dir: dir}
	if err := s.open(); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) open() error {
	var errs [9]error
	s.key, errs[0] = s.f.Bytes("key")
	s.hash, errs[1] = s.f.U64("hash")
	s.last, errs[2] = s.f.U64("last")
	s.offset, errs[3] = s.f.U64("offset")
	s.inside, errs[4] = s.f.U32("inside")
	s.seg, errs[5] = s.f.U32("segment")
	s.raw, errs[6] = s.f.Bytes("raw")
	s.byRaw, errs[7] = s.f.U32("by-raw")
	s.names, errs[8] = s.f.Strings("segments")
	about, errAbout := s.f.U64("about")
	if err := cmp.Or(cmp.Or(errs[:]...), errAbout); err != nil {
		return err
	}
	n := s.hash.Len()
	if s.key.Len() != 16*n || s.last.Len() != n || s.offset.Len() != n || s.inside.Len() != n || s.seg.Len() != n || s.raw.Len() != 16*n || about.Len() != 3 {
		return fmt.Errorf("%s: the lengths of its sections do not fit each other", s.f.Path())
	}
	s.About = About{Reader: uint32(about.At(0)), Generation: uint32(about.At(1)), Late: int64(about.At(2))}
	for i := range s.names.Len() {
		if err := s.openSegment(s.names.At(i)); err != nil {
			return err
		}
	}
	return s.f.Err()
}

func (s *Store) openSegment(name string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s: %w: it names a segment %q", s.f.Path(), ErrDamaged, name)
	}
	f, err := mapped.Open(filepath.Join(s.dir, name), segmentKind, version)
	if err != nil {
		return err
	}
	s.files = append(s.files, f)
	blocks, err := f.Bytes("blocks")
	common, errCommon := f.U64("common")
	s.blocks, s.common = append(s.blocks, blocks), append(s.common, common)
	return cmp.Or(err, errCommon)
}

// Close closes the index and the segments.
func (s *Store) Close() error {
	err := s.f.Close()
	for _, f := range s.files {
		if e := f.Close(); err == nil {
			err = e
		}
	}
	return err
}

// Err returns the first damage that was met.
func (s *Store) Err() error {
	err := s.f.Err()
	for _, f := range s.files {
		if err == nil {
			err = f.Err()
		}
	}
	return err
}

// Len returns the number of entries.
func (s *Store) Len() int { return s.hash.Len() }

// At returns entry i, whose state is Known.
func (s *Store) At(i int) Entry {
	e := Entry{Hash: s.hash.At(i), Millis: int64(s.last.At(i)), Segment: s.seg.At(i), Offset: s.offset.At(i), Inside: s.inside.At(i)}
	copy(e.Key[:], s.key.Slice(16*i, 16*i+16))
	copy(e.Raw[:], s.raw.Slice(16*i, 16*i+16))
	return e
}

// Segment returns the path of a segment and its name.
func (s *Store) Segment(i uint32) (path, name string) {
	name = strings.Clone(s.names.At(int(i))) // which points into the index
	return filepath.Join(s.dir, name), name
}

// Find returns the entry of a key.
func (s *Store) Find(k Key) (Entry, bool) {
	return s.find(k, s.Len(), func(i int) (entry int, key []byte) { return i, s.key.Slice(16*i, 16*i+16) })
}

// FindRaw returns the entry of a raw key.
func (s *Store) FindRaw(raw Key) (Entry, bool) {
	return s.find(raw, s.byRaw.Len(), func(i int) (entry int, key []byte) {
		entry = int(s.byRaw.At(i))
		return entry, s.raw.Slice(16*entry, 16*entry+16)
	})
}

// find returns the entry of a key. at returns the entry and the key at a place among n in the order of the keys.
func (s *Store) find(k Key, n int, at func(i int) (entry int, key []byte)) (Entry, bool) {
	compare := func(i int) int { _, key := at(i); return bytes.Compare(key, k[:]) }
	// Keys are evenly spread, so that the place of a key is close to its share of all keys.
	guess := int(float64(binary.BigEndian.Uint64(k[:])) / (1 << 64) * float64(n))
	const reach = 256
	from, to := max(0, guess-reach), min(n, guess+reach)
	if from > 0 && compare(from) > 0 || to < n && compare(to-1) < 0 {
		from, to = 0, n
	}
	i := from + sort.Search(to-from, func(i int) bool { return compare(from+i) >= 0 })
	if i == to || compare(i) != 0 {
		return Entry{}, false
	}
	entry, _ := at(i)
	return s.At(entry), true
}
