package dedup

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// Relation says how a record relates to the one that stands for it.
type Relation uint8

// The relations.
const (
	Identical Relation = iota // the same text, written in the same way
	SameWords                 // the same words in the same order
	Near                      // the resemblance is enough
	Contained                 // the share of it that the other contains is enough
	Leaks                     // it contains an item of an evaluation set; no record stands for it
)

// String returns the name of a relation.
func (r Relation) String() string {
	return [...]string{"identical", "same words", "near", "contained", "leaks an item"}[r]
}

// removal is a record that goes. Records are numbered by place.
type removal struct {
	doc, kept    uint32 // of one that leaks, kept is the number of the leak in the part
	relation     Relation
	shared, a, b uint32 // shingles that both have, and those of the record and of the one that stays
}

// resemblance returns the resemblance; texts of equal words have 1.
func (r *removal) resemblance() float64 {
	if r.relation < Near {
		return 1
	}
	return float64(r.shared) / float64(r.a+r.b-r.shared)
}

// of returns the shares of the record and of the one that stays that the other contains.
func (r *removal) of() (record, kept float64) {
	if r.relation < Near {
		return 1, 1
	}
	return float64(r.shared) / float64(r.a), float64(r.shared) / float64(r.b)
}

// removalFields is the number of numbers of a removal in the list of the removals.
const removalFields = 6

// decider decides which records go, in the order of their ranks.
type decider struct {
	*job
	gone     bitmap               // by rank
	first    bitmap               // by rank: the record has twins
	of       map[uint32]removal   // of records that are gone and have twins, by rank
	bands    map[[5]byte][]uint32 // the first records that stay with a key that many have
	strict   []int                // for records behind the first ones that have a key
	rank     uint32
	twin     int64 // rank of the first record with the same words, or -1
	others   []uint32
	keys     [][5]byte
	removals *extsort.Sorter
	out      *extsort.Appender
	closest  closest
}

// decide finds the records that go and writes their list, unless an earlier process has.
func (j *job) decide() error {
	path := j.file("removals")
	if exists(path) {
		return nil
	}
	twin, first, wanted := newBitmap(j.docs), newBitmap(j.docs), newBitmap(j.docs)
	d := &decider{job: j, gone: newBitmap(j.docs), first: first, of: map[uint32]removal{}, bands: map[[5]byte][]uint32{}, twin: -1, strict: shingles.LeastAgreeing(bins, j.Near, missedBehind)}
	var err error
	if d.removals, err = j.sorter(4*removalFields, 0, 8); err != nil {
		return err
	}
	defer d.removals.Close()
	d.out = d.removals.Appender()
	if err := d.leaks(twin); err != nil {
		return err
	}
	events, err := j.candidates(twin, first)
	if events != nil {
		defer events.Close()
	}
	if err != nil {
		return err
	}
	sorted, err := j.keepEvents(events, wanted)
	if err != nil {
		return err
	}
	if err := j.findSets(wanted); err != nil {
		return err
	}
	begun := false
	err = sorted(func(e event) error {
		if rank := binary.BigEndian.Uint32(e[:]); begun && rank != d.rank {
			if err := d.end(); err != nil {
				return err
			}
		}
		begun, d.rank = true, binary.BigEndian.Uint32(e[:])
		d.event(e)
		return nil
	})
	if err == nil && begun {
		err = d.end()
	}
	if err = cmp.Or(err, d.out.Close()); err != nil {
		return err
	}
	return d.list(j.ctx, path)
}

// keepEvents writes the sorted events to a file and marks the records whose sets are wanted. It returns a function that
// reads them.
func (j *job) keepEvents(events *extsort.Sorter, wanted bitmap) (func(func(event) error) error, error) {
	path := j.file("events")
	w := mapped.Create(path, kindPart, version)
	defer w.Abort()
	s := w.Section("events", 1)
	err := events.Each(j.ctx, func(rec []byte) error {
		s.Bytes(rec)
		switch kind := rec[4]; kind {
		case twinOf:
		case pairOf:
			wanted.set(binary.BigEndian.Uint32(rec[5:]))
			fallthrough
		default:
			wanted.set(binary.BigEndian.Uint32(rec))
		}
		return nil
	})
	if err = cmp.Or(err, w.Close()); err != nil {
		return nil, err
	}
	return func(yield func(event) error) error {
		f, err := mapped.Open(path, kindPart, version)
		if err != nil {
			return err
		}
		defer f.Close()
		all, err := mapped.View[byte](f, "events")
		if err != nil {
			return err
		}
		for at := 0; at < all.Len(); at += len(event{}) {
			if err := yield(event(all.Slice(at, at+len(event{})))); err != nil {
				return err
			}
		}
		return f.Err()
	}, nil
}

// event takes an event of the current record.
func (d *decider) event(e event) {
	other := binary.BigEndian.Uint32(e[5:])
	switch e[4] {
	case twinOf:
		d.twin = int64(other)
	case pairOf:
		if !d.gone.has(other) {
			d.others = append(d.others, other)
		}
	default:
		key := [5]byte(e[4:9])
		if d.keys = append(d.keys, key); len(d.keys) > deep {
			return
		}
		p, at := d.at(d.docOf(d.rank))
		for _, other := range d.bands[key] {
			q, i := d.at(d.docOf(other))
			if agree(d.strict, p.sign(at), q.sign(i), int(p.row(at)[rowWords]), int(q.row(i)[rowWords])) {
				d.others = append(d.others, other)
			}
		}
	}
}

// end decides about the current record.
func (d *decider) end() error {
	r := removal{doc: d.docOf(d.rank)}
	isSeen, goes := int(r.doc) < d.seen, false
	switch {
	case isSeen:
	case d.twin >= 0:
		r, goes = d.asTwin(r, uint32(d.twin)), true
	default:
		r, goes = d.best(r)
	}
	if goes {
		d.gone.set(d.rank)
		if d.first.has(d.rank) {
			d.of[d.rank] = r
		}
		if err := d.out.Append(r.bytes()); err != nil {
			return err
		}
	} else {
		for _, key := range d.keys {
			if list := d.bands[key]; len(list) < reach {
				d.bands[key] = append(list, d.rank)
			}
		}
	}
	d.twin, d.others, d.keys = -1, d.others[:0], d.keys[:0]
	return nil
}

// asTwin returns the removal of a record that has the words of another: by that one or by the one that stands for it.
func (d *decider) asTwin(r removal, first uint32) removal {
	if d.gone.has(first) {
		of := d.of[first]
		of.doc = r.doc
		return of
	}
	r.kept = d.docOf(first)
	p, at := d.at(r.doc)
	q, i := d.at(r.kept)
	if r.relation = SameWords; p.row(at)[rowText] == q.row(i)[rowText] {
		r.relation = Identical
	}
	return r
}

// best compares the current record with the candidates that stay and returns its removal by the one with the greatest
// resemblance. goes is false if none is near enough.
func (d *decider) best(r removal) (best removal, goes bool) {
	slices.Sort(d.others)
	p, at := d.at(r.doc)
	for _, other := range slices.Compact(d.others) {
		r.kept = d.docOf(other)
		q, i := d.at(r.kept)
		a, b := p.sets.of(at), q.sets.of(i)
		r.shared, r.a, r.b = uint32(sets.Common(a, b)), uint32(len(a)), uint32(len(b))
		r.relation = Near
		near := atLeast(r.shared, r.a+r.b-r.shared, d.Near)
		if of, _ := r.of(); !near && d.Contained > 0 && of >= d.Contained {
			r.relation, near = Contained, true
		}
		d.closest.add(r, d.Near)
		if near && (!goes || r.resemblance() > best.resemblance()) {
			best, goes = r, true
		}
	}
	return best, goes
}

// atLeast reports whether a share of a whole is at least the threshold, which has been written in decimal.
func atLeast(part, whole uint32, threshold float64) bool {
	return float64(part)/float64(whole) >= threshold-1e-12
}

func (r *removal) bytes() []byte {
	b := make([]byte, 0, 4*removalFields)
	for _, v := range []uint32{r.doc, r.kept, uint32(r.relation), r.shared, r.a, r.b} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

// list writes the list of the removals in the order of the records.
func (d *decider) list(ctx context.Context, path string) error {
	w := mapped.Create(path, kindPart, version)
	defer w.Abort()
	s := w.Section("removals", 4)
	err := d.removals.Each(ctx, func(rec []byte) error {
		for i := range removalFields {
			s.U32(binary.BigEndian.Uint32(rec[4*i:]))
		}
		return nil
	})
	closest := w.Side("closest", 4)
	for _, r := range d.closest {
		for b := r.bytes(); len(b) > 0; b = b[4:] {
			closest.U32(binary.BigEndian.Uint32(b))
		}
	}
	return cmp.Or(err, w.Close())
}

// closest holds the pairs whose resemblance is nearest to the threshold.
type closest []removal

// mostClosest is the number of pairs nearest to the threshold that are shown.
const mostClosest = 20

func (c *closest) add(r removal, near float64) {
	far := func(r *removal) float64 { return math.Abs(r.resemblance() - near) }
	i, _ := slices.BinarySearchFunc(*c, r, func(a, b removal) int {
		return cmp.Or(cmp.Compare(far(&a), far(&b)), cmp.Compare(a.doc, b.doc), cmp.Compare(a.kept, b.kept))
	})
	if i < mostClosest {
		*c = slices.Insert(*c, i, r)
		*c = (*c)[:min(len(*c), mostClosest)]
	}
}
