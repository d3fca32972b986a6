package pipeline

import (
	"context"
	"encoding/binary"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// frequencySize is the size in bytes of a record of a document frequency: term (8) and count (4), big-endian.
const frequencySize = 12

// frequencyCounter counts, for one partition after another, the bags that contain each term.
type frequencyCounter struct {
	sorter *extsort.Sorter // of the counts so far
	to     *extsort.Appender
	terms  []uint64 // not yet counted
}

// countAtOnce is the number of terms that are collected before they are counted.
const countAtOnce = 1 << 16

// begin begins a partition. close must follow.
func (c *frequencyCounter) begin(dir string, b *build) (err error) {
	c.terms = c.terms[:0]
	c.sorter, err = extsort.New(extsort.Config{Size: frequencySize, Memory: b.memory / int64(8*b.workers), Dir: dir})
	if err == nil {
		c.to = c.sorter.Appender()
	}
	return err
}

func (c *frequencyCounter) close() { c.sorter.Close() }

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

// flush hands the sorter a record for each term that was added since the last flush.
func (c *frequencyCounter) flush() error {
	for term, df := range bags.Counted(c.terms) {
		if err := c.to.Append(frequency(term, df)); err != nil {
			return err
		}
	}
	c.terms = c.terms[:0]
	return nil
}

func frequency(term uint64, df uint32) []byte {
	var rec [frequencySize]byte
	binary.BigEndian.PutUint64(rec[:], term)
	binary.BigEndian.PutUint32(rec[8:], df)
	return rec[:]
}

// write ends a partition. It writes a record for each term, in their order.
func (c *frequencyCounter) write(ctx context.Context, path string) error {
	if err := c.flush(); err != nil {
		return err
	}
	if err := c.to.Close(); err != nil {
		return err
	}
	return create(path, func(w io.Writer) error {
		var term uint64
		var df uint32
		put := func() error {
			if df == 0 {
				return nil
			}
			_, err := w.Write(frequency(term, df))
			return err
		}
		err := records(ctx, c.sorter, func(r []byte) error {
			if next := binary.BigEndian.Uint64(r); df > 0 && next != term {
				if err := put(); err != nil {
					return err
				}
				df = 0
			}
			term, df = binary.BigEndian.Uint64(r), df+binary.BigEndian.Uint32(r[8:])
			return nil
		})
		if err != nil {
			return err
		}
		return put()
	})
}

// sortFrequencies sorts the document frequencies of all partitions.
func (b groupStage) sortFrequencies(ctx context.Context, to *extsort.Appender) error {
	for i := range b.partitions {
		if err := eachFixed(ctx, b.dir.Path(stepFile("group", groupTerms, i)), frequencySize, to.Append); err != nil {
			return err
		}
	}
	return to.Close()
}

// writeTerms adds up the document frequencies, leaves out terms that are too rare or too common among n bags, and finds
// a word to show for each of the others.
func (b groupStage) writeTerms(ctx context.Context, dir string, n uint64, stats *run.StageStats) error {
	frequencies, err := extsort.New(extsort.Config{Size: frequencySize, Memory: b.memory / 8, Dir: dir, Workers: b.workers})
	if err != nil {
		return err
	}
	defer frequencies.Close()
	if err := b.sortFrequencies(ctx, frequencies.Appender()); err != nil {
		return err
	}
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
	if err == nil {
		err = terms.Flush()
	}
	if err != nil {
		return err
	}
	stats.Counts = map[string]int64{"bags": int64(n), "terms": terms.Kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": terms.Rare, "term-too-common": terms.Common}
	stats.In = terms.Kept + terms.Rare + terms.Common
	return w.Close()
}
