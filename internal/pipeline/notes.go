package pipeline

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/tables"
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

// Every page votes for what its host has: the language, which pages of unknown language then have, too, if it is a likely
// one (see anchors.Likely), and the terms at the foot of its pages, which are then not content (see anchors.Foot).

// hostsFile holds what hosts have: the most frequent language, and the terms at the foot of most pages.
const hostsFile = "work/hosts.lsh"

// What a page votes for, besides languages and terms.
const (
	aPage  = 0   // counts pages
	aFoot  = 255 // not voted for: the host has terms at the foot of its pages
	atFoot = 256 // and above: a term
)

// hostVote is a vote of a page: the first half of the hash of its host, and what it votes for, in order of hosts.
func hostVote(host uint64, what uint32) uint64 { return host&^math.MaxUint32 | uint64(what) }

// footVote returns what a vote for a term at the foot is for.
func footVote(t bags.Term) uint32 { return uint32(t) | atFoot }

const hostSize = 8

// A host of fewer pages has no foot. Otherwise it is what this share of its pages has there.
const (
	leastOfFoot = 10
	shareOfFoot = .8
)

// writeHosts writes what hosts have, from the sorted votes of all pages.
func (b readStage) writeHosts(votes eachRecordFunc) error {
	_, err := tables.WriteCaptureSet(b.dir.Temp(hostsFile), func(add func([]byte) error) error {
		var host hostVotes
		var last uint64
		times := 0
		next := func(vote uint64) error {
			host.count(last, times)
			if vote>>32 == last>>32 {
				return nil
			}
			for _, v := range host.won() {
				if err := add(binary.BigEndian.AppendUint64(nil, v)); err != nil {
					return err
				}
			}
			host = hostVotes{}
			return nil
		}
		err := votes(func(rec []byte) error {
			vote := binary.BigEndian.Uint64(rec)
			if vote != last {
				if err := next(vote); err != nil {
					return err
				}
				last, times = vote, 0
			}
			times++
			return nil
		})
		if err != nil {
			return err
		}
		return next(^last)
	})
	return err
}

// hostVotes counts the votes for one host, which come in order.
type hostVotes struct {
	pages    int
	language uint64 // the most frequent vote for one
	speak    int    // pages that vote for it
	foot     []uint64
}

func (h *hostVotes) count(vote uint64, times int) {
	switch what := uint32(vote); {
	case what == aPage:
		h.pages = times
	case what >= atFoot:
		if h.pages >= leastOfFoot && float64(times) >= shareOfFoot*float64(h.pages) {
			h.foot = append(h.foot, vote)
		}
	case times > h.speak:
		h.language, h.speak = vote, times
	}
}

// won returns what the host has, in order.
func (h *hostVotes) won() (out []uint64) {
	if h.speak > 0 {
		out = append(out, h.language)
	}
	if len(h.foot) > 0 {
		out = append(append(out, hostVote(h.foot[0], aFoot)), h.foot...)
	}
	return out
}
