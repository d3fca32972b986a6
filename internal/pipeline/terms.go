package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// frequencySize is the size in bytes of a record of a document frequency: term (8) and count (4), big-endian.
const frequencySize = 12

// frequencyCounter counts the bags of a partition that contain each term.
type frequencyCounter struct {
	to    *extsort.Appender
	terms []uint64 // not yet counted
}

// countAtOnce is the number of terms that are collected before they are counted.
const countAtOnce = 1 << 16

// count calls fill, which adds bags, and writes a record for each term, in order.
func (c *frequencyCounter) count(ctx context.Context, dir string, b *build, path string, fill func() error) error {
	sorting := extsort.Config{Size: frequencySize, Memory: b.memory / int64(8*b.workers), Dir: dir}
	return sortOne(ctx, sorting, func(to *extsort.Appender) error {
		c.to, c.terms = to, c.terms[:0]
		if err := fill(); err != nil {
			return err
		}
		return c.flush()
	}, func(each eachRecordFunc) error {
		_, err := writeSums(path, each, 8, frequencySize)
		return err
	})
}

// add adds the terms of a raw bag and returns their number.
func (c *frequencyCounter) add(raw *bags.Raw) (n int64, err error) {
	err = raw.All(func(t bags.Term) error {
		n++
		c.terms = append(c.terms, uint64(t))
		if len(c.terms) < countAtOnce {
			return nil
		}
		return c.flush()
	})
	return n, err
}

// flush passes the sorter a record for each term that was added since the last flush.
func (c *frequencyCounter) flush() error {
	var rec [frequencySize]byte
	for term, df := range bags.Counted(c.terms) {
		binary.BigEndian.PutUint64(rec[:], term)
		binary.BigEndian.PutUint32(rec[8:], df)
		if err := c.to.Append(rec[:]); err != nil {
			return err
		}
	}
	c.terms = c.terms[:0]
	return nil
}

// writeTerms adds up the document frequencies, drops terms that are too rare or too common among the bags, and chooses
// a word to show for each of the others.
func (b groupStage) writeTerms(ctx context.Context, dir string, n bags.Corpus, stats *run.StageStats) error {
	w := tables.CreateTerms(b.dir.Temp(tables.TermsFile), n)
	defer w.Abort()
	words := &wordReader{}
	terms := bags.NewFrequencies(b.config.BagWeighting(), n, func(term uint64, df uint32) error {
		w.Add(term, df, words.best(bags.Term(term)))
		return nil
	})
	sorting := extsort.Config{Size: frequencySize, Memory: b.memory / 8, Dir: dir, Workers: b.workers}
	err := sortOne(ctx, sorting, func(to *extsort.Appender) error {
		return b.eachFile(ctx, "group", "group", groupTerms, to.AppendAll)
	}, func(each eachRecordFunc) error {
		return readWork(ctx, b.dir.Path(wordsFile), func(data []byte) error {
			words.all, words.rest = data, data
			err := each(func(r []byte) error {
				return terms.Add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
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
	stats.Counts = map[string]int64{"bags_of_links": int64(n.Links), "bags_of_content": int64(n.Content), "terms": terms.Kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": terms.Rare, "term-too-common": terms.Common}
	stats.In = terms.Kept + terms.Rare + terms.Common
	return w.Close()
}
