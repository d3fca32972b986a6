package text

import (
	"bytes"
	"math/bits"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Count is Plain for a caller that needs only the number of words, in Doc.Counted, and the language. If the text is
// ASCII without NUL and the parser has no Vocabulary, Doc.Words is empty and Doc.Text is s itself, with its white
// space. Otherwise Count returns what Plain does.
func (p *Parser) Count(s []byte) *Doc {
	if p.Vocabulary == nil && bytes.IndexByte(s, 0) < 0 {
		p.begin()
		if n, ok := p.count(s); ok {
			language := p.language(nil) // only letters beyond ASCII tell it
			p.counted = Doc{Text: s, Title: p.counted.Title[:0], Language: language, Counted: min(n, MaxWords), CutWords: max(0, n-MaxWords)}
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
	guessing := p.Guessing && p.Language == ""
	start, open, done := 0, uint64(0), 0 // the word begun before the block, if open is 1; the end of what the Splitter read
	for at := 0; at <= len(s); at += 64 {
		plain, high, _ := ascii.WordMap(s[at:])
		if high != 0 {
			return 0, false
		}
		before := plain<<1 | open
		starts, ends := plain&^before, before&^plain
		for ; ends != 0; ends &= ends - 1 {
			if open == 0 {
				start = at + bits.TrailingZeros64(starts)
				starts &= starts - 1
			}
			open = 0
			to := at + bits.TrailingZeros64(ends)
			if start = max(start, done); start >= to {
				continue
			}
			words++
			if to < len(s) && s[to] == '\'' {
				p.line, done = p.cutOther(p.line[:0], s, start)
				if guessing && words <= MaxWords {
					p.guess.meet(uint64(p.line[0].Term))
				}
			} else if guessing && words <= MaxWords && to-start <= MaxWord {
				p.guess.words++
				n, longer := functions.numbered(load(s, start)|lowerBits, to-start)
				p.guess.see(n)
				if longer {
					p.guess.look(wordKey(s, start, to))
				}
			}
		}
		if starts != 0 {
			start = at + bits.TrailingZeros64(starts)
		}
		open = plain >> 63
	}
	return words, true
}
