package shingles

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// Canonical appends the canonical words of text to dst, with one space between them. Two documents with the same
// canonical text are lexically equivalent ([S1]). The canonical text of a canonical text is the text itself.
//
// Words defines the words. Canonical finds the same ones: ASCII words eight bytes at a time, the others with the table
// of glyphs. The canonical text has at most twice the bytes of the text, or as many if both are ASCII.
func Canonical(dst, text []byte, punct bool) []byte {
	start := len(dst)
	w := canonicalWriter{dst: dst, n: start, word: start, punct: punct}
	for len(text) > 0 {
		limit := min(len(text), canonicalPiece)
		dst = slices.Grow(w.dst[:w.n], 2*limit+canonicalSlack)
		w.dst = dst[:cap(dst)]
		text = text[w.piece(text, limit):]
	}
	if n := w.n; n > start && n == w.word {
		w.n-- // the space after the last word
	}
	return w.dst[:w.n]
}

const (
	canonicalPiece = 4096 // bytes of text for which there is room at a time
	// canonicalSlack is the room for what a piece writes beyond twice its length: a word begun before, a step that ends
	// beyond the piece, and the eight bytes that a step writes at once.
	canonicalSlack = 32
)

// canonicalWriter writes canonical text. Every word that has ended is followed by a space.
type canonicalWriter struct {
	dst   []byte
	n     int  // bytes of dst written
	word  int  // where the current word begins; n between words
	alone bool // the current word takes only marks, no more letters
	punct bool
}

// piece reads at least limit bytes of p, or a few more, and returns their number.
func (w *canonicalWriter) piece(p []byte, limit int) (read int) {
	for read < limit {
		if !w.punct && !w.alone && p[read] < utf8.RuneSelf && len(p)-read >= 8 {
			if read += w.ascii(p[read:], limit-read); read >= limit {
				break
			}
		}
		n := w.runes(p[read:], limit-read)
		if n == 0 {
			n = w.odd(p[read:])
		}
		read += n
	}
	return read
}

// ascii reads ASCII words eight bytes at a time while p has 8 bytes left, until it has read limit bytes. It stops
// before a byte that is not ASCII. At each step, the word begins or continues at the first of the eight bytes, and
// ascii skips the separators after it.
func (w *canonicalWriter) ascii(p []byte, limit int) (read int) {
	dst, n, begin := w.dst, w.n, w.word
	for read < limit && len(p)-read >= 8 {
		x := binary.LittleEndian.Uint64(p[read:])
		letters, word, high := classes8(x)
		binary.LittleEndian.PutUint64(dst[n:], x|letters>>2)
		size := bits.TrailingZeros64(^word&eachHigh) >> 3
		n += size
		if size == 8 {
			read += 8
			continue
		}
		if high>>(8*size&63)&0x80 != 0 { // the word may continue
			read += size
			break
		}
		dst[n] = ' '
		n += one(n > begin)
		begin = n
		skip := bits.TrailingZeros64((word|high)>>(8*size&63)) >> 3
		read += min(size+skip, 8)
	}
	w.n, w.word = n, begin
	return read
}

// runes reads runes of up to 3 bytes until it has read limit bytes. It stops after an ASCII separator, where ascii can
// continue, and before a rune that decode3 does not decode.
func (w *canonicalWriter) runes(p []byte, limit int) (read int) {
	table := glyphs()
	for read < limit {
		c, size := decode3(load4(p[read:]))
		if size == 0 {
			break
		}
		read += size
		g := table[c&0xFFFF]
		class := g.class()
		switch {
		case class == classSkip:
			continue
		case class == classMark || class == classLetter && !w.alone:
			w.put(g)
			continue
		}
		w.end()
		switch {
		case class >= classSolo:
			w.alone = class == classSolo
			w.put(g)
		case class == classPunct && w.punct:
			w.put(g)
			w.end()
		case c < utf8.RuneSelf && len(p)-read >= 8 && p[read] < utf8.RuneSelf && !w.punct:
			return read
		}
	}
	return read
}

// put appends the lower-case form of a rune.
func (w *canonicalWriter) put(g glyph) {
	to := w.dst[w.n : w.n+3]
	to[0], to[1], to[2] = byte(g>>24), byte(g>>16), byte(g>>8)
	w.n += int(g.size())
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
