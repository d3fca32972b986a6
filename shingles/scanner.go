package shingles

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Scanner finds the shingles of texts in one pass, several times as fast as a [Shingler], and without allocating. It
// cuts a text into the words of [Words] without punctuation. Its shingles have 64 bits and are no Rabin fingerprints:
// the hashes of w words, each rotated by its distance from the last one, are added modulo 2 (Cohen's "Recursive hashing
// functions for n-grams", 1997), and the sum is multiplied by an odd number. Compare them only with each other. Each
// goroutine needs its own Scanner.
type Scanner struct {
	w      int
	sink   Sink
	words  []uint64 // hashes of the last w words, then of those to come
	n      int      // length of words in use
	last   uint64   // the shingle that ends at the last word, not multiplied
	values [batch]uint64
	found  Scanned

	odd   canonicalWriter // of words that are not ASCII
	open  uint64          // hash of the beginning of the word that odd is writing
	plain []byte          // part of a JSON string without escapes
	room  *scratch.Pool
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
	return &Scanner{w: w, words: make([]uint64, w+batch)}, nil
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
		if bytes.IndexByte(piece, '\\') >= 0 {
			s.plain = AppendUnescaped(scratch.Grow(s.room, s.plain[:0], len(piece)), piece)
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

// add reads a text, or a part of one that ends between words.
func (s *Scanner) add(text []byte) {
	for at := 0; at < len(text); {
		at += s.ascii(text[at:])
		if at < len(text) {
			at += s.other(text[at:])
		}
	}
}

// put adds the hash of a word.
func (s *Scanner) put(hash uint64) {
	s.words[s.n] = hash
	if s.n++; s.n == len(s.words) {
		s.slide()
	}
}

// The factors are odd.
const (
	shingleFactor = mixB
	digestFactor  = mixA
	sumFactor     = mixC
)

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

// ascii adds the words of p until one that is not ASCII, and returns the place where that begins, or the end.
func (s *Scanner) ascii(p []byte) (read int) {
	start, open, skip := 0, uint64(0), uint(0) // the word begun before the block, if open is 1; bytes of a separator begun before
	for at := 0; at <= len(p); at += 64 {
		word, high := wordMap(p[at:])
		stop := uint(64)
		if high = high >> skip << skip; high != 0 {
			stop, skip = separators(p[at:], high)
		} else {
			skip = 0
		}
		before := word<<1 | open
		starts, ends := word&^before, before&^word
		if stop < 64 {
			ends &= 1<<stop - 1
		}
		if open == 0 {
			start = at + bits.TrailingZeros64(starts)
			starts &= starts - 1
		}
		if s.n+32 > len(s.words) {
			s.slide()
		}
		var n int
		n, start = hashWords(s.words[s.n:], p, start, at, starts, ends)
		s.n += n
		switch {
		case stop == 64:
			open = word >> 63
		case before>>stop&1 != 0: // the word continues
			return start
		default:
			return at + int(stop)
		}
	}
	return len(p)
}

// separators looks at the bytes of a block that are not ASCII, given by their places. It returns the place of the first
// one that does not separate words, or 64, and the number of bytes by which a separator reaches into the next block.
func separators(p []byte, high uint64) (stop, over uint) {
	table := glyphs()
	for high != 0 {
		i := uint(bits.TrailingZeros64(high))
		c, size := decode3(load4(p[i:]))
		if size == 0 || table[c&0xFFFF].class() > classPunct {
			return i, 0
		}
		i += uint(size)
		high = high >> i << i
		over = max(i, 64) - 64
	}
	return 64, over
}

// other adds the words of p, which need not be ASCII, until an ASCII word follows an ASCII separator. It returns the
// number of bytes read.
func (s *Scanner) other(p []byte) (read int) {
	w := &s.odd
	w.n, w.word, w.alone, s.open = 0, 0, false, 0
	for read < len(p) {
		if len(w.dst)-w.n < 2*canonicalPiece+canonicalSlack {
			w.dst = slices.Grow(w.dst, 3*canonicalPiece)[:len(w.dst)+3*canonicalPiece]
		}
		n := w.runes(p[read:], min(canonicalPiece, len(p)-read))
		if n == 0 {
			n = w.odd(p[read:])
		}
		read += n
		s.canonical()
		if w.n == 0 && s.open == 0 && read < len(p) && p[read-1]|p[read] < 0x80 {
			return read
		}
	}
	if w.n > 0 || s.open != 0 {
		s.put(hashRest(s.open, w.dst, 0, w.n, 0))
	}
	return read
}

// canonical adds the canonical words that have ended, and moves the beginning of the next one to the front.
func (s *Scanner) canonical() {
	w := &s.odd
	for at := 0; at < w.word; {
		end := at + bytes.IndexByte(w.dst[at:w.word], ' ')
		s.put(hashRest(s.open, w.dst, at, end, 0))
		s.open, at = 0, end+1
	}
	rest := w.dst[w.word:w.n]
	for len(rest) > canonicalPiece {
		s.open = hashChunk(s.open, rest, 0)
		rest = rest[16:]
	}
	w.n, w.word = copy(w.dst, rest), 0
}
