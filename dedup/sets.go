package dedup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/shingles"
)

// storedSets holds the sets of shingles of some records of a part, in a file.
type storedSets struct {
	table  *mapped.File
	docs   mapped.Column[uint32] // places in the part, in ascending order
	ends   mapped.Column[uint64]
	values mapped.Column[uint64]
}

// findSets computes the sets of the records that wanted has a bit for, by rank. The texts are read again.
func (j *job) findSets(wanted bitmap) error {
	engines := make([]*engine, j.Workers)
	return parallel.Each(j.ctx, len(j.parts), j.Workers, func(worker, i int) (err error) {
		p := j.parts[i]
		var docs []uint32
		for k := range p.count() {
			if wanted.has(j.rankOf(p.first + k)) {
				docs = append(docs, uint32(k))
			}
		}
		j.progress("sets", int64(i), int64(len(j.parts)))
		if len(docs) == 0 {
			return nil
		}
		if engines[worker] == nil {
			if engines[worker], err = newEngine(); err != nil {
				return err
			}
		}
		return p.writeSets(j, engines[worker], docs)
	})
}

// writeSets writes the sets of records of a part.
func (p *part) writeSets(j *job, e *engine, docs []uint32) error {
	path := strings.TrimSuffix(p.path, ".lsh") + "-sets.lsh"
	w := mapped.Create(path, kindPart, version)
	defer w.Abort()
	values, of, ends := w.Section("values", 8), w.Side("docs", 4), w.Side("ends", 8)
	set, end := shingles.NewSet(), uint64(0)
	err := p.again(j, docs, func(i uint32, r *shard.Record) error {
		set.Reset()
		if w, _ := e.read(set, r); w.Digest != p.row(int(i))[rowDigest] {
			return fmt.Errorf("%s: record %d is not what it was when it was read: the file was changed", p.file.Path, p.number(int(i)))
		}
		values.U64s(set.Values())
		end += uint64(set.Len())
		of.U32(i)
		ends.U64(end)
		return nil
	})
	if err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	p.sets = &storedSets{}
	return p.sets.open(path)
}

// again reads records of the part again.
func (p *part) again(j *job, docs []uint32, yield func(i uint32, r *shard.Record) error) error {
	ranges := func(yield func(shard.Range) bool) {
		for _, i := range docs {
			row := p.row(int(i))
			if !yield(shard.Range{Offset: int64(row[rowOffset]), Length: int64(row[rowLength])}) {
				return
			}
		}
	}
	left := docs
	err := p.file.Again(j.ctx, p.Part, ranges, func(r *shard.Record) error {
		for len(left) > 0 && p.row(int(left[0]))[rowOffset] == uint64(r.Offset) {
			i := left[0]
			left = left[1:]
			if err := yield(i, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%s: record %d is gone: the file was changed", p.file.Path, p.number(int(left[0])))
	}
	return err
}

func (s *storedSets) open(path string) (err error) {
	if s.table, err = mapped.Open(path, kindPart, version); err != nil {
		return err
	}
	if s.docs, err = mapped.View[uint32](s.table, "docs"); err != nil {
		return err
	}
	if s.ends, err = mapped.View[uint64](s.table, "ends"); err != nil {
		return err
	}
	s.values, err = mapped.View[uint64](s.table, "values")
	return err
}

func (s *storedSets) close() error {
	err := s.table.Close()
	if err == nil {
		err = s.table.Err()
	}
	return err
}

// of returns the set of the record at a place in the part, in ascending order.
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
