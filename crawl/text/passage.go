package text

import "math/bits"

// A page has a second language if one in secondShare of its words is a function word of it and none of the first
// language, at least secondWords distinct ones, and fewer are of both, as those of neighbours are. For English, which
// pages in all languages quote, two distinct words are enough. A language that the page claims is the second if it is
// not the first. The second language is that of the blocks in which it has more of these words than the first, and of
// short blocks without any that follow one; the title is such a block.
const (
	secondShare = 25
	secondWords = 5
)

// second returns the second language of a page in the first one, or "" if it has none.
func (g *guesser) second(first string) string {
	if g.words == 0 {
		return ""
	}
	own := bitOf(first)
	var alone, both, distinct [64]int // words of each language that the first one has not and has
	g.each(func(n uint16, times int) {
		for mask := functions.masks[n]; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			if functions.masks[n]&own == 0 {
				alone[i] += times
				distinct[i]++
			} else {
				both[i] += times
			}
		}
	})
	if own != 1 && distinct[0] > 1 && g.may(worded[0].name) {
		return worded[0].name
	}
	for _, of := range [...][]tongue{worded, lettered} {
		if l := g.claims(of); l != "" && l != first && g.may(l) {
			return l
		}
	}
	best := -1
	for i, n := range alone[:len(worded)] {
		neighbour := n <= both[i] || distinct[i] < secondWords
		if n*secondShare >= g.words && !neighbour && worded[i].name != first && g.may(worded[i].name) && (best < 0 || n > alone[best]) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	return worded[best].name
}

// bitOf returns the bit of a language in a mask, 0 for a language without one.
func bitOf(language string) uint64 {
	for i := range worded {
		if worded[i].name == language {
			return 1 << i
		}
	}
	return 0
}

// passages replaces the keys of the words of a page in two languages by terms in the language of each block.
func (p *Parser) passages() {
	words, language := p.doc.Words, p.doc.Language
	for len(words) > 0 {
		n := 1
		for n < len(words) && words[n].Block == words[0].Block {
			n++
		}
		language = p.passage(words[:n], language)
		p.Vocabulary.settle(language, words[:n], p.doc.Text)
		words = words[n:]
	}
}

// passage returns the language of some words of a page, which follow words in another language or the same.
func (p *Parser) passage(words []Word, before string) string {
	if p.second == "" {
		return p.doc.Language
	}
	if l := p.foreign(); l != "" {
		return l
	}
	own, other := bitOf(p.doc.Language), bitOf(p.second)
	mine, its := 0, 0
	for i := range words {
		switch mask := functions.languages(uint64(words[i].Term)); {
		case mask&own != 0 && mask&other == 0:
			mine++
		case mask&other != 0 && mask&own == 0:
			its++
		}
	}
	switch {
	case its > mine:
		return p.second
	case mine > 0 || len(words) > 3:
		return p.doc.Language
	}
	return before
}

// IsFunctionWord reports whether a lower-case word is a function word of a language, or of some language if it is "".
func IsFunctionWord(word, language string) bool {
	fillFunctions()
	of := functions.languages(hashWord([]byte(word)))
	if language != "" {
		of &= bitOf(language)
	}
	return of != 0
}

// languages returns the languages that have a word with a key as a function word.
func (t *functionTable) languages(key uint64) uint64 {
	if !t.may(key) {
		return 0
	}
	return t.masks[t.numbers[t.place(key)]]
}

// foreign returns the language of the page that is not written in Latin letters, if the other is English or unknown.
// Words in Latin letters are English in such a language, too.
func (p *Parser) foreign() string {
	first, second := p.doc.Language, p.second
	if first == "english" || first == "" {
		first, second = second, "english"
	}
	if second == "english" && !inLatin(first) {
		return first
	}
	return ""
}

// inLatin reports whether a language is written in Latin letters or is unknown.
func inLatin(language string) bool {
	l := languages()[language]
	return language == "" || l != nil && l.latin == nil
}
