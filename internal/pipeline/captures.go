package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/anchors"
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
