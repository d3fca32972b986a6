package shingles

import (
	"encoding/binary"
	"unicode/utf8"
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

// runes reads runes of up to 3 bytes until it has read limit bytes. It stops after an ASCII separator, where the cutter can
// continue by maps, and before a rune that decode3 does not decode.
func (w *canonicalWriter) runes(p []byte, limit int) (read int) {
	table, dst, n := glyphs(), w.dst, w.n
	for read < limit {
		c, size := decode3(load4(p[read:]))
		if size == 0 {
			break
		}
		read += size
		g := table[c&0xFFFF]
		class := g.class()
		if class == classSkip {
			continue
		}
		ends := class != classMark && (class != classLetter || w.alone)
		if ends {
			w.alone = class == classSolo
			if n > w.word {
				dst[n] = ' '
				n++
				w.word = n
			}
		}
		switch {
		case class >= classSolo || class == classPunct && w.punct:
			binary.BigEndian.PutUint32(dst[n:], uint32(g)) // 3 bytes, and one that what follows overwrites
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

// plainAhead reports whether a text begins with so many bytes of ASCII that maps are worth it.
func plainAhead(p []byte) bool {
	return len(p) >= 16 && (binary.LittleEndian.Uint64(p)|binary.LittleEndian.Uint64(p[8:]))&eachHigh == 0
}

// end ends the current word, if there is one.
func (w *canonicalWriter) end() {
	if w.n > w.word {
		w.dst[w.n] = ' '
		w.n++
		w.word = w.n
	}
	w.alone = false
}

// odd reads one rune of any kind or a bad byte, and returns its size.
func (w *canonicalWriter) odd(p []byte) (size int) {
	c, size := utf8.DecodeRune(p)
	class := rune(classBreak)
	if size > 1 || c < utf8.RuneSelf {
		class = classify(c)
	}
	switch {
	case class == classSkip:
		return size
	case class == classMark:
		w.append(c)
		return size
	case class >= classLetter && !w.alone:
		w.append(class)
		return size
	}
	w.end()
	switch {
	case class >= classLetter:
		w.append(class)
	case class == classSolo:
		w.append(c)
		w.alone = true
	case class == classPunct && w.punct:
		w.append(c)
		w.end()
	}
	return size
}

// append appends a rune.
func (w *canonicalWriter) append(c rune) {
	w.n += utf8.EncodeRune(w.dst[w.n:w.n+utf8.UTFMax], c)
}

// Constants for words of eight bytes of 7 bits each. Adding one to a word sets the high bit of every byte that is at
// least the named character; no carry leaves a byte.
const (
	eachHigh = 0x8080808080808080
	eachCase = 0x2020202020202020
	from0    = 0x0101010101010101 * (0x80 - '0')
	after9   = 0x0101010101010101 * (0x80 - '9' - 1)
	fromA    = 0x0101010101010101 * (0x80 - 'a')
	afterZ   = 0x0101010101010101 * (0x80 - 'z' - 1)
)

// classes8 classifies eight bytes. In each result, the high bit of a byte is set if the byte is an ASCII letter, if it
// is an ASCII letter or digit, and if it is not ASCII.
func classes8(x uint64) (letters, word, high uint64) {
	high = x & eachHigh
	low := x &^ eachHigh
	folded := low | eachCase
	letters = (folded + fromA) &^ (folded + afterZ) &^ high & eachHigh
	digits := (low + from0) &^ (low + after9) &^ high & eachHigh
	return letters, letters | digits, high
}
