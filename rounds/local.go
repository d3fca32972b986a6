package rounds

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/extsort"
)

// Local does rounds part by part in one process, with the records between rounds sorted on disk: for tests and
// measurements, and as the model of what an engine does with the same steps.
type Local struct {
	Parts  int
	Sort   extsort.Config // its Memory, Dir and Workers
	Rounds int            // that the last call took
	Sent   int64          // records that it passed between parts
}

// Center returns the center of each of n nodes. links returns the links of the nodes from first up to end, ascending.
func (d *Local) Center(ctx context.Context, n int, links func(first, end uint32) iter.Seq2[Link, error]) ([]uint32, error) {
	size := (n + d.Parts - 1) / d.Parts
	var parts []*CenterPart
	for first := 0; first < n; first += size {
		parts = append(parts, NewCenterPart(uint32(first), min(size, n-first)))
	}
	d.Rounds, d.Sent = 0, 0
	told, kept := &spool{}, &spool{}
	defer func() { told.close(); kept.close() }()
	for more := n > 0; more; {
		d.Rounds++
		say, err := d.spool()
		if err != nil {
			return nil, err
		}
		left, err := d.spool()
		if err != nil {
			say.close()
			return nil, err
		}
		for _, p := range parts {
			end := p.first + uint32(len(p.center))
			from := links(p.first, end)
			if d.Rounds > 1 {
				from = parsed(kept.until(end), ParseLink)
			}
			err = p.Round(parsed(told.until(end), ParseTold), from,
				func(t Told) error { rec := t.Record(); return say.add(rec[:]) },
				func(l Link) error { rec := l.Record(); return left.add(rec[:]) })
			if err != nil {
				break
			}
		}
		told.close()
		kept.close()
		told, kept = say, left
		if err = cmp.Or(err, told.sort(ctx), kept.sort(ctx)); err != nil {
			return nil, err
		}
		d.Sent += told.n
		more = told.n+kept.n > 0
	}
	var out []uint32
	for _, p := range parts {
		if err := p.Centers(func(c uint32) error { out = append(out, c); return nil }); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Components returns the components of a graph of n nodes. links returns the links of a part, in any order.
func (d *Local) Components(ctx context.Context, n int, links func(part int) iter.Seq2[Weighted, error]) (*Components, error) {
	d.Rounds, d.Sent = 0, 0
	var forests [][]Weighted
	for part := range d.Parts {
		f, err := d.forest(ctx, n, links(part))
		if err != nil {
			return nil, err
		}
		forests = append(forests, f)
	}
	for d.Rounds = 1; len(forests) > 1; d.Rounds++ {
		var merged [][]Weighted
		for two := range slices.Chunk(forests, 2) {
			all := slices.Concat(two...)
			d.Sent += int64(len(all))
			f, err := d.forest(ctx, n, errorless(all))
			if err != nil {
				return nil, err
			}
			merged = append(merged, f)
		}
		forests = merged
	}
	return NewComponents(n, errorless(slices.Concat(forests...)))
}

// forest returns the forest of links that come in any order.
func (d *Local) forest(ctx context.Context, n int, links iter.Seq2[Weighted, error]) (kept []Weighted, err error) {
	c := d.Sort
	c.Size = WeightedSize
	s, err := newSpool(c)
	if err != nil {
		return nil, err
	}
	defer s.close()
	for l, err := range links {
		rec := l.Record()
		if err := cmp.Or(err, s.add(rec[:])); err != nil {
			return nil, err
		}
	}
	if err := s.sort(ctx); err != nil {
		return nil, err
	}
	err = Forest(n, parsed(s.it.All(), ParseWeighted), func(l Weighted) error {
		kept = append(kept, l)
		return nil
	})
	return kept, err
}

func errorless[T any](all []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, x := range all {
			if !yield(x, nil) {
				return
			}
		}
	}
}

// parsed yields what records hold.
func parsed[T any](records iter.Seq2[[]byte, error], parse func([]byte) T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		for rec, err := range records {
			if err != nil {
				yield(none, err)
				return
			}
			if !yield(parse(rec), nil) {
				return
			}
		}
	}
}
