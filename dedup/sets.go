package dedup

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/shingles"
)

// storedSets holds the sets of shingles of some records of a part.
type storedSets struct {
	values mapped.Numbers[uint64] `lsh:"values,stream"`
	docs   mapped.Numbers[uint32] `lsh:"docs"` // records of the part, in ascending order
	ends   mapped.Numbers[uint64] `lsh:"ends"`
}

// findSets writes the sets of those records of part i that are candidates. Their texts are read again.
func (j *job) findSets(e *engine, i int) error {
	m, err := j.matches()
	if err != nil {
		return err
	}
	p, wanted := j.parts[i], m.wantedOf(i)
	e.set = shingles.NewSet()
	return j.create(j.file("sets", i), func(w *mapped.Writer) error {
		var s storedSets
		w.Declare("", &s)
		end := uint64(0)
		return j.again(p, wanted, func(i uint32, r *shard.Record) error {
			e.set.Reset()
			if w, _, _, _ := e.signature(r); w.Digest != p.row(int(i))[rowDigest] {
				return p.changed(int(i))
			}
			s.values.AddAll(e.set.Values())
			end += uint64(e.set.Len())
			s.docs.Add(i)
			s.ends.Add(end)
			return nil
		})
	})
}

// changed returns the error for a record that is not what it was.
func (p *part) changed(i int) error {
	file, number := p.place(i)
	return fmt.Errorf("%s: record %d is not what it was when it was read: the file was changed", file, number)
}

// again reads records of a part again.
func (j *job) again(p *part, docs []uint32, yield func(i uint32, r *shard.Record) error) error {
	if len(docs) == 0 {
		return nil
	}
	if err := p.opened(); err != nil {
		return err
	}
	for len(docs) > 0 {
		s := p.stretchOf(int(docs[0]))
		n, _ := slices.BinarySearch(docs, uint32(s.first-p.first+s.Records))
		if err := j.stretchAgain(p, s, docs[:n], yield); err != nil {
			return err
		}
		docs = docs[n:]
	}
	return nil
}

// stretchAgain reads records of a stretch again.
func (j *job) stretchAgain(p *part, s *stretch, docs []uint32, yield func(i uint32, r *shard.Record) error) error {
	f, err := s.file.shard()
	if err != nil {
		return err
	}
	ranges := func(yield func(shard.Range) bool) {
		for _, i := range docs {
			if !yield(p.rangeOf(int(i))) {
				return
			}
		}
	}
	left := docs
	err = f.Again(j.ctx, s.piece, ranges, func(r *shard.Record) error {
		for len(left) > 0 && p.rangeOf(int(left[0])).Offset == r.Offset {
			i := left[0]
			left = left[1:]
			if err := yield(i, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(left) > 0 {
		err = p.changed(int(left[0]))
	}
	return err
}

// rangeOf returns where a record of the part is in its file.
func (p *part) rangeOf(i int) shard.Range {
	row := p.row(i)
	return shard.Range{Offset: int64(row[rowOffset]), Length: int64(row[rowLength])}
}

// openSets opens the sets of all parts.
func (j *job) openSets() error {
	for _, p := range j.parts {
		if err := j.load(j.file("sets", p.number), &p.sets); err != nil {
			return err
		}
	}
	return nil
}

// of returns the set of a record of the part, in ascending order.
func (s *storedSets) of(i int) []uint64 {
	at, ok := slices.BinarySearch(s.docs.All(), uint32(i))
	if !ok {
		return nil
	}
	from := uint64(0)
	if at > 0 {
		from = s.ends.At(at - 1)
	}
	return s.values.Slice(int(from), int(s.ends.At(at)))
}
