package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/extsort"
)

// wordSize is the size in bytes of a record of a word: term (8, big-endian), word (text.MaxWord, padded with zeros),
// count (8).
const wordSize = 8 + text.MaxWord + 8

// wordSpill writes the vocabulary of one worker.
type wordSpill struct {
	to  streamWriter
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

// writeWords writes each distinct word once, in the order of (term, word), with the sum of its counts. The records are
// like those that come in.
func (b readStage) writeWords(ctx context.Context, s *extsort.Sorter) (n int64, err error) {
	err = create(b.dir.Temp(wordsFile), func(w io.Writer) error {
		var last []byte
		count := uint64(0)
		put := func() error {
			if last == nil {
				return nil
			}
			n++
			binary.BigEndian.PutUint64(last[8+text.MaxWord:], count)
			_, err := w.Write(last)
			return err
		}
		err := records(ctx, s, func(r []byte) error {
			if last == nil || !bytes.Equal(r[:8+text.MaxWord], last[:8+text.MaxWord]) {
				if err := put(); err != nil {
					return err
				}
				last, count = append(last[:0], r...), 0
			}
			count += binary.BigEndian.Uint64(r[8+text.MaxWord:])
			return nil
		})
		if err != nil {
			return err
		}
		return put()
	})
	return n, err
}

// wordReader reads the words in the order of their terms.
type wordReader struct {
	r   io.Reader
	rec [wordSize]byte
	err error
}

// best returns the most frequent word of a term, of equally frequent ones the first in the order of the words. The
// caller asks for terms in ascending order.
func (w *wordReader) best(term uint64) (word string, err error) {
	most := uint64(0)
	for w.err == nil && w.term() <= term {
		if n := binary.BigEndian.Uint64(w.rec[8+text.MaxWord:]); w.term() == term && n > most {
			most, word = n, string(bytes.TrimRight(w.rec[8:8+text.MaxWord], "\x00"))
		}
		w.next()
	}
	if w.err != nil && !errors.Is(w.err, io.EOF) {
		return "", w.err
	}
	return word, nil
}

func (w *wordReader) term() uint64 { return binary.BigEndian.Uint64(w.rec[:]) }

func (w *wordReader) next() { _, w.err = io.ReadFull(w.r, w.rec[:]) }
