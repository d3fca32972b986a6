package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/zeebo/xxh3"
)

// wordSums adds up the counts of words. Each part of the read stage has the frequent words again, so a large crawl would
// otherwise sort many times as many records as it has words.
type wordSums struct {
	slots []wordSum
	bytes []byte // the words, one after another
	words int
	most  int // slots, a power of two
	room  int // bytes
}

type wordSum struct {
	term, count uint64 // count is 0 in a free slot
	from        uint32 // in bytes
	length      uint8
}

// newWordSums returns sums that take at most a number of bytes of memory.
func newWordSums(memory int64) *wordSums {
	const sizeOfSlot, least = 24, 1 << 10
	memory = min(memory, 1<<31) // so that from is large enough
	most := least
	for int64(2*most*sizeOfSlot) <= memory/2 {
		most *= 2
	}
	return &wordSums{slots: make([]wordSum, least), most: most, room: max(least*text.MaxWord, int(memory/4))}
}

// full reports whether the sums must be drained before another record is added.
func (s *wordSums) full() bool {
	return len(s.slots) == s.most && s.words >= s.most/4*3 || len(s.bytes)+text.MaxWord > s.room
}

// add adds the count of a record of wordSize.
func (s *wordSums) add(rec []byte) {
	count := binary.BigEndian.Uint64(rec[8+text.MaxWord:])
	if count == 0 {
		return
	}
	if s.words >= len(s.slots)/4*3 {
		s.grow()
	}
	term, word := binary.BigEndian.Uint64(rec), bytes.TrimRight(rec[8:8+text.MaxWord], "\x00")
	at := s.find(term, word)
	if at.count == 0 {
		at.term, at.from, at.length = term, uint32(len(s.bytes)), uint8(len(word))
		s.bytes = append(s.bytes, word...)
		s.words++
	}
	at.count += count
}

// find returns the slot of a word, or the free one that it would take.
func (s *wordSums) find(term uint64, word []byte) *wordSum {
	mask := uint64(len(s.slots) - 1)
	for i := xxh3.HashSeed(word, term) & mask; ; i = (i + 1) & mask {
		if at := &s.slots[i]; at.count == 0 || at.term == term && bytes.Equal(s.word(at), word) {
			return at
		}
	}
}

func (s *wordSums) word(at *wordSum) []byte { return s.bytes[at.from:][:at.length] }

func (s *wordSums) grow() {
	old := s.slots
	s.slots = make([]wordSum, 2*len(old))
	for i := range old {
		if at := &old[i]; at.count > 0 {
			*s.find(at.term, s.word(at)) = *at
		}
	}
}

// drain calls put with a record for each word, in no order, and forgets all words. A record is valid until put returns.
func (s *wordSums) drain(put func(rec []byte) error) error {
	var rec [wordSize]byte
	for i := range s.slots {
		if at := &s.slots[i]; at.count > 0 {
			if err := put(wordRecord(&rec, at.term, s.word(at), at.count)); err != nil {
				return err
			}
		}
	}
	clear(s.slots)
	s.bytes, s.words = s.bytes[:0], 0
	return nil
}

// sumWords writes the words of all parts, and returns how many there are.
func (b *build) sumWords(ctx context.Context) (n int64, err error) {
	pieces := b.pieces(b.moreStream(wordStream))
	size, err := sizeOfPieces(pieces)
	if err != nil {
		return 0, err
	}
	sorter, err := b.readSorter(wordSize, size/wordSize, b.memory/8)
	if err != nil {
		return 0, err
	}
	defer sorter.Close()
	to, sums := sorter.Appender(), newWordSums(b.memory/8)
	for _, p := range pieces {
		err := p.blocks(ctx, func(block []byte) error {
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
			return 0, err
		}
	}
	if err := sums.drain(to.Append); err != nil {
		return 0, err
	}
	if err := to.Close(); err != nil {
		return 0, err
	}
	return b.writeWords(ctx, sorter)
}
