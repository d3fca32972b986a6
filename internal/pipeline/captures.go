package pipeline

import (
	"context"
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/tables"
)

// captureSize is the size of a record of a document that is a capture: hash of the URL (8) and id (4), big-endian.
const captureSize = 12

// inputOf returns the number of the input that contains the page of a document.
func inputOf(g *anchors.Group) uint32 {
	if !g.Crawled {
		return tables.NoInput
	}
	return capture.Number(g.Capture).Input()
}

// addCapture passes a document to a sorter if it is a capture.
func addCapture(to *extsort.Appender, id uint32, g *anchors.Group) error {
	if !g.Crawled && g.Page.Time == 0 {
		return nil
	}
	url, _, ok := capture.Cut(string(g.URL))
	if !ok {
		return nil
	}
	var rec [captureSize]byte
	binary.BigEndian.PutUint64(rec[:], tables.Hash(url))
	binary.BigEndian.PutUint32(rec[8:], id)
	return to.Append(rec[:])
}

// writeCaptures writes the captures of each URL and counts the URLs with several captures.
func writeCaptures(w *tables.CapturesWriter, each eachRecordFunc, counts map[string]int64) error {
	last, n := uint64(0), 0
	return each(func(r []byte) error {
		url := binary.BigEndian.Uint64(r)
		if n > 0 && url == last {
			n++
		} else {
			last, n = url, 1
		}
		if n == 2 {
			counts["urls_with_several_documents"]++
		}
		w.AddCapture(url, binary.BigEndian.Uint32(r[8:]))
		return nil
	})
}

// countReordered is the name of the number of documents whose URL is that of another document with its parameters in another
// order. No rule of package urls joins them.
const countReordered = "documents_that_differ_by_order_of_parameters"

// eachByOrder calls do with each document, as eachDocument does. Afterwards it adds to n how many URLs differ from another
// one only by the order of their parameters.
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
