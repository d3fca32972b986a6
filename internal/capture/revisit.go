package capture

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/crawl"
)

// A revisit of a WARC is a page whose content is in another record: its original, which may come earlier, later or in
// another file. So the pipeline notes the places of all records that can be originals, and of the revisits, under the
// keys by which revisits refer to originals. Sorted, the notes of a key have its originals first, starting with the
// newest, and then its revisits, and a [Matcher] pairs them.

// Location is where a record begins. The caller numbers the files.
type Location struct {
	File          uint32
	Offset, Inner int64 // as in crawl.Position
}

const locationSize = 20

func (l Location) append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, l.File)
	dst = binary.BigEndian.AppendUint64(dst, uint64(l.Offset))
	return binary.BigEndian.AppendUint64(dst, uint64(l.Inner))
}

func decodeLocation(b []byte) Location {
	be := binary.BigEndian
	return Location{be.Uint32(b), int64(be.Uint64(b[4:])), int64(be.Uint64(b[12:]))}
}

// Place is the note of an original or of a revisit.
type Place struct {
	Key     uint64 // of the digest of the content, or of the URL
	Revisit bool   // otherwise an original
	Order   Order  // with the time of the original; for a revisit, of the original to which it refers
	At      Location
}

// PlaceSize is the size of an encoded Place in bytes.
const PlaceSize = 48

const placeLocation = 9 + OrderSize // where in an encoded place the location begins

// Append appends the encoded place to dst: key (8), role (1), order (16), location (20), padding (3), big-endian.
func (p Place) Append(dst []byte) []byte {
	role := byte(0)
	if p.Revisit {
		role = 1
	}
	dst = append(binary.BigEndian.AppendUint64(dst, p.Key), role)
	dst = p.At.append(p.Order.Append(dst))
	return append(dst, make([]byte, PlaceSize-placeLocation-locationSize)...)
}

// DecodePlace decodes the first PlaceSize bytes of b.
func DecodePlace(b []byte) Place {
	return Place{binary.BigEndian.Uint64(b), b[8] != 0, DecodeOrder(b[9:]), decodeLocation(b[placeLocation:])}
}

func digestKey(digest string) uint64 { return hashSeed(digest, 1) }
func urlKey(canonical string) uint64 { return hashSeed(canonical, 2) }

// RevisitPlace returns the place of a revisit. Without a digest, the server answered "not modified", and the revisit
// refers to the capture that it names, or else to the last one before it.
func RevisitPlace(v crawl.Revisit, number Number, at Location) Place {
	p := Place{Key: digestKey(v.Digest), Revisit: true, Order: Order{Millis(v.RefersTo), number}, At: at}
	if v.Digest == "" {
		p.Key = urlKey(v.Canonical)
		if v.RefersURL != "" {
			p.Key = urlKey(v.RefersURL)
		}
		if v.RefersTo.IsZero() {
			p.Order.Millis = Millis(v.Time)
		}
	}
	return p
}

// OriginalPlaces appends the places of an original to dst: one by its URL, and one by its digest if it has one.
func OriginalPlaces(dst []Place, v crawl.Revisit, number Number, at Location) []Place {
	p := Place{Key: urlKey(v.Canonical), Order: Order{Millis(v.Time), number}, At: at}
	dst = append(dst, p)
	if v.Digest != "" {
		p.Key = digestKey(v.Digest)
		dst = append(dst, p)
	}
	return dst
}

// Matcher finds the originals of revisits. It takes places in the order of their encoded form. The zero value is ready
// to use.
type Matcher struct {
	key       uint64
	originals []found
}

type found struct {
	millis int64
	at     Location
}

// maxOriginals bounds the captures with one key in memory: the newest ones, and the oldest.
const maxOriginals = 1024

// Match takes the next place. For a revisit it returns the location of the original; ok is false if there is none, and
// for originals.
func (m *Matcher) Match(p Place) (original Location, ok bool) {
	if p.Key != m.key {
		m.key, m.originals = p.Key, m.originals[:0]
	}
	if !p.Revisit {
		m.remember(p)
		return Location{}, false
	}
	i := m.nearest(p.Order.Millis)
	if i < 0 {
		return Location{}, false
	}
	return m.originals[i].at, true
}

func (m *Matcher) remember(p Place) {
	n := len(m.originals)
	if n > 0 && m.originals[n-1].millis == p.Order.Millis { // the winner among several of the same time comes first
		return
	}
	if n == maxOriginals {
		m.originals = m.originals[:n-1]
	}
	m.originals = append(m.originals, found{p.Order.Millis, p.At})
}

// nearest returns the newest original up to a time, or else the oldest one, or -1 if there is none.
func (m *Matcher) nearest(millis int64) int {
	for i := range m.originals {
		if m.originals[i].millis <= millis {
			return i
		}
	}
	return len(m.originals) - 1
}

// Match is a revisit with its original.
type Match struct {
	Original, Revisit Location
	Number            Number // of the revisit
}

// MatchSize is the size of an encoded Match in bytes.
const MatchSize = 2*locationSize + 8

// Append appends the encoded match to dst. Encoded matches sort by the location of the original.
func (m Match) Append(dst []byte) []byte {
	return binary.BigEndian.AppendUint64(m.Revisit.append(m.Original.append(dst)), uint64(m.Number))
}

// DecodeMatch decodes the first MatchSize bytes of b.
func DecodeMatch(b []byte) Match {
	return Match{decodeLocation(b), decodeLocation(b[locationSize:]), Number(binary.BigEndian.Uint64(b[2*locationSize:]))}
}

// Revisited turns the page of an original into the page of a revisit at the given position: it keeps the content, and
// takes URL and time from the revisit.
func Revisited(page *crawl.Page, v crawl.Revisit, at crawl.Position) {
	page.URL, page.Canonical, page.Time, page.Pos, page.Warnings = v.URL, v.Canonical, v.Time, at, nil
}
