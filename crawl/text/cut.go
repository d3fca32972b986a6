package text

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/scratch"
)

// cut appends the words of s[from:] to dst. Instead of its term, each word has its key, or 0 if the word is too long
// for a term; settle replaces keys by terms. cut finds the words that a Splitter finds. It cuts words of ASCII letters
// and digits itself, eight bytes at a time and hashed in a register, and leaves the others to the Splitter. A word of
// fewer than eight letters and the separators after it take one step.
func (p *Parser) cut(dst []Word, s []byte, from int) []Word {
	i := from
	for i < len(s) {
		x := load(s, i)
		plain, foreign := ascii.Words8(x), x&highBits
		n := bits.TrailingZeros64(^plain&highBits) / 8
		switch {
		case n == 8:
			dst, i = p.cutLong(dst, s, i)
			continue
		case n == 0 && foreign&0x80 == 0:
			i += bits.TrailingZeros64(plain|foreign) / 8
			continue
		}
		if c := byte(x >> (8 * n)); n == 0 || c == '\'' || c >= utf8.RuneSelf {
			dst, i = p.cutOther(dst, s, i)
			continue
		}
		w := Word{From: uint32(i), To: uint32(i + n), Block: p.block, Term: bags.Term(mix((x | lowerBits) & (1<<(8*n) - 1)))}
		if len(dst) < min(cap(dst), MaxWords) {
			dst = append(dst, w)
		} else {
			dst = p.append(dst, w)
		}
		i += min(8, n+bits.TrailingZeros64((plain|foreign)>>(8*n))/8) // the separators after the word
	}
	return dst
}

// cutLong cuts the word that begins with the eight letters at i, and returns where the next one may begin.
func (p *Parser) cutLong(dst []Word, s []byte, i int) ([]Word, int) {
	key, to := plainWord(s, i)
	if to < len(s) && (s[to] == '\'' || s[to] >= utf8.RuneSelf) {
		return p.cutOther(dst, s, i)
	}
	return p.append(dst, Word{From: uint32(i), To: uint32(to), Block: p.block, Term: bags.Term(key)}), to + 1
}

// cutOther leaves the words that begin at i to the Splitter and returns their end.
func (p *Parser) cutOther(dst []Word, s []byte, i int) ([]Word, int) {
	if p.wordFunc == nil {
		p.wordFunc = p.word
	}
	p.cutting = dst
	i = p.split.one(s, i, p.wordFunc)
	return p.cutting, i
}

// word appends a word that the Splitter found.
func (p *Parser) word(from, to int, lower []byte) {
	var key uint64
	switch {
	case len(lower) > MaxWord:
	case p.Vocabulary == nil:
		key = hashWord(lower)
	default:
		key = p.Vocabulary.meet(lower)
	}
	p.cutting = p.append(p.cutting, Word{From: uint32(from), To: uint32(to), Block: p.block, Term: bags.Term(key)})
}

func (p *Parser) append(words []Word, w Word) []Word {
	if len(words) >= MaxWords {
		p.over++
		return words
	}
	if len(words) == cap(words) {
		words = scratch.Grow(p.room, words, 1)
	}
	return append(words, w)
}

// plainWord returns the key of the sequence of ASCII letters and digits at s[i:], and its end.
func plainWord(s []byte, i int) (key uint64, to int) {
	for to = i; to < len(s); to += 8 {
		if n := bits.TrailingZeros64(^ascii.Words8(load(s, to))&ascii.High) / 8; n < 8 {
			to += n
			break
		}
	}
	return wordKey(s, i, to), to
}

// wordKey returns the key of a word of ASCII letters and digits.
func wordKey(s []byte, from, to int) (key uint64) {
	if to-from > MaxWord {
		return 0
	}
	for ; to-from > 8; from += 8 {
		key = mix(key ^ (load(s, from) | lowerBits))
	}
	return max(1, mix(key^(load(s, from)|lowerBits)&(1<<(8*(to-from))-1)))
}

// lowerBits make an ASCII letter lower-case and leave a digit as it is.
const lowerBits = 0x2020202020202020

// load returns the eight bytes of s from i on, the first in the lowest byte. Bytes beyond the end of s are 0.
func load(s []byte, i int) uint64 {
	if i+8 <= len(s) {
		return binary.LittleEndian.Uint64(s[i:])
	}
	if i+8 <= cap(s) {
		return binary.LittleEndian.Uint64(s[i:i+8]) & (1<<(8*(len(s)-i)) - 1)
	}
	var x uint64
	for j, c := range s[i:] {
		x |= uint64(c) << (8 * j)
	}
	return x
}

// hashWord returns the key of a word in the vocabulary, which is never 0.
func hashWord(lower []byte) (key uint64) {
	for i := 0; i < len(lower); i += 8 {
		key = mix(key ^ load(lower, i))
	}
	return max(key, 1)
}

// mix is the finalizer of SplitMix64, a permutation of the 64-bit numbers in which each bit of x affects about half of
// all bits. So different words of up to eight bytes have different keys.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

const highBits = ascii.High
