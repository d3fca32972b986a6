package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// frequencySize is the size in bytes of a record of a document frequency: term (8) and count (4), big-endian.
const frequencySize = 12

// frequencyCounter counts for one worker in how many bags each term is.
type frequencyCounter struct {
	to    *extsort.Appender
	terms []uint64 // not yet counted
}

// countAtOnce is the number of terms that a worker collects before it counts them.
const countAtOnce = 1 << 16

// add takes the terms of a bag, which are distinct.
func (c *frequencyCounter) add(terms []bags.Weighted) error {
	for _, t := range terms {
		if len(c.terms) >= countAtOnce {
			if err := c.flush(); err != nil {
				return err
			}
		}
		c.terms = append(c.terms, uint64(t.Term))
	}
	return nil
}

// flush writes a record for each term that was added since the last flush.
func (c *frequencyCounter) flush() error {
	slices.Sort(c.terms)
	var rec [frequencySize]byte
	for i := 0; i < len(c.terms); {
		j := i + 1
		for j < len(c.terms) && c.terms[j] == c.terms[i] {
			j++
		}
		binary.BigEndian.PutUint64(rec[:], c.terms[i])
		binary.BigEndian.PutUint32(rec[8:], uint32(j-i))
		if err := c.to.Append(rec[:]); err != nil {
			return err
		}
		i = j
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
	t := termFilter{b: b, n: n, words: words, out: w}
	err = records(ctx, frequencies, func(r []byte) error {
		return t.add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
	})
	if err := cmp.Or(err, t.flush()); err != nil {
		return err
	}
	stats.Counts = map[string]int64{"bags": int64(n), "terms": t.kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": t.rare, "term-too-common": t.common}
	stats.In = t.kept + t.rare + t.common
	return w.Close()
}

// termFilter adds up the counts of one term after another and keeps the terms that are neither too rare nor too common.
type termFilter struct {
	b                  *build
	n                  uint64
	words              *wordReader
	out                *tables.TermsWriter
	term               uint64
	df                 uint32
	kept, rare, common int64
}

func (t *termFilter) add(term uint64, df uint32) error {
	if term != t.term {
		if err := t.flush(); err != nil {
			return err
		}
		t.term = term
	}
	t.df += df
	return nil
}

func (t *termFilter) flush() error {
	df := t.df
	t.df = 0
	how := t.b.config.BagWeighting()
	switch {
	case df == 0:
		return nil
	case df < how.MinDF:
		t.rare++
		return nil
	case !how.Keep(t.n, df):
		t.common++
		return nil
	}
	t.kept++
	word, err := t.words.best(t.term)
	if err != nil {
		return err
	}
	t.out.Add(t.term, df, word)
	return nil
}
