package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/extsort"
)

// wordKey is the term and the word of a record of wordSize.
type wordKey [8 + text.MaxWord]byte

// wordSums adds up the counts of words. Each part of the read stage repeats the frequent words, so a large crawl
// would otherwise sort many times as many records as it has words.
type wordSums struct {
	counts map[wordKey]uint64
	most   int // maximum number of words
}

// newWordSums returns sums that take about memory bytes, half of which a growing map needs.
func newWordSums(memory int64) *wordSums {
	return &wordSums{map[wordKey]uint64{}, int(max(1<<10, memory/(4*wordSize)))}
}

// full reports whether the sums must be drained before another record is added.
func (s *wordSums) full() bool { return len(s.counts) >= s.most }

// add adds the count of a record of wordSize.
func (s *wordSums) add(rec []byte) {
	if count := binary.BigEndian.Uint64(rec[8+text.MaxWord:]); count > 0 {
		s.counts[wordKey(rec)] += count
	}
}

// drain calls put with a record for each word, in no order, and forgets all words. A record is valid until put
// returns.
func (s *wordSums) drain(put func(rec []byte) error) error {
	var rec [wordSize]byte
	for key, count := range s.counts {
		copy(rec[:], key[:])
		binary.BigEndian.PutUint64(rec[8+text.MaxWord:], count)
		if err := put(rec[:]); err != nil {
			return err
		}
	}
	clear(s.counts)
	return nil
}

// sumWords writes each distinct word of all parts once, in the order of (term, word), with the sum of its counts, and
// returns how many there are.
func (b readStage) sumWords(ctx context.Context) (n int64, err error) {
	pieces := b.fromRead().more(wordStream)
	size, err := sizeOfPieces(pieces)
	if err != nil {
		return 0, err
	}
	sums := newWordSums(b.memory / 8)
	err = sortOne(ctx, b.sorting(wordSize, size/wordSize, b.memory/8), func(to *extsort.Appender) error {
		err := eachBlock(ctx, pieces, func(block []byte) error {
			for ; len(block) >= wordSize; block = block[wordSize:] {
				if sums.full() {
					if err := sums.drain(to.Append); err != nil {
						return err
					}
				}
				sums.add(block[:wordSize])
			}
			if len(block) > 0 {
				return codec.ErrMalformed
			}
			return nil
		})
		if err != nil {
			return err
		}
		return sums.drain(to.Append)
	}, func(each eachRecordFunc) (err error) {
		n, err = writeSums(b.dir.Temp(wordsFile), each, 8+text.MaxWord, wordSize)
		return err
	})
	return n, err
}
