package text

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
)

// Analysis holds the settings that turn words into terms.
type Analysis struct {
	Language string // one of Languages, several of them with commas between, or Auto
	Stem     bool   // whether to stem words by the stemmer of the language
	Stop     string // "snowball" for the stop list of the language, or "none"
}

// Vocabulary maps each distinct word to its term and counts the words of each term, so that a table can show
// "databases" where the stem is "databas". It is not safe for concurrent use; each worker needs one.
//
// It identifies words, like terms, by their 64-bit hash. A lookup is a probe of a table of numbers and takes a fifth of
// the time of reading a page; with a map of strings it took a third.
type Vocabulary struct {
	analysis Analysis
	auto     bool        // the language of each page is guessed
	langs    []*language // by number; language 0, of pages of which it is unknown, has no stemmer and no stop words
	among    []string    // the languages of the pages; all if empty
	slots    []slot      // open addressing, a power of two, at most half full
	words    []byte      // the distinct words that have a term, one after another
	used     int
	hot      [1 << hotBits]hot
	limit    int // of used
	drain    func() error
	err      error // of drain
	split    Splitter
	low      []byte // the last new word
}

// slot is a distinct word in a language. The zero slot is empty; a word with hash 0 is treated as one with hash 1. A word
// has a slot without a term, and one for each language in which it occurred.
type slot struct {
	hash     uint64
	term     bags.Term
	count    uint32
	from, to uint32 // the word is words[from:to]
}

// maxEntries and minEntries bound the number of words that fill a vocabulary. A word takes entryBytes: a slot of 32
// bytes in a table that is a quarter full, half as much again while the table grows, and its letters.
const (
	maxEntries = 1 << 20
	minEntries = 1 << 12
	entryBytes = 6*32 + 10
)

// NewVocabulary returns an empty vocabulary, or an error if a language or the stop list of the analysis is unknown.
func NewVocabulary(a Analysis) (*Vocabulary, error) {
	if a.Stop != "snowball" && a.Stop != "none" {
		return nil, fmt.Errorf("stop list %q is neither snowball nor none", a.Stop)
	}
	v := &Vocabulary{analysis: a, langs: []*language{nil}, slots: make([]slot, 1<<12), limit: maxEntries}
	if v.auto, v.among = a.Guesses(); !v.auto {
		v.among = []string{a.Language}
	}
	for _, name := range v.among {
		if languages()[name] == nil {
			return nil, fmt.Errorf("language %q is neither %s nor one of %s", name, Auto, strings.Join(Languages(), ", "))
		}
	}
	for _, name := range languageNames {
		v.langs = append(v.langs, languages()[name])
	}
	return v, nil
}

// Guesses reports whether the language of each page is guessed, and among which languages; among all if there are none.
func (a Analysis) Guesses() (guesses bool, among []string) {
	if a.Language == Auto {
		return true, nil
	}
	among = strings.Split(a.Language, ",")
	return len(among) > 1, among
}

// Term returns the term of a lower-case word of which the language is unknown, and counts it.
func (v *Vocabulary) Term(lower []byte) bags.Term { return v.TermIn("", lower) }

// TermIn returns the term of a lower-case word of a page in a language and counts it. The term depends only on the word
// and the language. Equal stems have the same term in all languages, so that names do. A vocabulary of one language
// ignores the argument.
func (v *Vocabulary) TermIn(language string, lower []byte) bags.Term {
	w := []Word{{To: uint32(len(lower)), Term: bags.Term(v.meet(lower))}}
	v.settle(language, w, lower)
	return w[0].Term
}

// number returns the number of a language, or 0 if it is unknown.
func (v *Vocabulary) number(language string) int {
	if !v.auto {
		language = v.analysis.Language
	}
	if i, ok := slices.BinarySearch(languageNames, language); ok {
		return i + 1
	}
	return 0
}

// meet makes sure that a word has a slot, and returns its key.
func (v *Vocabulary) meet(lower []byte) uint64 {
	h := hashWord(lower)
	if v.warm(h).hash != h {
		v.met(h, lower)
	}
	return h
}

// met returns the slot without a term of a word, which is lower-case or all ASCII.
func (v *Vocabulary) met(h uint64, word []byte) *slot {
	s := v.find(h)
	if s.hash != 0 {
		return s
	}
	v.relieve()
	s = v.room(v.find(h), h)
	v.low = lowerASCII(v.low[:0], word)
	low := v.low
	if hashWord(low) != h { // drained since meet was called
		low = v.lower(word)
	}
	*s = slot{hash: h}
	v.used++
	v.keep(s, low)
	return s
}

// lower returns a word of a text in lower case.
func (v *Vocabulary) lower(word []byte) (low []byte) {
	v.split.Split(word, func(_, _ int, lower []byte) { low = bytes.Clone(lower) })
	return low
}

// lowerASCII appends a word to dst, with A to Z in lower case.
func lowerASCII(dst, word []byte) []byte {
	for _, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// settle replaces the keys of words by their terms and counts the words. Words without a slot are all ASCII.
func (v *Vocabulary) settle(language string, words []Word, text []byte) {
	l := v.number(language)
	for i := range words {
		if w := &words[i]; w.Term != 0 {
			w.Term = v.again(l, uint64(w.Term), text[w.From:w.To])
		}
	}
}

// inLanguage returns the key of a word in the language with the given number.
func inLanguage(language int, key uint64) uint64 {
	return max((key^uint64(language+1))*0x9E3779B97F4A7C15, 1)
}

// again returns the term of a word in a language and counts the word.
func (v *Vocabulary) again(language int, key uint64, word []byte) bags.Term {
	h := inLanguage(language, key)
	if c := v.warm(h); c.hash == h {
		return c.counted()
	}
	s := v.find(h)
	if s.hash == 0 {
		met := *v.met(key, word)
		low := string(v.words[met.from:met.to])
		v.relieve()
		s = v.room(v.find(h), h)
		v.add(s, h, v.langs[language], low)
	}
	return v.counted(s)
}

// counted counts a word that is not hot.
func (v *Vocabulary) counted(s *slot) bags.Term {
	if s.count < math.MaxUint32 {
		s.count++
	}
	v.heat(s)
	return s.term
}

// heat makes a word hot if it is now more frequent than the hot one in its place.
func (v *Vocabulary) heat(s *slot) {
	if c := v.warm(s.hash); s.count > c.count {
		c.cool()
		*c = hot{hash: s.hash, term: s.term, count: s.count, slot: s}
	}
}

// room grows the table if there is no room for another slot, and returns the slot for the hash.
func (v *Vocabulary) room(s *slot, h uint64) *slot {
	if 2*v.used < len(v.slots) {
		return s
	}
	v.grow()
	return v.find(h)
}

// find returns the slot of a hash, or the empty slot where the hash belongs.
func (v *Vocabulary) find(h uint64) *slot {
	mask := uint64(len(v.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if s := &v.slots[i]; s.hash == h || s.hash == 0 {
			return s
		}
	}
}

func (v *Vocabulary) add(s *slot, h uint64, l *language, word string) {
	*s = slot{hash: h, term: v.analyse(l, word)}
	v.used++
	if s.term != 0 {
		v.keep(s, []byte(word))
	}
}

func (v *Vocabulary) keep(s *slot, word []byte) {
	s.from = uint32(len(v.words))
	v.words = append(v.words, word...)
	s.to = uint32(len(v.words))
}

func (v *Vocabulary) grow() {
	v.cool()
	old := v.slots
	n := 2 * len(old)
	if n < 1<<15 {
		n *= 2
	}
	v.slots = make([]slot, n)
	for _, s := range old {
		if s.hash != 0 {
			*v.find(s.hash) = s
		}
	}
}

// analyse returns the term of a word in l, or in an unknown language if l is nil. Latin letters in another script are
// taken for English.
func (v *Vocabulary) analyse(l *language, word string) bags.Term {
	if l != nil {
		if l.latin != nil && word != "" && word[0] < utf8.RuneSelf {
			l = l.latin
		}
		word = l.fold(word)
		if v.analysis.Stop != "none" && l.stop(word) {
			return 0
		}
		if v.analysis.Stem {
			word = l.stemmed(word)
		}
	}
	if word == "" {
		return 0
	}
	return bags.TermOf(xxh3.HashString(word))
}

// Bound limits the vocabulary to about the given number of bytes. Whenever it is full, even in the middle of a page, it
// calls drain, which must call Drain. Err returns the first error of drain.
func (v *Vocabulary) Bound(bytes int64, drain func() error) {
	v.limit, v.drain = int(min(max(bytes/entryBytes, minEntries), maxEntries)), drain
}

// Err returns the first error of the function passed to Bound.
func (v *Vocabulary) Err() error { return v.err }

// Full reports whether the vocabulary should be drained before the next page.
func (v *Vocabulary) Full() bool { return v.used >= v.limit }

// relieve drains the vocabulary if it is too full for another word.
func (v *Vocabulary) relieve() {
	if v.drain != nil && v.Full() && v.err == nil {
		v.err = v.drain()
	}
}

// Drain is Counts, and empties the vocabulary.
func (v *Vocabulary) Drain(word func(t bags.Term, word string, count uint64) error) error {
	if err := v.Counts(word); err != nil {
		return err
	}
	if len(v.slots) > 8*v.limit { // one page had many words
		v.slots, v.words = make([]slot, 1<<12), nil
	}
	clear(v.slots)
	v.words, v.used = v.words[:0], 0
	return nil
}

// Counts calls word, in no particular order, for each word counted since the last call of Counts or Drain. Unlike
// Drain, it keeps the words, so that they need not be stemmed again.
func (v *Vocabulary) Counts(word func(t bags.Term, word string, count uint64) error) error {
	v.cool()
	for i := range v.slots {
		s := &v.slots[i]
		if s.term == 0 || s.count == 0 {
			continue
		}
		if err := word(s.term, string(v.words[s.from:s.to]), uint64(s.count)); err != nil {
			return err
		}
		s.count = 0
	}
	return nil
}
