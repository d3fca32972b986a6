package pipeline

import (
	"context"
	"encoding/binary"
	"os"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// wholeUpTo is the number of shingles, in multiples of the modulus, up to which all of a page's are in the index: a
// short page has too few samples to be found by.
const wholeUpTo = 16

// postingSize is the size of a posting: value (8) and page (4), big-endian.
const postingSize = 12

func (b *build) indexing() stage {
	return stage{name: "index", outputs: []string{tables.PostingsFile}, work: b.index}
}

// index lists for each sampled shingle the pages that have it, so that a document that is not in the run finds those
// that it resembles.
func (b *build) index(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	pages, err := tables.OpenShingles(b.dir.Path(tables.ShinglesFile))
	if err != nil {
		return stats, err
	}
	defer pages.Close()
	dir, err := b.dir.TempDir("sort-index")
	if err != nil {
		return stats, err
	}
	defer os.RemoveAll(dir)
	sorter, err := extsort.New(extsort.Config{Size: postingSize, Memory: b.memory / 2, Dir: dir, Workers: b.workers})
	if err != nil {
		return stats, err
	}
	defer sorter.Close()
	b.report.Stage("index", "pages", int64(pages.Len()))
	if err := b.post(ctx, pages, sorter.Appender()); err != nil {
		return stats, err
	}
	w, err := tables.CreatePostings(b.dir.Temp(tables.PostingsFile))
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	err = records(ctx, sorter, func(r []byte) error {
		stats.Out++
		w.Add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
		return nil
	})
	if err != nil {
		return stats, err
	}
	stats.In = int64(pages.Len())
	return stats, w.Close()
}

// post sends the sampled shingles of every page to be sorted.
func (b *build) post(ctx context.Context, pages *tables.Shingles, to *extsort.Appender) error {
	defer to.Close()
	m := b.config.Modulus
	var rec [postingSize]byte
	for page := range uint32(pages.Len()) {
		if page%1024 == 0 {
			b.report.At(int64(page))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		values := pages.Values(page)
		whole := uint64(len(values)) < wholeUpTo*m
		binary.BigEndian.PutUint32(rec[8:], page)
		for _, v := range values {
			if !whole && v%m != 0 {
				continue
			}
			binary.BigEndian.PutUint64(rec[:], v)
			if err := to.Append(rec[:]); err != nil {
				return err
			}
		}
	}
	return to.Close()
}
