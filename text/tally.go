package text

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

// CountIn counts a lower-case word of a text in a language n times, as TermIn counts it once.
func (v *Vocabulary) CountIn(language string, lower []byte, n uint32) {
	if n == 0 {
		return
	}
	tally := v.tally
	v.tally = nil
	v.TermIn(language, lower)
	v.tally = tally
	if n == 1 {
		return
	}
	h := hashWord(lower)
	if v.auto {
		h = inLanguage(v.number(language), h)
	}
	count := &v.find(h).count
	if c := v.warm(h); c.hash == h {
		count = &c.count
	}
	*count = uint32(min(uint64(*count)+uint64(n-1), 1<<32-1))
}
