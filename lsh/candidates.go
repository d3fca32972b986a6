package lsh

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/minhash"
)

// Candidates returns, for each of the given rows, the rows that Pairs pairs it with before it applies the floor,
// ascending. Which pairs these are depends on the keys and on the bound on large buckets. Candidates makes the keys of
// all rows in one pass over the signatures. It ignores c.Floor and c.Memory.
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
	for i := range m.met {
		m.met[i] = sortedSet(m.met[i])
	}
	return m.met, nil
}

// meeting collects the rows that some given rows are paired with.
type meeting struct {
	x       *Index
	sigs    Signatures
	c       Config
	rows    []uint32
	rowBits int
	most    int                    // rows of a bucket that are kept; 0 for all
	found   func(j int, w *wanted) // receives the buckets of each key; several goroutines call it

	mu  sync.Mutex
	met [][]uint32 // of each given row; with repeats until the end
}

// all handles all keys. Each worker takes one group of keys after another.
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

// group finds the buckets of the given rows for some keys.
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
			columns[i].look(key[:hi-lo], lo, m.rowBits, m.most)
		}
	}
	for i, j := range keys {
		m.found(j, &columns[i])
	}
}

// wanted holds one key of each of the given rows, and the rows that have the same key.
type wanted struct {
	may     [1 << 8]uint64      // has the bit that the top 14 bits of each key choose; nearly all rows have none of these bits
	buckets map[uint64][]uint32 // rows by key without the bits that the sort leaves out, ascending
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

func sortedSet(rows []uint32) []uint32 {
	slices.Sort(rows)
	return slices.Compact(rows)
}
