package text

import "math/bits"

// A page has a second language if one in secondShare of its words is a function word of it and none of the first
// language, at least secondWords distinct ones, and fewer are of both, as those of neighbours are. For English, which
// pages in all languages quote, two distinct words are enough. The second language is that of the blocks in which it has
// more of these words than the first, and of short blocks without any that follow one.
const (
	secondShare = 25
	secondWords = 5
)

// second returns the number of the second language of a page in the first one, or -1 if it has none.
func (g *guesser) second(first string) int {
	if g.words == 0 {
		return -1
	}
	own := bitOf(first)
	var alone, both, distinct [64]int // words of each language that the first one has not and has
	g.each(func(n uint16, times int) {
		for mask := functions.masks[n]; mask != 0; mask &= mask - 1 {
			if i := bits.TrailingZeros64(mask); functions.masks[n]&own == 0 {
				alone[i] += times
				distinct[i]++
			} else {
				both[i] += times
			}
		}
	})
	if own != 1 && distinct[0] > 1 && alone[0] > both[0] && g.may(worded[0].name) {
		return 0
	}
	best := -1
	for i, n := range alone[:len(worded)] {
		neighbour := n <= both[i] || distinct[i] < secondWords
		if n*secondShare >= g.words && !neighbour && worded[i].name != first && g.may(worded[i].name) && (best < 0 || n > alone[best]) {
			best = i
		}
	}
	return best
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
func (p *Parser) passages(second int) {
	words, own, other := p.doc.Words, bitOf(p.doc.Language), uint64(1)<<second
	language := p.doc.Language
	for len(words) > 0 {
		n, mine, its := 0, 0, 0
		for ; n < len(words) && words[n].Block == words[0].Block; n++ {
			switch mask := functions.languages(uint64(words[n].Term)); {
			case mask&own != 0 && mask&other == 0:
				mine++
			case mask&other != 0 && mask&own == 0:
				its++
			}
		}
		switch {
		case its > mine:
			language = worded[second].name
		case mine > 0 || n > 3:
			language = p.doc.Language
		}
		p.Vocabulary.settle(language, words[:n], p.doc.Text)
		words = words[n:]
	}
}

// languages returns the languages that have a word with a key as a function word.
func (t *functionTable) languages(key uint64) uint64 {
	if !t.may(key) {
		return 0
	}
	return t.masks[t.numbers[t.place(key)]]
}
