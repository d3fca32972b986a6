package pipeline

import (
	"bytes"
	"encoding/binary"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
)

// wordSize is the size in bytes of a record of a word: term (8, big-endian), word (text.MaxWord, padded with zeros),
// count (8).
const wordSize = 8 + text.MaxWord + 8

// wordSpill writes the vocabulary of one worker.
type wordSpill struct {
	to  partitionWriter
	rec [wordSize]byte
}

// drain writes the words of a vocabulary and empties it. A nil vocabulary has no words.
func (w *wordSpill) drain(v *text.Vocabulary) error {
	if v == nil {
		return nil
	}
	return v.Drain(w.word)
}

// flush writes the words of a vocabulary that were counted since the last part, and what is still in memory. It keeps
// the words in the vocabulary.
func (w *wordSpill) flush(v *text.Vocabulary) error {
	if v == nil {
		return nil
	}
	if err := v.Counts(w.word); err != nil {
		return err
	}
	return w.to.flush()
}

func (w *wordSpill) word(t bags.Term, word string, count uint64) error {
	return w.to.append(wordRecord(&w.rec, uint64(t), word, count))
}

// wordRecord makes a record in rec.
func wordRecord(rec *[wordSize]byte, term uint64, word string, count uint64) []byte {
	binary.BigEndian.PutUint64(rec[:], term)
	clear(rec[8+copy(rec[8:8+text.MaxWord], word) : 8+text.MaxWord])
	binary.BigEndian.PutUint64(rec[8+text.MaxWord:], count)
	return rec[:]
}

// wordReader reads the words in the order of their terms, once for the terms of links and once for those of content.
type wordReader struct {
	all, rest []byte
	content   bool // read for the terms of content
}

// best returns the most frequent word of a term; ties go to the first in alphabetical order. The caller must ask for
// terms in ascending order.
func (w *wordReader) best(t bags.Term) (word string) {
	if t.IsContent() && !w.content {
		w.rest, w.content = w.all, true
	}
	term, most := uint64(t.OfLinks()), uint64(0)
	for ; len(w.rest) >= wordSize && binary.BigEndian.Uint64(w.rest) <= term; w.rest = w.rest[wordSize:] {
		if n := binary.BigEndian.Uint64(w.rest[8+text.MaxWord:]); binary.BigEndian.Uint64(w.rest) == term && n > most {
			most, word = n, string(bytes.TrimRight(w.rest[8:8+text.MaxWord], "\x00"))
		}
	}
	return word
}
