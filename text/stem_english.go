package text

import "slices"

// stemEnglish appends the stem of a word to dst. It is the English stemmer of Snowball for words of the letters a to z
// and digits: the stems are those of github.com/kljensen/snowball/english, but it works on bytes and allocates
// nothing. It reports false for other words, such as those with an apostrophe.
func stemEnglish(dst []byte, word string) ([]byte, bool) {
	for i := range len(word) {
		if plain[word[i]] != word[i] || word[i] == 0 {
			return dst, false
		}
	}
	dst = append(dst, word...)
	if len(word) <= 2 {
		return dst, true
	}
	if s, ok := englishExceptions[word]; ok {
		return append(dst[:0], s...), true
	}
	w := stemmer{w: dst}
	w.markConsonants()
	w.findRegions()
	w.plural()
	w.participle()
	w.finalY()
	w.derived()
	w.derivedAgain()
	w.strip()
	w.finalE()
	for i, c := range w.w {
		if c == 'Y' {
			w.w[i] = 'y'
		}
	}
	return w.w, true
}

// stemmer is a word that is being stemmed. A Y is a y that is a consonant. See
// https://snowballstem.org/algorithms/english/stemmer.html for the two regions.
type stemmer struct {
	w      []byte
	r1, r2 int // where the regions start
}

func (s *stemmer) markConsonants() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || vowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
}

func (s *stemmer) findRegions() {
	region := func(from int) int {
		for i := from + 1; i < len(s.w); i++ {
			if vowel(s.w[i-1]) && !vowel(s.w[i]) {
				return i + 1
			}
		}
		return len(s.w)
	}
	s.r1 = 0
	for _, p := range []string{"gener", "commun", "arsen"} {
		if len(s.w) >= len(p) && string(s.w[:len(p)]) == p {
			s.r1 = len(p)
		}
	}
	if s.r1 == 0 {
		s.r1 = region(0)
	}
	s.r2 = region(s.r1)
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

// replace replaces the last n letters. A region that starts beyond the end of the word starts at its end.
func (s *stemmer) replace(n int, by string) {
	s.w = append(s.w[:len(s.w)-n], by...)
	s.r1, s.r2 = min(s.r1, len(s.w)), min(s.r2, len(s.w))
}

// shortSyllable tells whether the first n letters end in a short syllable.
func (s *stemmer) shortSyllable(n int) bool {
	switch {
	case n == 2:
		return vowel(s.w[0]) && !vowel(s.w[1])
	case n >= 3:
		c := s.w[n-1]
		return !vowel(c) && c != 'w' && c != 'x' && c != 'Y' && vowel(s.w[n-2]) && !vowel(s.w[n-3])
	}
	return false
}

// plural is step 1a.
func (s *stemmer) plural() {
	e, _ := englishPlurals.find(s.w)
	switch e.suffix {
	case "sses":
		s.replace(4, "ss")
	case "ied", "ies":
		if len(s.w) > 4 {
			s.replace(3, "i")
		} else {
			s.replace(3, "ie")
		}
	case "s":
		if slices.ContainsFunc(s.w[:len(s.w)-2], vowel) {
			s.replace(1, "")
		}
	}
}

// participle is step 1b.
func (s *stemmer) participle() {
	e, ok := englishParticiples.find(s.w)
	n := len(e.suffix)
	switch {
	case !ok:
		return
	case e.suffix == "eed" || e.suffix == "eedly":
		if n <= len(s.w)-s.r1 {
			s.replace(n, "ee")
		}
		return
	case !slices.ContainsFunc(s.w[:len(s.w)-n], vowel):
		return
	}
	r1, r2 := s.r1, s.r2
	s.replace(n, "")
	switch e, ok := englishRoots.find(s.w); {
	case ok && e.by == "e":
		s.w = append(s.w, 'e')
	case ok:
		s.w = s.w[:len(s.w)-1]
	case s.r1 >= len(s.w) && s.shortSyllable(len(s.w)):
		s.w = append(s.w, 'e')
		r1, r2 = len(s.w), len(s.w)
	}
	s.r1, s.r2 = min(r1, len(s.w)), min(r2, len(s.w))
}

// finalY is step 1c.
func (s *stemmer) finalY() {
	n := len(s.w)
	if n > 2 && (s.w[n-1] == 'y' || s.w[n-1] == 'Y') && !vowel(s.w[n-2]) {
		s.w[n-1] = 'i'
	}
}

// derived is step 2.
func (s *stemmer) derived() {
	e, ok := englishDerived.find(s.w)
	n := len(s.w)
	switch {
	case !ok || len(e.suffix) > n-s.r1:
	case e.suffix == "li":
		if n >= 3 && slices.Contains([]byte("cdeghkmnrt"), s.w[n-3]) {
			s.replace(2, "")
		}
	case e.suffix == "ogi" && (n < 4 || s.w[n-4] != 'l'):
	default:
		s.replace(len(e.suffix), e.by)
	}
}

// derivedAgain is step 3.
func (s *stemmer) derivedAgain() {
	e, ok := englishDerivedAgain.find(s.w)
	if !ok || len(e.suffix) > len(s.w)-s.r1 || e.suffix == "ative" && len(s.w)-s.r2 < 5 {
		return
	}
	s.replace(len(e.suffix), e.by)
}

// strip is step 4.
func (s *stemmer) strip() {
	e, ok := englishStripped.find(s.w)
	n := len(s.w)
	if !ok || len(e.suffix) > n-s.r2 {
		return
	}
	if e.suffix == "ion" && (n < 4 || s.w[n-4] != 's' && s.w[n-4] != 't') {
		return
	}
	s.replace(len(e.suffix), "")
}

// finalE is step 5.
func (s *stemmer) finalE() {
	last := len(s.w) - 1
	if s.r1 > last {
		return
	}
	switch s.w[last] {
	case 'e':
		if s.r2 <= last || !s.shortSyllable(last) {
			s.replace(1, "")
		}
	case 'l':
		if s.r2 <= last && last >= 1 && s.w[last-1] == 'l' {
			s.replace(1, "")
		}
	}
}

// ending is a suffix and what replaces it.
type ending struct{ suffix, by string }

// endings are the suffixes of a step by their last letter, in the order in which they are looked for.
type endings ['z' + 1][]ending

// newEndings makes endings of suffixes and their replacements in turn.
func newEndings(pairs ...string) *endings {
	t := new(endings)
	for p := range slices.Chunk(pairs, 2) {
		last := p[0][len(p[0])-1]
		t[last] = append(t[last], ending{p[0], p[1]})
	}
	return t
}

// find returns the first of the endings that w ends in.
func (t *endings) find(w []byte) (ending, bool) {
	if len(w) > 0 {
		for _, e := range t[w[len(w)-1]] {
			if len(w) >= len(e.suffix) && string(w[len(w)-len(e.suffix):]) == e.suffix {
				return e, true
			}
		}
	}
	return ending{}, false
}

var (
	englishPlurals     = newEndings("sses", "", "ied", "", "ies", "", "us", "", "ss", "", "s", "")
	englishParticiples = newEndings("eedly", "", "ingly", "", "edly", "", "ing", "", "eed", "", "ed", "")
	englishRoots       = newEndings("at", "e", "bl", "e", "iz", "e",
		"bb", "", "dd", "", "ff", "", "gg", "", "mm", "", "nn", "", "pp", "", "rr", "", "tt", "")
	englishDerived = newEndings("ational", "ate", "fulness", "ful", "iveness", "ive", "ization", "ize", "ousness", "ous",
		"biliti", "ble", "lessli", "less", "tional", "tion", "alism", "al", "aliti", "al", "ation", "ate",
		"entli", "ent", "fulli", "ful", "iviti", "ive", "ousli", "ous", "anci", "ance", "abli", "able",
		"alli", "al", "ator", "ate", "enci", "ence", "izer", "ize", "bli", "ble", "ogi", "og", "li", "")
	englishDerivedAgain = newEndings("ational", "ate", "tional", "tion", "alize", "al", "icate", "ic", "ative", "",
		"iciti", "ic", "ical", "ic", "ful", "", "ness", "")
	englishStripped = newEndings("ement", "", "ance", "", "ence", "", "able", "", "ible", "", "ment", "",
		"ent", "", "ant", "", "ism", "", "ate", "", "iti", "", "ous", "", "ive", "", "ize", "", "ion", "", "al", "", "er", "", "ic", "")
)

// englishExceptions are the words with stems of their own.
var englishExceptions = map[string]string{
	"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
	"ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
	"atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes", "inning": "inning", "innings": "inning",
	"outing": "outing", "outings": "outing", "canning": "canning", "cannings": "canning", "herring": "herring",
	"herrings": "herring", "earring": "earring", "earrings": "earring", "proceed": "proceed", "proceeds": "proceed",
	"proceeded": "proceed", "proceeding": "proceed", "exceed": "exceed", "exceeds": "exceed", "exceeded": "exceed",
	"exceeding": "exceed", "succeed": "succeed", "succeeds": "succeed", "succeeded": "succeed", "succeeding": "succeed",
}
