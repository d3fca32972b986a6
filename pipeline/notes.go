package pipeline

import (
	"errors"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/text"
)

// captureNotes writes the facts about captures that one worker finds, which are sorted when all inputs have been read:
// the captures themselves, their redirects, the places of originals and revisits, and short pages, whose text may be
// repeated.
type captureNotes struct {
	captures  *extsort.Appender
	rows      capture.Rows // the capture to which the last row of a table of links belongs
	shorts    *extsort.Appender
	places    *extsort.Appender
	revisits  *revisits
	redirects *redirects
	moves     partitionWriter // of the redirects
	buf       []byte
	at        []capture.Place
}

func newCaptureNotes(s *spill) *captureNotes {
	return &captureNotes{
		captures: s.captures.Appender(), shorts: s.shorts.Appender(), places: s.revisits.sorter.Appender(),
		revisits: &s.revisits, redirects: &s.redirects, moves: newPartitionWriter(s.redirects.partitions),
	}
}

// page notes the capture of a page.
func (n *captureNotes) page(p *crawl.Page, doc *text.Doc, rec *anchors.Record, number capture.Number) error {
	order := capture.Order{Millis: rec.Page.Time, Record: number}
	if p.Rendered != crawl.NotRendered {
		order = order.OfRendered()
	}
	n.buf = capture.AppendNote(n.buf[:0], rec.Source, order, capture.Number(rec.Capture))
	return errors.Join(n.captures.Append(n.buf), n.short(p, doc, rec))
}

// links notes the capture of links that rec describes. It reports whether they begin a capture, as all do but a row of
// a table that continues the capture of the row before.
func (n *captureNotes) links(rec *anchors.Record, row bool, number capture.Number) (first bool, err error) {
	if !row {
		order := capture.Order{Millis: rec.Page.Time, Record: number}
		n.buf = capture.AppendNote(n.buf[:0], rec.Source, order, capture.Number(rec.Capture))
		return true, n.captures.Append(n.buf)
	}
	n.buf, first = n.rows.Next(n.buf[:0], rec, number)
	return first, n.captures.AppendAll(n.buf)
}

// redirect notes the redirect of a capture.
func (n *captureNotes) redirect(r capture.Redirect) error {
	if r.By != capture.NoRedirect {
		n.redirects.any.Store(true)
	}
	return n.moves.add(r.Hash, r.Bound(), r.Append)
}

// revisit notes a revisit, and reports whether it can be resolved later.
func (n *captureNotes) revisit(rec *crawl.Record, number capture.Number) (bool, error) {
	v, ok := rec.Revisit()
	if !ok || !rec.Again() {
		return false, nil
	}
	n.revisits.any.Store(true)
	return true, n.place(capture.RevisitPlace(v, number, n.revisits.files.location(rec.Pos)))
}

// original notes the place of a record that a revisit may refer to, even if the time of the record is not selected.
func (n *captureNotes) original(rec *crawl.Record, number capture.Number) error {
	v, ok := rec.Original()
	if !ok || !rec.Again() {
		return nil
	}
	n.at = capture.OriginalPlaces(n.at[:0], v, number, n.revisits.files.location(rec.Pos))
	for _, p := range n.at {
		if err := n.place(p); err != nil {
			return err
		}
	}
	return nil
}

func (n *captureNotes) place(p capture.Place) error {
	n.buf = p.Append(n.buf[:0])
	return n.places.Append(n.buf)
}

// close writes what is still in memory. The places are closed before, when the revisits are resolved.
func (n *captureNotes) close() error {
	n.buf = n.rows.End(n.buf[:0])
	return errors.Join(n.captures.AppendAll(n.buf), n.captures.Close(), n.shorts.Close(), n.moves.close())
}
