package pipeline

import (
	"context"
	"encoding/binary"
	"errors"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

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
	if c.n = 0; room > 4*countAtOnce {
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
	stats.Counts = map[string]int64{"bags_of_links": int64(n.Links), "bags_of_content": int64(n.Content), "terms": terms.Kept, "term_occurrences": stats.In}
	stats.Dropped = map[string]int64{"term-too-rare": terms.Rare, "term-too-common": terms.Common}
	stats.In = terms.Kept + terms.Rare + terms.Common
	return errors.Join(w.Close(), by.Close())
}

// languageColumns are those of languagesFile.
type languageColumns struct {
	bags    mapped.Numbers[uint64] `lsh:"bags,stream"` // bags.Languages
	several mapped.Numbers[uint64] `lsh:"several,stream"`
}
