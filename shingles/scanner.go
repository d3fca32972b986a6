package shingles

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Scanner finds the shingles of texts in one pass, without allocating. It cuts a text into the words of [Words] without
// punctuation. Its shingles have 64 bits: the hashes of w words, each rotated by its distance from the last one, are added
// modulo 2 (Cohen, "Recursive hashing functions for n-grams", 1997), and the sum is multiplied by an odd number. Each
// goroutine needs its own Scanner.
type Scanner struct {
	cutter // whose words begin with the last w
	w      int
	sink   Sink
	last   uint64 // the shingle that ends at the last word, not multiplied
	values [batch]uint64
	found  Scanned
	plain  []byte // part of a JSON string without escapes
	room   *scratch.Pool
}

// Scanned is what a Scanner says about a text.
type Scanned struct {
	Words  int
	Digest uint64 // of the words in their order: equal for texts with one canonical text
	Sum    uint64 // of the shingles in any order, repeats included
}

// NewScanner returns a Scanner of shingles of w words, 1 to 64.
func NewScanner(w int) (*Scanner, error) {
	if w < 1 || w > 64 {
		return nil, fmt.Errorf("shingles: shingles of %d words: want 1 to 64", w)
	}
	s := &Scanner{w: w, cutter: cutter{words: make([]uint64, w+batch)}}
	s.full = s.slide
	return s, nil
}

// Use makes the scanner allocate large buffers from room. Call Release after each document.
func (s *Scanner) Use(room *scratch.Pool) { s.room = room }

// Release drops the buffers taken from room. Call it before freeing room.
func (s *Scanner) Release() {
	if s.room.Large() {
		s.plain = nil
	}
}

// Scan passes the shingles of a text to sink, which may be nil, in their order and with repeats. A text of fewer than w
// words has one shingle, which is the whole text; a text without words has none.
func (s *Scanner) Scan(sink Sink, text []byte) Scanned {
	s.begin(sink)
	s.add(text)
	return s.end()
}

// ScanJSON is Scan for the text of a JSON string, given as it stands between the quotes.
func (s *Scanner) ScanJSON(sink Sink, raw []byte) Scanned {
	s.begin(sink)
	for len(raw) > 0 {
		piece := raw[:jsonPiece(raw)]
		raw = raw[len(piece):]
		s.json = true
		piece = piece[s.ascii(piece):]
		s.json = false
		if bytes.IndexByte(piece, '\\') >= 0 {
			s.plain, _ = AppendUnescaped(scratch.Grow(s.room, s.plain[:0], len(piece)), piece)
			piece = s.plain
		}
		s.add(piece)
	}
	return s.end()
}

// jsonPiece returns the length of the first part of a JSON string. It ends after a space, where neither an escape nor a
// word can continue, and its plain text stays in the cache of the processor.
func jsonPiece(raw []byte) int {
	const size = 16 << 10
	if len(raw) <= size {
		return len(raw)
	}
	n := bytes.LastIndexByte(raw[:size], ' ')
	if n < 0 {
		n = bytes.IndexByte(raw, ' ')
	}
	if n < 0 {
		return len(raw)
	}
	return n + 1
}

func (s *Scanner) begin(sink Sink) {
	clear(s.words[:s.w])
	s.n, s.last, s.sink, s.found = s.w, 0, sink, Scanned{}
}

func (s *Scanner) end() Scanned {
	s.slide()
	if s.found.Words > 0 && s.found.Words < s.w {
		v := s.last * shingleFactor
		s.found.Sum = (v ^ v>>32) * sumFactor
		s.give(append(s.values[:0], v))
	}
	s.sink = nil
	return s.found
}

// The factors are odd.
const (
	mixA = 0xd6e8feb86659fd93
	mixB = 0x9e3779b97f4a7c15
	mixC = 0xbf58476d1ce4e5b9

	shingleFactor = mixB
	digestFactor  = mixA
	sumFactor     = mixC
)

// batch is the number of shingles that go to a sink at a time.
const batch = 512

// slide makes the shingles that the new words complete.
func (s *Scanner) slide() {
	fresh, w := s.words[s.w:s.n], s.w
	gone := s.words[:len(fresh)]
	last, digest, sum := s.last, s.found.Digest, s.found.Sum
	values := s.values[:len(fresh)]
	for i, hash := range fresh {
		digest = (bits.RotateLeft64(digest, 5) ^ hash) * digestFactor
		last = bits.RotateLeft64(last, 1) ^ hash ^ bits.RotateLeft64(gone[i], w)
		v := last * shingleFactor
		values[i] = v
		sum += (v ^ v>>32) * sumFactor
	}
	skip := min(max(0, w-1-s.found.Words), len(fresh))
	for _, v := range values[:skip] {
		sum -= (v ^ v>>32) * sumFactor
	}
	s.last, s.found.Digest, s.found.Sum = last, digest, sum
	s.found.Words += len(fresh)
	copy(s.words, s.words[len(fresh):s.n])
	s.n = w
	s.give(values[skip:])
}

func (s *Scanner) give(values []uint64) {
	if s.sink != nil && len(values) > 0 {
		s.sink.AddAll(values)
	}
}
