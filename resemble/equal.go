package resemble

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/internal/extsort"
)

// Relation is the reason for the place of a document in its cluster: the first level at which it equals another one, or
// similarity. Each level implies the following ones.
type Relation uint8

// The levels of [S1], from strict to loose.
const (
	Alone     Relation = iota // equals no document of a lower id
	Identical                 // the same bytes
	Lexical                   // the same canonical sequence of tokens
	Shingle                   // the same set of shingles, all of them or without boilerplate
	Similar                   // linked by resemblance or containment
)

// String returns the name of the relation in tables.
func (r Relation) String() string {
	if int(r) < len(relationNames) {
		return relationNames[r]
	}
	return fmt.Sprintf("relation %d", r)
}

var relationNames = [...]string{"alone", "identical", "lexical", "shingle", "similar"}

// Equal says which documents are equal, and at what level. A document that equals others at some level is eliminated by
// the one with the lowest id, its parent, which another document may eliminate at a later level. The representative,
// which remains, has the lowest id of all.
//
// Documents without shingles are equal only if their bytes are: two texts without words have nothing in common.
type Equal struct {
	parent   []uint32 // itself for a representative
	relation []Relation
}

// ErrTable is wrapped by the errors of NewEqual and of other functions that read stored results.
var ErrTable = errors.New("resemble: stored result is damaged")

// NewEqual returns the Equal with these Parents and Relations.
func NewEqual(parents []uint32, relations []Relation) (*Equal, error) {
	if len(parents) != len(relations) {
		return nil, fmt.Errorf("%w: %d parents, %d relations", ErrTable, len(parents), len(relations))
	}
	for id, p := range parents {
		root := relations[id] == Alone
		if relations[id] > Shingle || uint64(p) > uint64(id) || root != (int(p) == id) || !root && relations[p] != Alone && relations[p] < relations[id] {
			return nil, fmt.Errorf("%w: document %d has parent %d as %v", ErrTable, id, p, relations[id])
		}
	}
	return &Equal{parents, relations}, nil
}

// Parents returns, for each document, the document that eliminated it, or itself.
func (e *Equal) Parents() []uint32 { return e.parent }

// Relations returns, for each document, the level at which it was eliminated.
func (e *Equal) Relations() []Relation { return e.relation }

// Len returns the number of documents.
func (e *Equal) Len() int { return len(e.parent) }

// Relation returns the level at which a document was eliminated, or Alone if it is a representative.
func (e *Equal) Relation(id uint32) Relation { return e.relation[id] }

// Representative returns the document that represents this one and all its equals.
func (e *Equal) Representative(id uint32) uint32 { return e.at(id, Shingle) }

// at returns the document that represents this one at the given level.
func (e *Equal) at(id uint32, level Relation) uint32 {
	for e.relation[id] != Alone && e.relation[id] <= level {
		id = e.parent[id]
	}
	return id
}

// Between returns the strictest level at which two different documents are equal. If they are not equal, ok is false.
func (e *Equal) Between(a, b uint32) (r Relation, ok bool) { return Between(a, b, e.at) }

// Between returns the strictest level at which two different documents are equal, given the document that represents
// one at a level. If they are not equal, ok is false.
func Between(a, b uint32, at func(id uint32, level Relation) uint32) (r Relation, ok bool) {
	for r := Identical; r <= Shingle; r++ {
		if at(a, r) == at(b, r) {
			return r, true
		}
	}
	return Alone, false
}

// EqualStats counts documents by the level at which they were eliminated.
type EqualStats struct {
	Documents, Representatives  uint64
	Identical, Lexical, Shingle uint64
}

// Stats counts the eliminated documents.
func (e *Equal) Stats() EqualStats {
	var n [Similar]uint64
	for _, r := range e.relation {
		n[r]++
	}
	return EqualStats{uint64(len(e.relation)), n[Alone], n[Identical], n[Lexical], n[Shingle]}
}

// FindEqual finds the documents that are equal, at three levels ([S1] section 4: identical documents need not be
// compared). The levels are exact for sketches too: the digest of the whole set identifies documents with the same
// shingles, while documents that only have the same samples are a similar pair.
func FindEqual(ctx context.Context, docs Documents, r Resources) (*Equal, error) {
	size := docs.Stored
	if s, ok := sketched(docs); ok {
		size = s.Size
	}
	if err := checkLen(docs); err != nil {
		return nil, err
	}
	e := &Equal{make([]uint32, docs.Len()), make([]Relation, docs.Len())}
	for id := range e.parent {
		e.parent[id] = uint32(id)
	}
	for _, l := range []struct {
		level Relation
		key   func(id uint32) uint64
	}{{Identical, docs.Bytes}, {Lexical, docs.Lexical}, {Shingle, docs.Digest}} {
		err := e.level(ctx, l.level, r, func(_ int, id uint32) (uint64, bool) {
			return l.key(id), l.level == Identical || size(id) > 0
		})
		if err != nil {
			return nil, err
		}
	}
	return e, nil
}

// FindEqualAndBoilerplate is FindEqual followed, unless c is nil, by FindBoilerplate. Then whole sets that are equal
// without boilerplate are equal too (Refine).
func FindEqualAndBoilerplate(ctx context.Context, docs Documents, c *BoilerplateConfig, r Resources) (equal *Equal, strip *Boilerplate, found BoilerplateStats, err error) {
	equal, err = FindEqual(ctx, docs, r)
	if err != nil || c == nil {
		return equal, nil, found, err
	}
	if strip, found, err = FindBoilerplate(ctx, docs, equal, *c, r); err != nil {
		return nil, nil, found, err
	}
	if _, ok := sketched(docs); !ok {
		found.Whole, err = equal.Refine(ctx, docs, strip, r)
	}
	return equal, strip, found, err
}

// Refine eliminates documents with the same shingles as another one without boilerplate. Their level is Shingle. It
// returns how many of those that it looks at are compared whole (see Boilerplate.Repeats).
func (e *Equal) Refine(ctx context.Context, docs Documents, strip *Boilerplate, r Resources) (repeated uint64, err error) {
	if docs.Len() != e.Len() {
		return 0, fmt.Errorf("resemble: %d documents for equalities among %d", docs.Len(), e.Len())
	}
	own, whole := make([][]uint64, r.workers()), make([][]uint64, r.workers())
	n := make([]uint64, r.workers())
	err = e.level(ctx, Shingle, r, func(worker int, id uint32) (uint64, bool) {
		if isNotice(docs, id) {
			return 0, false
		}
		values, dropped := strip.Own(own[worker][:0], docs.Host(id), valuesIn(&whole[worker], docs, id))
		if dropped > 0 {
			own[worker] = values
		} else if strip.Repeats(docs.Host(id), values) {
			n[worker]++
		}
		return Digest(values), len(values) > 0
	})
	for _, of := range n {
		repeated += of
	}
	return repeated, err
}

// level eliminates the representatives that share a key with one of a lower id.
func (e *Equal) level(ctx context.Context, level Relation, r Resources, key func(worker int, id uint32) (uint64, bool)) error {
	const size = 12 // key, id
	s, err := newSorting(extsort.Config{Size: size}, r, r.memory())
	if err != nil {
		return err
	}
	defer s.close()
	err = each(ctx, len(e.parent), r.workers(), func(worker int, id uint32) error {
		if e.relation[id] != Alone {
			return nil
		}
		k, ok := key(worker, id)
		if !ok {
			return nil
		}
		var rec [size]byte
		binary.BigEndian.PutUint64(rec[:], k)
		binary.BigEndian.PutUint32(rec[8:], id)
		return s.out[worker].Append(rec[:])
	})
	if err != nil {
		return err
	}
	first := [size]byte{}
	known := false
	return s.records(ctx, func(rec []byte) error {
		if !known || [8]byte(rec) != [8]byte(first[:]) {
			first, known = [size]byte(rec), true
			return nil
		}
		id := binary.BigEndian.Uint32(rec[8:])
		e.parent[id], e.relation[id] = binary.BigEndian.Uint32(first[8:]), level
		return nil
	})
}
