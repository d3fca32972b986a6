package shingles

import (
	"iter"
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
