package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// wordSize is the size in bytes of a record of a word: term (8, big-endian), word (text.MaxWord, padded with zeros),
// count (8).
const wordSize = 8 + text.MaxWord + 8

// wordSpill writes the vocabulary of one worker.
type wordSpill struct {
	to  partitionWriter
	rec [wordSize]byte
}

// drain writes the words of a vocabulary and empties it.
func (w *wordSpill) drain(v *text.Vocabulary) error { return v.Drain(w.word) }

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

// frequencySize is the size in bytes of a record of a document frequency: term (8), language (1) and count (4),
// big-endian. Words of links have no language.
const (
	frequencyKey  = 9
	frequencySize = 13
)

// languagesFile holds what bags.Dictionary.ByLanguage needs.
const languagesFile = "work/languages"

// frequencyCounter counts the bags of a partition that contain each term.
type frequencyCounter struct {
	to    *extsort.Appender
	terms [256][]uint64 // not yet counted, by the language of the document
	n     int           // of terms
}

// countAtOnce is the number of terms that are collected before they are counted.
const countAtOnce = 1 << 16

// count calls fill, which adds bags, and writes a record for each term, in order.
func (c *frequencyCounter) count(ctx context.Context, dir string, b *build, path string, fill func() error) error {
	sorting := extsort.Config{Size: frequencySize, Memory: b.memory / int64(8*b.workers), Dir: dir}
	return sortOne(ctx, sorting, func(to *extsort.Appender) error {
		c.to = to
		if err := fill(); err != nil {
			return err
		}
		return c.flush()
	}, func(each eachRecordFunc) error {
		_, err := writeSums(path, each, frequencyKey, frequencySize)
		return err
	})
}

// add adds the terms of a raw bag and returns their number.
func (c *frequencyCounter) add(raw *bags.Raw) (n int64, err error) {
	err = raw.All(func(t bags.Term) error {
		language := uint8(0)
		if t.IsContent() {
			language = raw.Language
		}
		c.terms[language] = append(c.terms[language], uint64(t))
		n, c.n = n+1, c.n+1
		if c.n < countAtOnce {
			return nil
		}
		return c.flush()
	})
	return n, err
}

// flush passes the sorter a record for each term that was added since the last flush.
func (c *frequencyCounter) flush() error {
	var rec [frequencySize]byte
	room := 0
	for language, terms := range c.terms {
		for term, df := range bags.Counted(terms) {
			binary.BigEndian.PutUint64(rec[:], term)
			rec[8] = byte(language)
			binary.BigEndian.PutUint32(rec[frequencyKey:], df)
			if err := c.to.Append(rec[:]); err != nil {
				return err
			}
		}
		c.terms[language] = terms[:0]
		room += cap(terms)
	}
	c.n = 0
	if room > 4*countAtOnce {
		c.terms = [256][]uint64{}
	}
	return nil
}

// writeTerms adds up the document frequencies, drops terms that are too rare or too common among the bags, and chooses
// a word to show for each of the others. languages are the bags with content.
func (b groupStage) writeTerms(ctx context.Context, dir string, n bags.Corpus, languages *bags.Languages, stats *run.StageStats) error {
	w := tables.CreateTerms(b.dir.Temp(tables.TermsFile), n)
	defer w.Abort()
	var l languageColumns
	by := createColumns(b.dir.Temp(languagesFile), &l)
	defer by.Abort()
	l.bags.AddAll(languages[:])
	words := &wordReader{}
	terms := bags.NewFrequencies(b.config.BagWeighting(), n, func(term uint64, df uint32) error {
		w.Add(term, df, words.best(bags.Term(term)))
		return nil
	})
	terms.ByLanguage(func(share uint64) error {
		l.several.Add(share)
		return nil
	})
	sorting := extsort.Config{Size: frequencySize, Memory: b.memory / 8, Dir: dir, Workers: b.workers}
	err := sortOne(ctx, sorting, func(to *extsort.Appender) error {
		return b.eachFile(ctx, "group", "group", groupTerms, to.AppendAll)
	}, func(each eachRecordFunc) error {
		return readWork(ctx, b.dir.Path(wordsFile), func(data []byte) error {
			words.all, words.rest = data, data
			err := each(func(r []byte) error {
				return terms.Add(binary.BigEndian.Uint64(r), r[8], binary.BigEndian.Uint32(r[frequencyKey:]))
			})
			if err == nil {
				err = terms.Flush()
			}
			return err
		})
	})
	if err != nil {
		return err
	}
	stats.Counts = map[string]int64{"bags_of_links": int64(n.Links), "bags_of_content": int64(n.Content), "terms": terms.Kept,
		"term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": terms.Rare, "term-too-common": terms.Common}
	stats.In = terms.Kept + terms.Rare + terms.Common
	return errors.Join(w.Close(), by.Close())
}

// languageColumns are those of languagesFile.
type languageColumns struct {
	bags    mapped.Numbers[uint64] `lsh:"bags,stream"` // bags.Languages
	several mapped.Numbers[uint64] `lsh:"several,stream"`
}
