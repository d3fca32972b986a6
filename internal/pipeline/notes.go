package pipeline

import (
	"encoding/binary"
	"errors"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/capture"
)

// captureNotes records the facts about captures that one worker finds, which are sorted after all inputs have been
// read: the captures themselves, their redirects, the places of originals and revisits, and short pages, whose texts
// may be repeated.
type captureNotes struct {
	captures partitionWriter
	rows     capture.Rows // capture that the last row of a table of links belongs to
	shorts   partitionWriter
	hosts    partitionWriter
	places   partitionWriter
	moves    partitionWriter // redirects
	files    *fileNames      // files of the part
	buf      []byte
	foot     []bags.Term
	at       []capture.Place

	redirects int64 // number of captures that redirect
	revisits  int64 // number of revisits that can be resolved later
}

func newCaptureNotes(b readStage) *captureNotes {
	return &captureNotes{
		captures: b.streamWriter(captureStream), shorts: b.streamWriter(shortStream), hosts: b.streamWriter(hostStream), places: b.streamWriter(placeStream),
		moves: newPartitionWriter(redirectPartitions, b.fromRead().redirectStream(), b.flushSize()),
	}
}

// begin directs the notes to the file of a part.
func (n *captureNotes) begin(out *partOutput) {
	n.captures.to, n.shorts.to, n.hosts.to, n.places.to, n.moves.to = out.Streams, out.Streams, out.Streams, out.Streams, out.Streams
	n.files, n.redirects, n.revisits = &out.files, 0, 0
}

// page notes the capture of a page.
func (n *captureNotes) page(p *crawl.Page, doc *text.Doc, rec *anchors.Record, number capture.Number, tells capture.Tells) error {
	order := capture.Order{Millis: rec.Page.Time, Record: number}.OfRendered(p.Rendered)
	n.buf = capture.AppendNote(n.buf[:0], rec.Source, order, number, tells)
	err := n.captures.append(n.buf)
	if err = errors.Join(err, n.votes(doc, rec)); err != nil || !isShort(p, doc) {
		return err
	}
	if h := hashOnHosts(p, doc); h != 0 && rec.Page.Label == anchors.Content {
		if err := n.short(h, rec.Host, number); err != nil {
			return err
		}
	}
	return n.short(hashOfShort(doc, rec), rec.Source, number)
}

// votes notes what a page votes for.
func (n *captureNotes) votes(doc *text.Doc, rec *anchors.Record) error {
	n.buf = n.buf[:0]
	vote := func(what uint32) { n.buf = binary.BigEndian.AppendUint64(n.buf, hostVote(rec.Host, what)) }
	if rec.Page.Language != 0 {
		vote(uint32(rec.Page.Language))
	}
	if rec.Page.Label == anchors.Content {
		vote(aPage)
		n.foot = anchors.Foot(n.foot[:0], doc)
		for _, t := range n.foot {
			vote(footVote(t))
		}
	}
	return n.hosts.append(n.buf)
}

// links notes the capture with the links in rec. It reports whether they begin a capture; only a row of a table may
// continue the capture of the row before.
func (n *captureNotes) links(rec *anchors.Record, row bool, number capture.Number) (first bool, err error) {
	if !row {
		order := capture.Order{Millis: rec.Page.Time, Record: number}
		n.buf = capture.AppendNote(n.buf[:0], rec.Source, order, capture.Number(rec.Capture), capture.Tells{})
		return true, n.captures.append(n.buf)
	}
	n.buf, first = n.rows.Next(n.buf[:0], rec, number)
	return first, n.captures.append(n.buf)
}

// redirect notes the redirect of a capture.
func (n *captureNotes) redirect(r capture.Redirect) error {
	if r.By != capture.NoRedirect {
		n.redirects++
	}
	return n.moves.add(r.Hash, r.Bound(), r.Append)
}

// revisit notes a revisit and reports whether it can be resolved later.
func (n *captureNotes) revisit(rec *crawl.Record, number capture.Number) (bool, error) {
	v, ok := rec.Revisit()
	if !ok || !rec.Again() {
		return false, nil
	}
	n.revisits++
	return true, n.place(capture.RevisitPlace(v, number, n.files.location(rec.Pos)))
}

// original notes the place of a record that a revisit may refer to, even if the time of the record is not selected.
func (n *captureNotes) original(rec *crawl.Record, number capture.Number) error {
	v, ok := rec.Original()
	if !ok || !rec.Again() {
		return nil
	}
	n.at = capture.OriginalPlaces(n.at[:0], v, number, n.files.location(rec.Pos))
	for _, p := range n.at {
		if err := n.place(p); err != nil {
			return err
		}
	}
	return nil
}

func (n *captureNotes) place(p capture.Place) error {
	n.buf = p.Append(n.buf[:0])
	return n.places.append(n.buf)
}

// flush writes what is still in memory.
func (n *captureNotes) flush() error {
	n.buf = n.rows.End(n.buf[:0])
	return errors.Join(n.captures.append(n.buf), n.captures.flush(), n.shorts.flush(), n.hosts.flush(), n.places.flush(), n.moves.flush())
}
