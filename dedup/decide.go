package dedup

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/extsort"
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

// removalSize is the number of bytes of a removal in the list of the removals.
const removalSize = 24

func (r *removal) bytes() []byte {
	b := make([]byte, 0, removalSize)
	for _, v := range []uint32{r.doc, r.kept, uint32(r.relation), r.shared, r.a, r.b} {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}

func removalOf(b []byte) removal {
	v := func(i int) uint32 { return binary.BigEndian.Uint32(b[4*i:]) }
	return removal{v(0), v(1), Relation(v(2)), v(3), v(4), v(5)}
}

// decider decides which records go, in the order of their ranks.
type decider struct {
	*job
	*matches
	gone     bitmap               // by rank
	of       map[uint32]removal   // of records that are gone and have twins, by rank
	bands    map[[5]byte][]uint32 // the first records that stay with a key that many have
	strict   []int                // for records behind the first ones that have a key
	rank     uint32
	twin     int64 // rank of the first record with the same words, or -1
	others   []uint32
	keys     [][5]byte
	removals *extsort.Appender
	closest  closest
}

// decide finds the records that go and writes their list.
func (j *job) decide(*engine, int) error {
	m, err := j.matches()
	if err == nil {
		err = j.openAll()
	}
	if err == nil {
		err = j.openSets()
	}
	if err != nil {
		return err
	}
	d := &decider{job: j, matches: m, gone: newBitmap(j.docs), of: map[uint32]removal{}, bands: map[[5]byte][]uint32{}, twin: -1, strict: shingles.LeastAgreeing(bins, j.Near, missedBehind)}
	return j.create(j.file("decide", 0), func(w *mapped.Writer) error {
		var t removals
		w.Declare("", &t)
		err := j.sorted(removalSize, 8, d.all, func(rec []byte) error {
			t.list.AddAll(rec)
			return nil
		})
		for _, r := range d.closest {
			t.near.AddAll(r.bytes())
		}
		return err
	})
}

// all decides about all records.
func (d *decider) all(removals *extsort.Appender) error {
	d.removals = removals
	for _, r := range d.leakers() {
		if err := removals.Append(r.bytes()); err != nil {
			return err
		}
	}
	begun, size := false, len(event{})
	for at := 0; at < d.events.Len(); at += size {
		e := event(d.events.Slice(at, at+size))
		if begun && e.rank() != d.rank {
			if err := d.end(); err != nil {
				return err
			}
		}
		begun, d.rank = true, e.rank()
		d.event(e)
	}
	if begun {
		return d.end()
	}
	return nil
}

// event takes an event of the current record.
func (d *decider) event(e event) {
	switch other := e.other(); e[4] {
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
			if agree(d.strict, p.sign(at), q.sign(i), counted(p.row(at)), counted(q.row(i))) {
				d.others = append(d.others, other)
			}
		}
	}
}

// end decides about the current record.
func (d *decider) end() error {
	r := removal{doc: d.docOf(d.rank)}
	goes := false
	switch {
	case int(r.doc) < d.seen:
	case d.twin >= 0:
		r, goes = d.asTwin(r, uint32(d.twin)), true
	default:
		r, goes = d.best(r)
	}
	if goes {
		d.gone.set(d.rank)
		if d.heads.has(d.rank) {
			d.of[d.rank] = r
		}
		if err := d.removals.Append(r.bytes()); err != nil {
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
	return d.ctx.Err()
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
	r.relation = SameWords
	if p.row(at)[rowText] == q.row(i)[rowText] {
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
		var near bool
		r, near = d.relate(r, p.sets.of(at), q.sets.of(i))
		d.closest.add(r, d.Near)
		if near && (!goes || r.resemblance() > best.resemblance()) {
			best, goes = r, true
		}
	}
	return best, goes
}

// relate compares the sets of a record and of one that may stand for it, and reports whether that is enough.
func (o *Options) relate(r removal, a, b []uint64) (removal, bool) {
	r.shared, r.a, r.b, r.relation = uint32(sets.Common(a, b)), uint32(len(a)), uint32(len(b)), Near
	near := atLeast(r.shared, r.a+r.b-r.shared, o.Near)
	if of, _ := r.of(); !near && o.Contained > 0 && of >= o.Contained {
		r.relation, near = Contained, true
	}
	return r, near
}

// atLeast reports whether a share of a whole is at least the threshold, which has been written in decimal.
func atLeast(part, whole uint32, threshold float64) bool {
	return float64(part)/float64(whole) >= threshold-1e-12
}

// closest holds the pairs whose resemblance is nearest to the threshold.
type closest []removal

// mostClosest is the number of pairs nearest to the threshold that are shown.
const mostClosest = 20

func (c *closest) add(r removal, near float64) {
	far := func(r *removal) float64 { return math.Abs(r.resemblance() - near) }
	*c = sets.Insert(*c, r, mostClosest, func(a, b removal) int {
		return cmp.Or(cmp.Compare(far(&a), far(&b)), cmp.Compare(a.doc, b.doc), cmp.Compare(a.kept, b.kept))
	})
}
