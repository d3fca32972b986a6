package shingles

import (
	"encoding/binary"
	"iter"
	"math/bits"
	"unicode/utf8"
)

// Span is the place of a token or shingle in a text: bytes Start to End.
type Span struct{ Start, End int }

// Words yields the canonical words of a text with their places. A word is a maximal sequence of letters, digits and
// marks (Unicode), in lower case. In scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Myanmar),
// each letter with its marks is a word. If punct is set, each punctuation mark and symbol is a word too. Bytes that are
// not UTF-8 separate words. Nothing is composed or decomposed: é and e + ´ differ.
//
// Words is the definition; [Scanner] and [Shingler] find the same words fast. A word is valid until the next one is yielded.
func Words(text []byte, punct bool) iter.Seq2[Span, []byte] {
	return func(yield func(Span, []byte) bool) {
		r := wordReader{text: text, punct: punct}
		for r.next() {
			if !yield(r.span, r.word) {
				return
			}
		}
	}
}

type wordReader struct {
	text  []byte
	punct bool
	pos   int
	word  []byte
	span  Span
}

// next reads the next word, if any.
func (r *wordReader) next() bool {
	r.word = r.word[:0]
	alone := false // only marks may be added
	for r.pos < len(r.text) {
		c, size := utf8.DecodeRune(r.text[r.pos:])
		class := rune(classBreak)
		if size > 1 || c < utf8.RuneSelf {
			class = classify(c)
		}
		begun := len(r.word) > 0
		switch {
		case class == classSkip:
			r.pos += size
			continue
		case class == classMark, class >= classLetter && !(begun && alone):
			if class == classMark {
				class = c
			}
			r.add(class, size)
		case class == classBreak && !begun, class == classPunct && !begun && !r.punct:
			r.pos += size
		case class == classSolo && !begun:
			alone = true
			r.add(c, size)
		case class == classPunct && !begun:
			r.add(c, size)
			return true
		default:
			return true
		}
	}
	return len(r.word) > 0
}

func (r *wordReader) add(c rune, size int) {
	if len(r.word) == 0 {
		r.span.Start = r.pos
	}
	r.word = utf8.AppendRune(r.word, c)
	r.pos += size
	r.span.End = r.pos
}

// unit returns the unit of a canonical word. A word of up to 8 bytes has the first letter in the highest byte and zeros
// after the last; a longer one is hashed.
func unit(word []byte) uint64 { return unitRest(0, word, 0, len(word), 0) }

// unitRest returns the unit of a word that ends with p[start:end], whose bytes count with the bits of set, given the
// hash of the chunks before.
func unitRest(hash uint64, p []byte, start, end int, set uint64) uint64 {
	short := hash == 0 && end-start <= 8
	for ; start < end; start += 8 {
		mask := keep[min(8, end-start)][0]
		var u uint64
		if start+8 <= len(p) {
			u = bits.ReverseBytes64((binary.LittleEndian.Uint64(p[start:]) | set) & mask)
		} else {
			u = packUnit(p[start:end]) | bits.ReverseBytes64(set&mask)
		}
		if short {
			return u
		}
		hash = foldUnit(hash, u)
	}
	return hash
}

// packUnit packs at most 8 bytes.
func packUnit(p []byte) uint64 {
	if len(p) == 8 {
		return binary.BigEndian.Uint64(p)
	}
	var u uint64
	for i, b := range p {
		u |= uint64(b) << (56 - 8*uint(i))
	}
	return u
}

// foldUnit adds a unit to the hash of a long word. For a given hash it is a bijection of the unit, and for a given unit
// one of the hash.
func foldUnit(hash, unit uint64) uint64 {
	h := (hash ^ mixC) * mixA
	h = (h ^ h>>32 ^ unit) * mixB
	return h ^ h>>32
}
