package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// Postings is the number of postings up to which the index contains every shingle of every page: about 60,000 pages
// of 500 words. In larger runs the index is a sample of about this many postings, or more if no modulus up to
// Config.Modulus makes the sample small enough. A posting takes 4 to 7 bytes.
const Postings = 1 << 25

// postingSize is the size of a posting while it is sorted: value (8) and page (4), big-endian.
const postingSize = 12

// index lists the pages that contain each shingle, so that package texts can find the pages that resemble a document
// from outside the run.
func (b syntacticStages) index(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	pages, dir := table(from, tables.ShinglesFile, tables.OpenShingles), from.tempDir("sort-index")
	if err := from.Ready(); err != nil {
		return run.StageStats{}, err
	}
	sizes := make([]int, pages.Len())
	for page := range sizes {
		sizes[page] = pages.Stored(uint32(page))
	}
	s, err := sampling(ctx, sizes, indexed(b.config), Postings)
	if err != nil {
		return run.StageStats{}, err
	}
	b.report.Stage("index", "pages", int64(pages.Len()))
	n, size, err := b.writePostings(ctx, pages, s, dir, out.named(tables.PostingsFile))
	return run.StageStats{In: int64(pages.Len()), Out: n, Counts: map[string]int64{
		"one_shingle_in": int64(s.modulus), "pages_with_all_shingles": s.whole, "pages_with_sampled_shingles": int64(pages.Len()) - s.whole, "bytes": size,
	}}, err
}

// writePostings sorts the postings on disk and writes them. It returns their number and the size of the table.
func (b syntacticStages) writePostings(ctx context.Context, pages *tables.Shingles, s indexSampling, dir, path string) (n, size int64, err error) {
	w, err := tables.CreatePostings(path, tables.PostingsForm{Modulus: s.modulus, Bits: b.config.Bits, Pages: pages.Len(), Expected: s.postings})
	if err != nil {
		return 0, 0, err
	}
	defer w.Abort()
	sorting := extsort.Config{Size: postingSize, Memory: b.memory / 2, Dir: dir, Workers: 1}
	err = sortOne(ctx, sorting, func(to *extsort.Appender) error {
		return b.post(ctx, pages, s.modulus, to)
	}, func(each eachRecordFunc) error {
		return each(func(r []byte) error {
			n++
			w.Add(binary.BigEndian.Uint64(r), binary.BigEndian.Uint32(r[8:]))
			return nil
		})
	})
	if err != nil {
		return n, 0, err
	}
	if err := w.Close(); err != nil {
		return n, 0, err
	}
	return n, sizeOf(path), nil
}

// indexSampling is a choice of the shingles of the index, with its effects.
type indexSampling struct {
	modulus  uint64
	postings int64 // approximate number of postings
	whole    int64 // number of pages with all their shingles in the index
}

// sampling chooses the modulus of the index from the sizes of the pages alone: the smallest modulus with at most most
// postings. A larger modulus does not always mean fewer postings, because more pages then have all their shingles in
// the index. If every modulus up to Config.Modulus has more than most postings, sampling chooses the one with the
// fewest.
func sampling(ctx context.Context, sizes []int, c config.Config, most int64) (indexSampling, error) {
	if c.IndexOneIn > 0 {
		return sampledBy(sizes, c.IndexOneIn), nil
	}
	best := sampledBy(sizes, 1)
	for m := uint64(2); m <= c.Modulus && best.postings > most; m++ {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		if s := sampledBy(sizes, m); s.postings < best.postings {
			best = s
		}
	}
	return best, nil
}

// sampledBy returns the effects of a modulus.
func sampledBy(sizes []int, m uint64) indexSampling {
	s := indexSampling{modulus: m}
	for _, n := range sizes {
		if tables.IndexedWhole(n, m) {
			s.whole++
			s.postings += int64(n)
		} else {
			s.postings += int64(uint64(n) / m)
		}
	}
	return s
}

// post passes the shingles to index of every page to the sorter.
func (b syntacticStages) post(ctx context.Context, pages *tables.Shingles, m uint64, to *extsort.Appender) error {
	var rec [postingSize]byte
	var values []uint64
	for page := range uint32(pages.Len()) {
		if page%1024 == 0 {
			b.report.At(int64(page))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		values = pages.AppendValues(values[:0], page)
		whole := tables.IndexedWhole(len(values), m)
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
	return nil
}
