package text

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
)

// Tally numbers the words that a vocabulary counts, text after text, and counts those of one text, so that a [Recount]
// can count them again without the text. [Vocabulary.Keep] sets it. The zero value has no words.
//
// The counts of a text are small, because they name words by their numbers. The words themselves are written once for
// all texts.
type Tally struct {
	slots   []tallied // open addressing, a power of two, at most half full
	words   []talliedWord
	letters []byte // of the words, one after another
	keys    []uint64

	counts   []uint32 // of the text, by the numbers of the words
	seen     []uint64 // a bit for each word: whether the text has it
	earlier  int      // words before the text
	distinct int      // words of the text
	bytes    int      // letters of these
}

// tallied is a word by its key: the hash of the word, mixed with the number of its language in a vocabulary of Auto.
// The zero slot is empty.
type tallied struct {
	key  uint64
	word uint32
}

type talliedWord struct {
	term     bags.Term
	from, to uint32 // of the letters
}

// mostTally is the number of bytes of the different words of a text that a tally collects, and mostWords that of the
// words. With manyWords words, or with mostTally bytes, the tally is large.
const (
	mostTally = 1 << 20
	mostWords = mostTally / 8
	manyWords = 1 << 16
)

// maxNumber is more than any number of a word, since a text begins with a tally that is not large.
const maxNumber = manyWords + mostWords

// Reset forgets the counts, so that another text can begin. The words keep their numbers.
func (t *Tally) Reset() {
	for i, bits := range t.seen {
		if bits != 0 {
			clear(t.counts[64*i : min(64*i+64, len(t.counts))])
		}
	}
	clear(t.seen)
	t.earlier, t.distinct, t.bytes = len(t.words), 0, 0
}

// Drop forgets the counts, and the words that no text before this one has.
func (t *Tally) Drop() {
	n := t.earlier
	if t.Reset(); n == len(t.words) {
		return
	}
	t.letters = t.letters[:t.words[n].from]
	t.words, t.counts, t.seen = t.words[:n], t.counts[:n], t.seen[:(n+63)/64]
	t.earlier = n
	old := t.slots
	t.slots = make([]tallied, len(old))
	for _, s := range old {
		if s.key != 0 && int(s.word) < n {
			*t.find(s.key) = s
		}
	}
}

// Forget forgets all words and their numbers.
func (t *Tally) Forget() {
	if len(t.slots) > 4*manyWords { // a text had many words
		*t = Tally{}
	}
	clear(t.slots)
	t.words, t.letters, t.counts, t.seen = t.words[:0], t.letters[:0], t.counts[:0], t.seen[:0]
	t.earlier, t.distinct, t.bytes = 0, 0, 0
}

// Full reports whether the text had too many different words, so that the tally lacks some. It does not depend on the
// texts before.
func (t *Tally) Full() bool { return t.bytes >= mostTally || t.distinct >= mostWords }

// Large reports whether the tally has so many words that it should forget them before another text begins.
func (t *Tally) Large() bool { return len(t.words) >= manyWords || len(t.letters) >= mostTally }

// Len returns the number of words.
func (t *Tally) Len() int { return len(t.words) }

// before remembers the keys of words, which settle replaces.
func (t *Tally) before(words []Word) {
	t.keys = t.keys[:0]
	for _, w := range words {
		t.keys = append(t.keys, uint64(w.Term))
	}
}

// after adds the words that have a term.
func (t *Tally) after(v *Vocabulary, language string, words []Word, text []byte) {
	l := 0
	if v.auto {
		l = v.number(language)
	}
	for i, w := range words {
		if w.Term == 0 {
			continue
		}
		key := t.keys[i]
		if v.auto {
			key = inLanguage(l, key)
		}
		if t.Full() {
			return
		}
		n, ok := t.number(key)
		if !ok {
			n = t.add(v, key, t.keys[i], w.Term, text[w.From:w.To])
		}
		if t.counts[n] == 0 {
			t.seen[n/64] |= 1 << (n % 64)
			t.distinct, t.bytes = t.distinct+1, t.bytes+int(t.words[n].to-t.words[n].from)
		}
		if t.counts[n] < math.MaxUint32 {
			t.counts[n]++
		}
	}
}

// number returns the number of the word with a key.
func (t *Tally) number(key uint64) (n uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	s := t.find(key)
	return s.word, s.key != 0
}

// find returns the slot of a key, or the empty slot where the key belongs.
func (t *Tally) find(key uint64) *tallied {
	mask := uint64(len(t.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		if s := &t.slots[i]; s.key == key || s.key == 0 {
			return s
		}
	}
}

// add adds a word of a text, which has a key, a hash and a term, and returns its number.
func (t *Tally) add(v *Vocabulary, key, hash uint64, term bags.Term, word []byte) uint32 {
	if 2*len(t.words) >= len(t.slots) {
		old := t.slots
		t.slots = make([]tallied, max(1<<10, 2*len(old)))
		for _, s := range old {
			if s.key != 0 {
				*t.find(s.key) = s
			}
		}
	}
	n, from := uint32(len(t.words)), len(t.letters)
	*t.find(key) = tallied{key, n}
	t.letters = lowerASCII(t.letters, word)
	if hashWord(t.letters[from:]) != hash {
		t.letters = append(t.letters[:from], v.lower(word)...)
	}
	t.words = append(t.words, talliedWord{term, uint32(from), uint32(len(t.letters))})
	if t.counts = append(t.counts, 0); int(n/64) == len(t.seen) {
		t.seen = append(t.seen, 0)
	}
	return n
}

// AppendCounts appends the counts of the text, for [Recount.Add]: as uvarints the number of words, and for each word in
// the order of the numbers twice the words that were passed over since the one before and, if the count is more than
// 1, plus 1 and then the count less 2.
func (t *Tally) AppendCounts(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(t.distinct))
	next := 0
	for i, set := range t.seen {
		for ; set != 0; set &= set - 1 {
			n := 64*i + bits.TrailingZeros64(set)
			gap := uint64(n-next) << 1
			if next = n + 1; t.counts[n] == 1 {
				dst = binary.AppendUvarint(dst, gap)
			} else {
				dst = binary.AppendUvarint(binary.AppendUvarint(dst, gap|1), uint64(t.counts[n]-2))
			}
		}
	}
	return dst
}

// AppendWords appends the words in the order of their numbers, for [Recount.Words]: the term of each (8 bytes), and its
// lower-case letters, led by their number as a uvarint.
func (t *Tally) AppendWords(dst []byte) []byte {
	for _, w := range t.words {
		dst = codec.AppendBytes(binary.LittleEndian.AppendUint64(dst, uint64(w.term)), t.letters[w.from:w.to])
	}
	return dst
}

// Keep makes the vocabulary add every word that it counts to a tally, or to none if that is nil.
func (v *Vocabulary) Keep(t *Tally) { v.tally = t }

// Recount adds up the counts of texts whose words one [Tally] has numbered. The zero value has no counts.
type Recount struct{ counts []uint32 }

// Add adds the counts of a text, which AppendCounts has written.
func (r *Recount) Add(d *codec.Decoder) error {
	n := uint64(0) // after the last word
	for range d.Uvarint() {
		gap, more := d.Uvarint(), uint64(0)
		count := 1 + gap&1
		if gap&1 != 0 {
			more = d.Uvarint()
		}
		if n += gap >> 1; d.Err != nil || more > math.MaxUint32 || gap>>1 > maxNumber || n >= maxNumber {
			return codec.ErrMalformed
		}
		if n >= uint64(len(r.counts)) {
			r.counts = append(r.counts, make([]uint32, n+1-uint64(len(r.counts)))...)
		}
		r.counts[n] = uint32(min(uint64(r.counts[n])+count+more, math.MaxUint32))
		n++
	}
	return d.Err
}

// Words calls word for each word that was counted, with its term and its count, and forgets the counts. The tally has
// written words.
func (r *Recount) Words(words []byte, word func(t bags.Term, word []byte, count uint64) error) error {
	d := codec.Decoder{B: words}
	for n, count := range r.counts {
		t, letters := bags.Term(d.U64()), d.Bytes()
		if d.Err != nil {
			return d.Err
		}
		if count == 0 {
			continue
		}
		r.counts[n] = 0
		if err := word(t, letters, uint64(count)); err != nil {
			return err
		}
	}
	r.counts = r.counts[:0]
	return nil
}
