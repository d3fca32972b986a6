package lsh

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/minhash"
)

// batch is the number of pairs given to emit at a time.
const batch = 4096

// pieceRecords is about how many records of a column are one task, so that few
// columns keep all workers busy.
const pieceRecords = 1 << 16

// former forms the pairs of runs of one key at a time.
type former struct {
	*search
	ctx    context.Context
	worker int
	key    int
	out    []Pair
	planes []byte // low bytes of the rows of a run, one after another
	stats  Stats
}

// piece is some whole runs of a column.
type piece struct {
	key     int
	records []uint64
	last    bool // of its column
}

// form forms the pairs of all runs of the columns.
func (s *search) form(ctx context.Context, columns []column) error {
	var pieces []piece
	for _, c := range columns {
		pieces = append(pieces, s.pieces(c)...)
	}
	formers := make([]former, s.c.Workers)
	err := s.each(ctx, len(pieces), func(worker, i int) error {
		f := &formers[worker]
		f.search, f.ctx, f.worker, f.key = s, ctx, worker, pieces[i].key
		err := f.piece(pieces[i].records)
		if pieces[i].last && err == nil {
			s.report(1)
		}
		return err
	})
	for i := range formers {
		s.stats.add(formers[i].stats)
	}
	return err
}

// pieces cuts a column between runs.
func (s *search) pieces(c column) []piece {
	var pieces []piece
	rest := c.records
	for len(rest) > pieceRecords {
		end := pieceRecords
		for end < len(rest) && rest[end]>>s.rowBits == rest[end-1]>>s.rowBits {
			end++
		}
		pieces = append(pieces, piece{key: c.key, records: rest[:end]})
		rest = rest[end:]
	}
	return append(pieces, piece{key: c.key, records: rest, last: true})
}

func (f *former) piece(records []uint64) error {
	var err error
	eachRun(records, f.rowBits, func(run []uint64) {
		if err != nil {
			return
		}
		if len(run) > f.c.MaxRun {
			err = f.longRun(run)
		} else {
			err = f.shortRun(run)
		}
	})
	if err == nil && len(f.out) > 0 {
		err = f.flush()
	}
	return err
}

// shortRun pairs all with all. The low bytes are brought together first: they lie
// in as many places as there are rows, and each is used for every other row.
func (f *former) shortRun(run []uint64) error {
	m := f.x.M
	f.planes = f.planes[:0]
	for _, r := range run {
		f.planes = append(f.planes, f.lowPlane(f.row(r))...)
	}
	for i, r := range run {
		a, plane := f.row(r), f.planes[i*m:(i+1)*m]
		for j, r := range run[i+1:] {
			at := (i + 1 + j) * m
			f.pair(a, f.row(r), minhash.LowMask(plane, f.planes[at:at+m]))
		}
		if err := cmp.Or(f.flushFull(), f.stopped(i)); err != nil {
			return err
		}
	}
	return nil
}

// stopped is the reason to give up, looked for every 64 rows of a run.
func (f *former) stopped(i int) error {
	if i%64 < 63 {
		return nil
	}
	return f.ctx.Err()
}

// longRun pairs each row with the first and with the next Reach.
func (f *former) longRun(run []uint64) error {
	formed := uint64(0)
	for i, r := range run {
		next := run[i+1:]
		if i > 0 {
			next = next[:min(f.c.Reach, len(next))]
		}
		formed += uint64(len(next))
		a := f.row(r)
		for _, r := range next {
			b := f.row(r)
			f.pair(a, b, minhash.LowMask(f.lowPlane(a), f.lowPlane(b)))
			if err := f.flushFull(); err != nil {
				return err
			}
		}
		if err := f.stopped(i); err != nil {
			return err
		}
	}
	n := uint64(len(run))
	f.stats.PairsNotFormed += n*(n-1)/2 - formed
	return nil
}

// pair counts rows a < b, which meet in a run, and keeps them if this is the
// first key at which they are formed and they agree enough. mask is the set of
// their equal low bytes.
func (f *former) pair(a, b uint32, mask minhash.Bits) {
	if !mask.Contains(f.x.masks[f.key]) {
		return // different keys that are equal in the bits that were sorted
	}
	f.stats.Collisions++
	if f.earlier(a, b, mask) {
		return
	}
	f.stats.CandidatePairs++
	if mask.Count() < f.least {
		return
	}
	mask = f.mask(a, b)
	if n := mask.Count(); n >= f.least && mask.Contains(f.x.masks[f.key]) {
		f.stats.Surviving++
		f.out = append(f.out, Pair{a, b, uint8(n)})
	}
}

// earlier tells whether the pair was formed at an earlier key. Equal low bytes
// say which keys may be equal; the rows are read only when there is one.
func (f *former) earlier(a, b uint32, mask minhash.Bits) bool {
	exact := false
	for j, subset := range f.x.masks[:f.key] {
		if !mask.Contains(subset) {
			continue
		}
		if !exact {
			mask, exact = f.mask(a, b), true
			if !mask.Contains(subset) {
				continue
			}
		}
		if f.long[j].formed(a, b, f.c.Reach) {
			return true
		}
	}
	return false
}

func (f *former) mask(a, b uint32) minhash.Bits {
	return minhash.Mask(f.sigs.Row(int(a)), f.sigs.Row(int(b)))
}

func (f *former) flushFull() error {
	if len(f.out) < batch {
		return nil
	}
	return f.flush()
}

func (f *former) flush() error {
	err := f.emit(f.worker, f.out)
	f.out = f.out[:0]
	return cmp.Or(err, f.ctx.Err())
}
