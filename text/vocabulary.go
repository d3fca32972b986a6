package text

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/french"
	"github.com/kljensen/snowball/hungarian"
	"github.com/kljensen/snowball/norwegian"
	"github.com/kljensen/snowball/russian"
	"github.com/kljensen/snowball/spanish"
	"github.com/kljensen/snowball/swedish"
	"github.com/zeebo/xxh3"
)

// Term is the 64-bit hash of a stemmed word. Zero means that the word has no term: a stop word or noise. Two terms of
// one vocabulary of ten million words share a hash with probability 3·10⁻⁶.
type Term uint64

// Analysis says how words become terms.
type Analysis struct {
	Language string // see Languages
	Stem     bool   // Porter's algorithm in the form of snowball
	Stop     string // "snowball": the stop list of the language; "none"
}

type language struct {
	stem func(word string, stemStopWords bool) string
	stop func(word string) bool
}

var languages = map[string]language{
	"english":   {english.Stem, english.IsStopWord},
	"french":    {french.Stem, french.IsStopWord},
	"hungarian": {hungarian.Stem, hungarian.IsStopWord},
	"norwegian": {norwegian.Stem, norwegian.IsStopWord},
	"russian":   {russian.Stem, russian.IsStopWord},
	"spanish":   {spanish.Stem, spanish.IsStopWord},
	"swedish":   {swedish.Stem, swedish.IsStopWord},
}

// Languages lists what Analysis.Language may be, sorted.
func Languages() []string {
	names := make([]string, 0, len(languages))
	for n := range languages {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Vocabulary maps each distinct word to its Term once and counts the words behind every term, so that a table can
// show "databases" where the term is "databas". Not safe for concurrent use: one a worker.
//
// Words are told apart by their 64-bit hash, as terms are: looking one up is a probe of a table of numbers, a fifth of
// the time of reading a page where a map of strings took a third.
type Vocabulary struct {
	analysis Analysis
	lang     language
	slots    []slot // open addressing, a power of two, at most half full
	words    []byte // the distinct words that have a term, one behind the other
	used     int
}

// slot is a distinct word. The zero slot is empty; a word whose hash is 0 counts as one whose hash is 1.
type slot struct {
	hash     uint64
	term     Term
	count    uint32
	from, to uint32 // place in words
}

// maxEntries bounds a vocabulary's memory to about 100 MB; Full then asks for a Drain.
const maxEntries = 1 << 20

// NewVocabulary returns an empty vocabulary, or an error when the analysis names what there is not.
func NewVocabulary(a Analysis) (*Vocabulary, error) {
	l, ok := languages[a.Language]
	if !ok {
		return nil, fmt.Errorf("language %q is not one of %s", a.Language, strings.Join(Languages(), ", "))
	}
	if a.Stop != "snowball" && a.Stop != "none" {
		return nil, fmt.Errorf("stop list %q is neither snowball nor none", a.Stop)
	}
	return &Vocabulary{analysis: a, lang: l, slots: make([]slot, 1<<12)}, nil
}

// Term returns the term of a lower-case word and counts it.
func (v *Vocabulary) Term(lower []byte) Term {
	h := max(xxh3.Hash(lower), 1)
	s := v.find(h)
	if s.hash == 0 {
		if 2*v.used >= len(v.slots) {
			v.grow()
			s = v.find(h)
		}
		v.add(s, h, string(lower))
	}
	if s.count < math.MaxUint32 {
		s.count++
	}
	return s.term
}

// find returns the slot of a hash, or the empty one where it would go.
func (v *Vocabulary) find(h uint64) *slot {
	mask := uint64(len(v.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		if s := &v.slots[i]; s.hash == h || s.hash == 0 {
			return s
		}
	}
}

func (v *Vocabulary) add(s *slot, h uint64, word string) {
	*s = slot{hash: h, term: v.analyse(word)}
	v.used++
	if s.term != 0 {
		s.from = uint32(len(v.words))
		v.words = append(v.words, word...)
		s.to = uint32(len(v.words))
	}
}

func (v *Vocabulary) grow() {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	for _, s := range old {
		if s.hash != 0 {
			*v.find(s.hash) = s
		}
	}
}

func (v *Vocabulary) analyse(word string) Term {
	if v.analysis.Stop != "none" && v.lang.stop(word) {
		return 0
	}
	stem := word
	if v.analysis.Stem {
		stem = v.stem(word)
	}
	if stem == "" {
		return 0
	}
	return Term(xxh3.HashString(stem))
}

// stem is the stemmer made safe: a word on which it fails stays as it is.
func (v *Vocabulary) stem(word string) (stem string) {
	defer func() {
		if recover() != nil {
			stem = word
		}
	}()
	return v.lang.stem(word, true)
}

// Full tells that the vocabulary should be drained before the next page.
func (v *Vocabulary) Full() bool { return v.used >= maxEntries }

// Drain gives every word that has a term with its count, in no order, and empties the vocabulary.
func (v *Vocabulary) Drain(word func(t Term, word string, count uint64) error) error {
	for _, s := range v.slots {
		if s.term == 0 {
			continue
		}
		if err := word(s.term, string(v.words[s.from:s.to]), uint64(s.count)); err != nil {
			return err
		}
	}
	clear(v.slots)
	v.words, v.used = v.words[:0], 0
	return nil
}
