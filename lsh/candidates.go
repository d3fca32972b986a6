package lsh

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
)

// Candidates returns, for each of the given rows, the rows that Pairs pairs it with before it applies the floor,
// ascending. They depend on the keys and on the bound on large buckets. Candidates makes the keys of all rows in one
// pass over the signatures. It ignores c.Floor and c.Memory.
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
	m.found = m.meet
	if err := m.all(ctx); err != nil {
		return nil, err
	}
	for i, met := range m.met {
		slices.Sort(met)
		m.met[i] = slices.Compact(met)
	}
	return m.met, nil
}

// meeting collects the partners of some given rows.
type meeting struct {
	x       *Index
	sigs    Signatures
	c       Config
	rows    []uint32
	rowBits int
	most    int                    // rows of a bucket to keep; 0 for all
	found   func(j int, w *wanted) // receives the buckets of each key; several goroutines call it

	mu  sync.Mutex
	met [][]uint32 // of each given row; with repeats until the end
}

// all handles all keys. Each worker takes one group of keys after another.
func (m *meeting) all(ctx context.Context) error {
	groups := (m.x.L + maxColumns - 1) / maxColumns
	return parallel.Each(ctx, groups, m.c.Workers, func(_, g int) error { return m.group(ctx, g*maxColumns) })
}

// group finds the buckets of the given rows for key first and the keys after it.
func (m *meeting) group(ctx context.Context, first int) error {
	var keys []int
	var columns []wanted
	for j := first; j < min(first+maxColumns, m.x.L); j++ {
		keys, columns = append(keys, j), append(columns, m.wanted(j))
	}
	for lo := 0; lo < m.sigs.Len(); lo += rangeRows {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m.x.eachBlock(m.sigs, keys, lo, min(lo+rangeRows, m.sigs.Len()), func(i, at int, keys []uint64) {
			columns[i].look(keys, at, m.rowBits, m.most)
		})
	}
	for i, j := range keys {
		m.found(j, &columns[i])
	}
	return nil
}

// wanted holds one key of each of the given rows, and the rows that have the same key.
type wanted struct {
	may     [1 << 8]uint64      // a bit for the top 14 bits of each key; nearly all rows have none of these bits
	buckets map[uint64][]uint32 // rows by key without the unsorted bits, ascending
	of      []uint64            // key of each given row
}

func (m *meeting) wanted(j int) wanted {
	w := wanted{buckets: map[uint64][]uint32{}, of: make([]uint64, len(m.rows))}
	for i, r := range m.rows {
		key := m.x.Key(j, m.sigs.Row(int(r)))
		w.may[key>>56] |= 1 << (key >> 50 & 63)
		w.of[i] = key >> m.rowBits
		w.buckets[w.of[i]] = nil
	}
	return w
}

func (w *wanted) look(keys []uint64, at, rowBits, most int) {
	for i, key := range keys {
		if w.may[key>>56]>>(key>>50&63)&1 == 0 {
			continue
		}
		if bucket, ok := w.buckets[key>>rowBits]; ok && (most == 0 || len(bucket) < most) {
			w.buckets[key>>rowBits] = append(bucket, uint32(at+i))
		}
	}
}

// meet pairs the given rows with the other rows of their buckets, as Pairs does.
func (m *meeting) meet(j int, w *wanted) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, r := range m.rows {
		bucket := w.buckets[w.of[i]]
		at, _ := slices.BinarySearch(bucket, r)
		for k, other := range bucket {
			near := len(bucket) <= m.c.MaxBucket || at == 0 || k == 0 || max(at-k, k-at) <= m.c.Reach
			if other != r && near && minhash.Mask(m.sigs.Row(int(r)), m.sigs.Row(int(other))).Contains(m.x.masks[j]) {
				m.met[i] = append(m.met[i], other)
			}
		}
	}
}
