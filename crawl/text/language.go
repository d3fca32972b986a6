package text

import (
	"math/bits"
	"slices"
	"strings"
)

// Auto is the value of Analysis.Language that stems the words of each page in the language of the page. It does not
// stem them if the language is unknown or has no stemmer.
const Auto = "auto"

// guesser counts the function words of one page.
type guesser struct {
	words  int
	count  [maxFunctionWords]uint32 // by number, how often the page has the word
	found  []uint16                 // the numbers of the words that the page has
	hinted string                   // language tag of <html lang>
	likely []string                 // languages of a page that shows none for certain
	among  []string                 // the languages to choose from, all if empty; the first is that of a page which shows none
}

// add counts words by their keys.
func (g *guesser) add(words []Word) {
	for i := range words {
		g.meet(uint64(words[i].Term))
	}
}

// meet counts a word by its key, unless that is 0.
func (g *guesser) meet(key uint64) {
	if key == 0 {
		return
	}
	g.words++
	if functions.may(key) {
		g.look(key)
	}
}

// look notes the word with a key if it is a function word.
func (g *guesser) look(key uint64) {
	if at := functions.place(key); functions.keys[at] == key {
		g.see(functions.numbers[at])
	}
}

// see notes that the page has the function word with a number.
func (g *guesser) see(n uint16) {
	if g.count[n] == 0 {
		g.found = append(g.found, n)
	}
	g.count[n]++
}

// reset forgets the page.
func (g *guesser) reset() {
	fillFunctions()
	for _, n := range g.found {
		g.count[n] = 0
	}
	g.count[0] = 1 // the number of no word, which is never found
	g.words, g.found, g.hinted, g.likely = 0, g.found[:0], "", g.likely[:0]
}

// A page has a guessed language if it has guessWords distinct function words of it, and one for each guessShare words
// but no more than guessEnough, and if the words of the language occur guessAhead times as often as those of each other
// one, relative to how often they usually occur and not counting words that both have. A page in two languages has the
// one that it has more of, but English, which pages in all languages quote, only if the words of the other one stand for
// less than guessQuotes of the page. A function word counts for at most one in guessMost words of a page, because the name of a
// tool that a page repeats ("az", "jest") may be a function word of some language.
//
// A language that the page claims is believed, unless the words of another one occur guessFar times as often. If the
// page claims a language that is not known, its language is unknown, unless the page has guessLong words and those of a
// known language occur guessSure times as often as usual.
const (
	guessWords  = 2
	guessShare  = 100
	guessEnough = 6
	guessMost   = 30
	guessAhead  = 1.2
	guessFar    = 3.0
	guessSure   = 0.85
	guessLong   = 50
	guessQuotes = 0.35
)

// language returns the name of the probable language of a page, or "" if it is unknown. If most letters belong to a
// script of one language, the letters decide; otherwise the words do. If they do not either, the letters decide after all:
// those of a text that is mostly ASCII, or those that only one Cyrillic alphabet has.
func (g *guesser) language(text []byte) string {
	foreign, claimed := mostlyForeign(text), g.claims(lettered)
	if foreign || claimed != "" {
		if l := byScript(text, claimed); l != "" && g.may(l) {
			return l
		}
	}
	not := uint64(0)
	if foreign {
		not = ruledOut(text)
	}
	if i := g.byWords(not); i >= 0 {
		return worded[i].name
	}
	if _, known := claimedCode(g.hinted); known && foreign && bits.OnesCount64(spelled&^not) == 1 {
		if l := worded[bits.TrailingZeros64(spelled&^not)].name; g.may(l) {
			return l
		}
	}
	if !foreign {
		if l := byScript(text, claimed); l != "" && g.may(l) {
			return l
		}
	}
	if len(g.among) > 0 {
		return g.among[0]
	}
	return ""
}

// claims returns the first of some languages that has the code of the tag that the page claims, "" if there is none.
func (g *guesser) claims(of []tongue) string {
	code, _ := claimedCode(g.hinted)
	for i := range of {
		if code != "" && slices.Contains(of[i].codes, code) {
			return of[i].name
		}
	}
	return ""
}

// may reports whether a language is among those to choose from.
func (g *guesser) may(language string) bool {
	return len(g.among) == 0 || slices.Contains(g.among, language)
}

// languageTally holds for each language about how many tenths of words of the page the occurrences of its function words
// stand for, and how many distinct ones occur.
type languageTally struct{ occur, distinct [64]int }

// byWords returns the number of the language that the function words show, or -1 if they show none. not are the languages
// that the letters rule out.
func (g *guesser) byWords(not uint64) int {
	t := g.tally(0)
	first := g.leading(&t, not)
	if _, known := claimedCode(g.hinted); first < 0 && known && g.words <= mostUndecided {
		g.guessAt(&t, not)
	}
	if first > 0 || first == 0 && g.claims(worded[:1]) != "" {
		return first
	}
	english := t.occur[0]
	t = g.tally(1)
	ample := func(i int) bool {
		return t.occur[i] <= 2*english && t.distinct[i] >= guessEnough && float64(t.occur[i]) >= 10*guessQuotes*float64(g.words)
	}
	for i := range worded {
		if ample(i) { // in few pages
			if other := g.leading(&t, not); other >= 0 && ample(other) {
				return other
			}
			break
		}
	}
	return first
}

// tally tallies the function words of the page without those that some languages have too.
func (g *guesser) tally(without uint64) (t languageTally) {
	g.each(func(n uint16, count int) {
		mask := functions.masks[n]
		if mask&without != 0 {
			return
		}
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			t.occur[i] += 1000 * count / worded[i].share
			t.distinct[i]++
		}
	})
	return t
}

// guessAt sets g.likely to the languages that lead a tally.
func (g *guesser) guessAt(t *languageTally, not uint64) {
	for i := range worded {
		if t.occur[i] > 0 && not>>i&1 == 0 && g.may(worded[i].name) {
			g.likely = append(g.likely, worded[i].name)
		}
	}
	slices.SortStableFunc(g.likely, func(a, b string) int { return t.occur[LanguageNumber(b)-1] - t.occur[LanguageNumber(a)-1] })
	g.likely = g.likely[:min(len(g.likely), mostLikely)]
}

// mostLikely is the number of languages that a page of unknown language may have. The language of a page of more than
// mostUndecided words stays unknown: it is none of these.
const (
	mostLikely    = 4
	mostUndecided = 2000
)

// leading returns the number of the language that a tally shows, or -1 if it shows none.
func (g *guesser) leading(t *languageTally, not uint64) int {
	best, claimed := -1, -1
	code, known := claimedCode(g.hinted)
	for i := range worded {
		if t.occur[i] == 0 || not>>i&1 != 0 || !g.may(worded[i].name) {
			continue
		}
		if best < 0 || t.occur[i] > t.occur[best] {
			best = i
		}
		if code != "" && slices.Contains(worded[i].codes, code) && (claimed < 0 || t.occur[i] > t.occur[claimed]) {
			claimed = i
		}
	}
	switch {
	case best < 0:
	case claimed >= 0 && g.ahead(claimed, t, 1/guessFar):
		return claimed
	case !known && (g.words < guessLong || float64(t.occur[best]) < 10*guessSure*float64(g.words)):
	case t.distinct[best] >= max(guessWords, min(guessEnough, g.words/guessShare)) && g.ahead(best, t, guessAhead):
		return best
	}
	return -1
}

// each calls do with each function word of the page and how often it counts.
func (g *guesser) each(do func(n uint16, count int)) {
	most := uint32(max(1, g.words/guessMost))
	for _, n := range g.found {
		do(n, int(min(most, g.count[n])))
	}
}

// ahead reports whether the words of a language occur a number of times as often as those of every other language, not
// counting words that both have.
func (g *guesser) ahead(best int, t *languageTally, times float64) bool {
	var both [64][2]int
	var shared [64]int // distinct words
	g.each(func(n uint16, count int) {
		if mask := functions.masks[n]; mask>>best&1 != 0 {
			for ; mask != 0; mask &= mask - 1 {
				i := bits.TrailingZeros64(mask)
				shared[i]++
				both[i][0] += 1000 * count / worded[best].share
				both[i][1] += 1000 * count / worded[i].share
			}
		}
	})
	for i := range worded {
		if i == best || t.occur[i] == 0 || !g.may(worded[i].name) {
			continue
		}
		own, other := t.occur[best]-both[i][0], t.occur[i]-both[i][1]
		mixed := own >= other && 2*own > t.occur[best]                                        // in two languages that are no neighbours
		repeated := times > 1 && t.distinct[best]-shared[i] == 1 && t.distinct[i] > shared[i] // one word is no evidence
		if repeated || !mixed && (times > 1 && own < 1 || float64(own) < times*float64(other)) {
			return false
		}
	}
	return true
}

// claimedCode returns the code of the language that a tag such as "en-GB" names, "" if it names none, and whether a
// language with that code is known.
func claimedCode(tag string) (code string, known bool) {
	code, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tag)), "_", "-"), "-")
	if len(code) < 2 || len(code) > 3 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") != "" || slices.Contains([]string{"und", "mul", "mis", "zxx"}, code) {
		return "", true
	}
	has := func(t tongue) bool { return slices.Contains(t.codes, code) }
	return code, slices.ContainsFunc(worded, has) || slices.ContainsFunc(lettered, has)
}

// language returns the probable language of a page with the given text, whose words the guesser has met, or "" if the
// parser does not guess.
func (p *Parser) language(text []byte) string {
	switch {
	case !p.Guessing && (p.Vocabulary == nil || !p.Vocabulary.auto):
		return ""
	case p.Language != "":
		return p.Language
	}
	p.guess.hinted, p.guess.among = p.doc.Meta.Lang, p.Among
	if p.Vocabulary != nil {
		p.guess.among = p.Vocabulary.among
	}
	return p.guess.language(text)
}

// settle finds the probable language of a page and replaces the keys of its words by terms in that language, or removes
// them if there is no vocabulary.
func (p *Parser) settle() {
	v, words := p.Vocabulary, p.doc.Words
	p.second = ""
	guessing := p.Language == "" && (p.Guessing || v != nil && v.auto)
	if guessing {
		p.guess.add(words)
	}
	p.doc.Language = p.language(p.doc.Text)
	p.doc.Likely = nil
	if p.doc.Language == "" {
		p.doc.Likely = p.guess.likely
	}
	if v == nil {
		withoutTerms(words)
		return
	}
	if guessing {
		if p.second = p.guess.second(p.doc.Language); p.second != "" {
			p.passages()
			return
		}
	}
	v.settle(p.doc.Language, words, p.doc.Text)
}

// withoutTerms removes the keys of words.
func withoutTerms(words []Word) {
	for i := range words {
		words[i].Term = 0
	}
}
