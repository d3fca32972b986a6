package shingles

import (
	"bytes"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/ascii"
)

// cutter cuts texts into the words of [Words] and hashes them. It finds words of ASCII by maps of 64 bytes, and the others
// by the table of glyphs.
type cutter struct {
	words []uint64 // hashes of words
	n     int      // length of words in use
	full  func()   // takes words away
	punct bool     // marks of punctuation are words
	json  bool     // the text is that of a JSON string, with its escapes

	odd  canonicalWriter // of words that are not ASCII
	open uint64          // hash of the beginning of the word that odd is writing
}

// add reads a text, or a part of one that ends between words.
func (c *cutter) add(text []byte) {
	for at := 0; at < len(text); {
		if !c.punct {
			at += c.ascii(text[at:])
		}
		if at < len(text) {
			at += c.other(text[at:])
		}
	}
}

// put adds the hash of a word.
func (c *cutter) put(hash uint64) {
	c.words[c.n] = hash
	if c.n++; c.n == len(c.words) {
		c.full()
	}
}

// ascii adds the words of p until one that is not ASCII or an escape that may be part of a word, and returns the place
// where that begins, or the end.
func (c *cutter) ascii(p []byte) (read int) {
	start, open, skip := 0, uint64(0), uint(0) // the word begun before the block, if open is 1; bytes of a separator begun before
	escape := uint64(0)                        // 1 if the first byte of the block is that of an escape
	for at := 0; at <= len(p); at += 64 {
		word, high, slash := ascii.WordMap(p[at:])
		stop := uint(64)
		if high = high >> skip << skip; high != 0 {
			stop, skip = separators(p[at:], high)
		} else {
			skip = 0
		}
		if c.json && slash|escape != 0 {
			var odd uint
			word, escape, odd = escapes(p[at:], word, slash, escape)
			stop = min(stop, odd)
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
		if c.n+32 > len(c.words) {
			c.full()
		}
		var n int
		n, start = hashWords(c.words[c.n:], p, start, at, starts, ends)
		c.n += n
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

// escapes looks at the backslashes of a block, given by their places. It takes the letters of the escapes from the words
// and returns whether the first byte of the next block is one, and the place of the first escape that may be part of a
// word, or 64.
func escapes(p []byte, word, slash, escape uint64) (words, next uint64, stop uint) {
	word, slash = word&^escape, slash&^escape
	for slash != 0 {
		i := bits.TrailingZeros64(slash)
		if i+1 >= len(p) || escaped[p[i+1]] == 0 {
			return word, 0, uint(i)
		}
		letter := uint64(2) << i // 0 if it is in the next block
		word, slash, next = word&^letter, slash&(slash-1)&^letter, uint64(i/63)
	}
	return word, next, 64
}

// separators looks at the bytes of a block that are not ASCII, given by their places. It returns the place of the first
// one that does not separate words, or 64, and the number of bytes by which a separator reaches into the next block.
func separators(p []byte, high uint64) (stop, over uint) {
	table := glyphs()
	for high != 0 {
		i := uint(bits.TrailingZeros64(high))
		r, size := decode3(load4(p[i:]))
		if size == 0 || table[r&0xFFFF].class() > classPunct {
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
func (c *cutter) other(p []byte) (read int) {
	w := &c.odd
	w.n, w.word, w.alone, w.punct, c.open = 0, 0, false, c.punct, 0
	for read < len(p) {
		if len(w.dst)-w.n < 2*canonicalPiece+canonicalSlack {
			w.dst = slices.Grow(w.dst, 3*canonicalPiece)[:len(w.dst)+3*canonicalPiece]
		}
		read += w.runes(p[read:], min(canonicalPiece, len(p)-read))
		c.canonical()
		if w.n == 0 && c.open == 0 && p[read-1] < 0x80 && !c.punct && plainAhead(p[read:]) {
			return read
		}
	}
	if w.n > 0 || c.open != 0 {
		c.put(hashRest(c.open, w.dst, 0, w.n, 0))
	}
	return read
}

// canonical adds the canonical words that have ended, and moves the beginning of the next one to the front.
func (c *cutter) canonical() {
	w := &c.odd
	for at := 0; at < w.word; {
		end := at + bytes.IndexByte(w.dst[at:w.word], ' ')
		c.put(hashRest(c.open, w.dst, at, end, 0))
		c.open, at = 0, end+1
	}
	rest := w.dst[w.word:w.n]
	for len(rest) > canonicalPiece {
		c.open = hashChunk(c.open, rest, 0)
		rest = rest[16:]
	}
	w.n, w.word = copy(w.dst, rest), 0
}
