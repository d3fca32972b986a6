package lsh

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/minhash"
)

// Candidates returns for each of the given rows the rows that Pairs forms a pair with, ascending, whatever they agree
// in: what the keys and the bound on long runs leave of all pairs, before the floor. One pass over the signatures makes
// the keys of all rows; c.Floor and c.Memory do not matter.
func (x *Index) Candidates(ctx context.Context, sigs Signatures, c Config, rows []uint32) ([][]uint32, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if int64(r) >= int64(sigs.Len()) {
			return nil, fmt.Errorf("lsh: row %d of %d", r, sigs.Len())
		}
	}
	m := meeting{x: x, sigs: sigs, c: c, rows: rows, met: make([][]uint32, len(rows)), rowBits: rowBits(sigs.Len())}
	m.done = m.meet
	if err := m.all(ctx); err != nil {
		return nil, err
	}
	for i := range m.met {
		m.met[i] = sortedSet(m.met[i])
	}
	return m.met, nil
}

// meeting collects whom some rows meet.
type meeting struct {
	x       *Index
	sigs    Signatures
	c       Config
	rows    []uint32
	rowBits int
	done    func(j int, w *wanted) // is given each key's runs

	mu  sync.Mutex
	met [][]uint32 // of each row; with repeats until the end
}

// all goes through the keys, a group at a time for each worker.
func (m *meeting) all(ctx context.Context) error {
	groups := make(chan []int, m.x.L)
	for from := 0; from < m.x.L; from += maxColumns {
		var g []int
		for j := from; j < min(from+maxColumns, m.x.L); j++ {
			g = append(g, j)
		}
		groups <- g
	}
	close(groups)
	var wg sync.WaitGroup
	for range m.c.Workers {
		wg.Go(func() {
			for g := range groups {
				if ctx.Err() == nil {
					m.group(ctx, g)
				}
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// group finds the runs of the wanted rows in some keys.
func (m *meeting) group(ctx context.Context, keys []int) {
	columns := make([]wanted, len(keys))
	for i, j := range keys {
		columns[i] = m.wanted(j)
	}
	var u unpacked
	var key [blockRows]uint64
	for lo := 0; lo < m.sigs.Len() && ctx.Err() == nil; lo += blockRows {
		hi := min(lo+blockRows, m.sigs.Len())
		u.unpack(m.sigs, lo, hi)
		for i, j := range keys {
			u.keys(&key, m.x.Subsets[j])
			columns[i].look(key[:hi-lo], lo, m.rowBits)
		}
	}
	for i, j := range keys {
		m.done(j, &columns[i])
	}
}

// wanted are the keys of the given rows in one column, and who has the same ones.
type wanted struct {
	may  [1 << 8]uint64      // a bit for the top 14 bits of each key: nearly all rows are done with here
	runs map[uint64][]uint32 // rows by key without the bits that the sort leaves out, ascending
	of   []uint64            // key of each given row
}

func (m *meeting) wanted(j int) wanted {
	w := wanted{runs: map[uint64][]uint32{}, of: make([]uint64, len(m.rows))}
	for i, r := range m.rows {
		key := m.x.Key(j, m.sigs.Row(int(r)))
		w.may[key>>56] |= 1 << (key >> 50 & 63)
		w.of[i] = key >> m.rowBits
		w.runs[w.of[i]] = nil
	}
	return w
}

func (w *wanted) look(keys []uint64, at, rowBits int) {
	for i, key := range keys {
		if w.may[key>>56]>>(key>>50&63)&1 == 0 {
			continue
		}
		if run, ok := w.runs[key>>rowBits]; ok {
			w.runs[key>>rowBits] = append(run, uint32(at+i))
		}
	}
}

// meet pairs the given rows within their runs, as Pairs does.
func (m *meeting) meet(j int, w *wanted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.rows {
		run := w.runs[w.of[i]]
		at, _ := slices.BinarySearch(run, r)
		for k, other := range run {
			near := len(run) <= m.c.MaxRun || at == 0 || k == 0 || max(at-k, k-at) <= m.c.Reach
			if other != r && near && minhash.Mask(m.sigs.Row(int(r)), m.sigs.Row(int(other))).Contains(m.x.masks[j]) {
				m.met[i] = append(m.met[i], other)
			}
		}
	}
}

func sortedSet(rows []uint32) []uint32 {
	slices.Sort(rows)
	return slices.Compact(rows)
}
