package text

import "math"

// Tally collects the words that a vocabulary counts, by language, so that they can be counted again without the text. It
// collects about a megabyte of them: see Full. [Vocabulary.Keep] sets it. The zero value is empty.
type Tally struct {
	index map[tallyKey]int // into words
	words []CountedWord
	bytes []byte // the words, one after another
	keys  []uint64
}

// CountedWord is a word of a text in a language that was counted several times.
type CountedWord struct {
	Language string
	Count    uint32
	from, to int
}

// tallyKey is a word as it is counted.
type tallyKey struct {
	word     uint64 // its hash
	language string
}

// mostTally is the number of bytes of the words that a tally collects, and mostWords that of the words.
const (
	mostTally = 1 << 20
	mostWords = mostTally / 8
)

// Reset forgets all words.
func (t *Tally) Reset() {
	clear(t.index)
	t.words, t.bytes = t.words[:0], t.bytes[:0]
}

// Full reports whether there were too many different words, so that the tally lacks some.
func (t *Tally) Full() bool { return len(t.bytes) >= mostTally || len(t.words) >= mostWords }

// Words returns the words, in the order in which they were met first. They are valid until the next Reset.
func (t *Tally) Words() []CountedWord { return t.words }

// Word returns the lower-case letters of a word.
func (t *Tally) Word(w CountedWord) []byte { return t.bytes[w.from:w.to] }

// before remembers the keys of words, which settle replaces.
func (t *Tally) before(words []Word) {
	t.keys = t.keys[:0]
	for _, w := range words {
		t.keys = append(t.keys, uint64(w.Term))
	}
}

// after adds the words that have a term.
func (t *Tally) after(v *Vocabulary, language string, words []Word, text []byte) {
	if t.index == nil {
		t.index = map[tallyKey]int{}
	}
	for i, w := range words {
		if w.Term == 0 {
			continue
		}
		if t.Full() {
			return
		}
		k := tallyKey{t.keys[i], language}
		at, ok := t.index[k]
		if !ok {
			at = len(t.words)
			t.index[k] = at
			from := len(t.bytes)
			t.bytes = lowerASCII(t.bytes, text[w.From:w.To])
			if hashWord(t.bytes[from:]) != k.word {
				t.bytes = append(t.bytes[:from], v.lower(text[w.From:w.To])...)
			}
			t.words = append(t.words, CountedWord{Language: language, from: from, to: len(t.bytes)})
		}
		t.words[at].Count++
	}
}

// Keep makes the vocabulary add every word that it counts to a tally, or to none if that is nil.
func (v *Vocabulary) Keep(t *Tally) { v.tally = t }

// Language is a language of a vocabulary, for CountIn.
type Language int

// In returns the language with a name. A vocabulary of one language ignores the name.
func (v *Vocabulary) In(language string) Language { return Language(v.number(language)) }

// CountIn counts a lower-case word of a text in a language n times, as TermIn counts it once.
func (v *Vocabulary) CountIn(l Language, lower []byte, n uint32) {
	if n == 0 {
		return
	}
	word := hashWord(lower)
	key := word
	if v.auto {
		key = inLanguage(int(l), word)
	}
	if c := v.warm(key); c.hash == key {
		c.count = plus(c.count, n)
		return
	}
	if s := v.find(key); s.hash != 0 {
		s.count = plus(s.count, n)
		v.heat(s)
		return
	}
	if v.auto {
		v.again(int(l), word, lower)
	} else {
		v.term(word, lower)
	}
	v.CountIn(l, lower, n-1)
}

// plus returns the sum of two counts, or the greatest count.
func plus(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), math.MaxUint32)) }
