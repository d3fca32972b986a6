package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// frequencySize is the size in bytes of a record of a document frequency: term (8) and count (4), big-endian.
const frequencySize = 12

// frequencyCounter counts, for one worker, the bags that contain each term.
type frequencyCounter struct {
	to    *extsort.Appender
	terms []uint64 // not yet counted
}

// countAtOnce is the number of terms that a worker collects before it counts them.
const countAtOnce = 1 << 16

// add takes the terms of a raw bag and returns their number.
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

// flush writes a record for each term that was added since the last flush.
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

// writeTerms adds up the document frequencies, leaves out terms that are too rare or too common among n bags, and finds
// a word to show for each of the others.
func (b *build) writeTerms(ctx context.Context, frequencies *extsort.Sorter, n uint64, stats *run.StageStats) error {
	w, err := tables.CreateTerms(b.dir.Temp(tables.TermsFile), n)
	if err != nil {
		return err
	}
	defer w.Abort()
	f, err := framed.Open(b.dir.Path(wordsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	words := &wordReader{r: f}
	words.next()
	terms := bags.NewFrequencies(b.config.BagWeighting(), n, func(term uint64, df uint32) error {
		word, err := words.best(term)
		w.Add(term, df, word)
		return err
	})
	err = records(ctx, frequencies, func(r []byte) error {
		return terms.Add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
	})
	if err := cmp.Or(err, terms.Flush()); err != nil {
		return err
	}
	stats.Counts = map[string]int64{"bags": int64(n), "terms": terms.Kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": terms.Rare, "term-too-common": terms.Common}
	stats.In = terms.Kept + terms.Rare + terms.Common
	return w.Close()
}
