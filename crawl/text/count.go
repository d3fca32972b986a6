package text

import (
	"bytes"
	"math/bits"
)

// Count is Plain for a caller that needs only the number of words, in Doc.Counted, and the language. If the text is
// ASCII without NUL and the parser has no Vocabulary, Doc.Words is empty and Doc.Text is s itself, with its white
// space. Otherwise Count returns what Plain does.
func (p *Parser) Count(s []byte) *Doc {
	if p.Vocabulary == nil && bytes.IndexByte(s, 0) < 0 {
		p.begin()
		if n, ok := p.count(s); ok {
			p.counted = Doc{Text: s, Title: p.counted.Title[:0], Language: p.language(s), Counted: min(n, MaxWords), CutWords: max(0, n-MaxWords)}
			if p.counted.Language == "" {
				p.counted.Likely = p.guess.likely
			}
			return &p.counted
		}
	}
	return p.Plain(s)
}

// count counts the words that cut would find in s and passes their keys to the guesser. It returns false for a text
// that is not ASCII.
func (p *Parser) count(s []byte) (words int, ok bool) {
	all, guessing := uint64(0), p.Guessing && p.Language == ""
	for i := 0; i < len(s); {
		x := load(s, i)
		all |= x
		plain := plainBytes(x)
		n := bits.TrailingZeros64(^plain&highBits) / 8
		if n == 0 {
			i += max(1, bits.TrailingZeros64(plain)/8)
			continue
		}
		key, to := mix((x|lowerBits)&(1<<(8*n)-1)), i+n
		if n == 8 {
			key, to = plainWord(s, i)
		}
		if to < len(s) && s[to] == '\'' {
			p.line, to = p.cutOther(p.line[:0], s, i)
			key = uint64(p.line[0].Term)
		} else if n < 8 {
			to = i + min(8, n+bits.TrailingZeros64(plain>>(8*n))/8) // the separators after the word
		}
		if words++; guessing && words <= MaxWords {
			p.guess.meet(key)
		}
		i = to
	}
	return words, all&highBits == 0
}
