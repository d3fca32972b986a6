package shingles

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/ascii"
)

const (
	canonicalPiece = 4096 // bytes of text for which there is room at a time
	canonicalSlack = 32   // room for what a piece writes beyond twice its length: a rune that ends beyond it
)

// canonicalWriter writes canonical text: the words with a space after each that has ended. It has at most twice the bytes
// of the text.
type canonicalWriter struct {
	dst   []byte
	n     int  // bytes of dst written
	word  int  // where the current word begins; n between words
	alone bool // the current word takes only marks, no more letters
	punct bool
}

// runes reads runes until it has read limit bytes. It stops after an ASCII separator, where the cutter can continue by
// maps.
func (w *canonicalWriter) runes(p []byte, limit int) (read int) {
	table, dst, n := glyphs(), w.dst, w.n
	for read < limit {
		c, size := decode3(load4(p[read:]))
		g := table[c&0xFFFF]
		if size == 0 {
			c, size, g = odd(p[read:])
		}
		read += size
		class := g.class()
		if class == classSkip {
			continue
		}
		if class != classMark && (class != classLetter || w.alone) { // the word before ends
			w.alone = class == classSolo
			if n > w.word {
				dst[n] = ' '
				n++
				w.word = n
			}
		}
		switch {
		case class >= classSolo || class == classPunct && w.punct:
			if g.size() == utf8.UTFMax {
				utf8.EncodeRune(dst[n:n+utf8.UTFMax], rune(c))
			} else {
				binary.BigEndian.PutUint32(dst[n:], uint32(g)) // 3 bytes, and one that what follows overwrites
			}
			n += int(g.size())
			if class == classPunct {
				dst[n] = ' '
				n++
				w.word = n
			}
		case c < utf8.RuneSelf && !w.punct && plainAhead(p[read:]):
			w.n = n
			return read
		}
	}
	w.n = n
	return read
}

// odd returns the rune at the front of p, in lower case, its size and its glyph. A bad byte is a separator, but not of
// ASCII.
func odd(p []byte) (c uint32, size int, g glyph) {
	r, size := utf8.DecodeRune(p)
	if size == 1 {
		return utf8.RuneError, 1, classBreak
	}
	if class := classify(r); class >= classLetter {
		r = class
	}
	return uint32(r), size, newGlyph(r)
}

// plainAhead reports whether a text begins with so many bytes of ASCII that maps are worth it.
func plainAhead(p []byte) bool {
	return len(p) >= 16 && (binary.LittleEndian.Uint64(p)|binary.LittleEndian.Uint64(p[8:]))&eachHigh == 0
}

const (
	eachHigh = ascii.High
	eachCase = 0x2020202020202020
)

// load4 returns the first 4 bytes of p, the first one highest, with zeros beyond the end.
func load4(p []byte) uint32 {
	if len(p) >= 4 {
		return binary.BigEndian.Uint32(p)
	}
	return loadTail(p)
}

func loadTail(p []byte) (x uint32) {
	for i, b := range p {
		x |= uint32(b) << (24 - 8*uint(i))
	}
	return x
}

// decode3 decodes a rune from the top of 4 bytes. The size is 0 unless it is a well-formed rune of 1 to 3 bytes.
func decode3(x uint32) (c uint32, size int) {
	switch {
	case x>>31 == 0:
		return x >> 24, 1
	case x>>16&0xE0C0 == 0xC080 && x>>24 >= 0xC2:
		return x>>18&0x7C0 | x>>16&0x3F, 2
	case x>>8&0xF0C0C0 == 0xE08080 && x>>16&0xFF20 > 0xE000:
		return x>>12&0xF000 | x>>10&0xFC0 | x>>8&0x3F, 3
	}
	return 0, 0
}
