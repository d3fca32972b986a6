package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/extsort"
)

// countReordered is the name of the number of documents whose URLs are those of others with the parameters in another
// order. No rule makes one document of these.
const countReordered = "documents_that_differ_by_order_of_parameters"

// eachByOrder is eachDocument. It counts the documents that differ from another only by the order of their parameters.
func (b groupStage) eachByOrder(ctx context.Context, dir string, n map[string]int64, do func(*anchors.Group) error) error {
	c := extsort.Config{Size: 16, Memory: b.memory / 32, Dir: dir, Workers: b.workers}
	return sortOne(ctx, c, func(to *extsort.Appender) error {
		var rec [16]byte
		return b.eachDocument(ctx, func(g *anchors.Group) error {
			url := string(g.URL)
			if of, _, ok := capture.Cut(url); ok {
				url = of
			}
			if ordered, ok := urls.Ordered(url); ok {
				binary.BigEndian.PutUint64(rec[:], capture.Hash(ordered))
				binary.BigEndian.PutUint64(rec[8:], capture.Hash(url))
				if err := to.Append(rec[:]); err != nil {
					return err
				}
			}
			return do(g)
		})
	}, func(each eachRecordFunc) error {
		var last [16]byte
		return each(func(rec []byte) error {
			if [8]byte(rec) == [8]byte(last[:]) && [8]byte(rec[8:]) != [8]byte(last[8:]) {
				n[countReordered]++
			}
			copy(last[:], rec)
			return nil
		})
	})
}
