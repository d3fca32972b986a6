package lsh

import (
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/minhash"
)

// window is some rows that are compared with one another. It holds copies of what is needed of them: the low bytes of all
// rows, and all of some. The original of a row is not in a cache, and perhaps on a disk, and it is used for several
// pairs. When many rows are copied one after another, the processor waits for them together.
type window struct {
	*search
	rows []uint32
	low  []byte // step bytes for each row
	step int

	requested []bool // by place, whether the whole row is copied or wanted
	wanted    []uint32
	whole     []byte   // 3·M bytes for each row, whose first M are those of low
	large     []uint64 // for each row the keys at which it is in a large bucket
	placed    []uint64 // for each row the keys whose places are known
	places    []uint32 // for each row and key its place in a large bucket
}

// load fills the window with the rows of the records.
func (w *window) load(records ...[]uint64) {
	w.rows = w.rows[:0]
	for _, list := range records {
		for _, r := range list {
			w.rows = append(w.rows, w.row(r))
		}
	}
	w.step = max(w.x.M, judgeStride)
	if n := len(w.rows); len(w.requested) < n {
		n = max(n, windowRecords)
		w.low, w.requested, w.whole = make([]byte, n*w.step), make([]bool, n), make([]byte, n*3*w.x.M)
	}
	clear(w.requested[:len(w.rows)])
	for from := 0; from < len(w.rows); from += atOnce {
		some := w.rows[from:min(from+atOnce, len(w.rows))]
		touch(w.search.low, some, w.stride, w.x.M)
		for i, row := range some {
			copy(w.low[(from+i)*w.step:][:w.x.M], w.search.low[int(row)*w.stride:])
		}
	}
}

// lowRow returns the low bytes of the row at a place, and what follows them up to the next row.
func (w *window) lowRow(i int) []byte { return w.low[i*w.step : (i+1)*w.step] }

// lowRows returns the low bytes of the rows at the places [from, to).
func (w *window) lowRows(from, to int) []byte { return w.low[from*w.step : to*w.step] }

// lowMask returns the set of the equal low bytes of two rows.
func (w *window) lowMask(i, j int) minhash.Bits {
	return minhash.LowMask(w.lowRow(i)[:w.x.M], w.lowRow(j)[:w.x.M])
}

// atOnce is the number of rows that touch brings into the caches at a time.
const atOnce = 64

// touch reads a byte of each cache line of some rows. Each byte takes so few instructions that the processor waits for
// many of them at once, which it does not do while it copies rows.
func touch(from []byte, rows []uint32, stride, size int) {
	var sum byte
	for _, row := range rows {
		bytes := from[int(row)*stride:][:size]
		for at := 0; at < size; at += 64 {
			sum += bytes[at]
		}
		sum += bytes[size-1]
	}
	runtime.KeepAlive(sum)
}

// need requests the whole row at a place.
func (w *window) need(i int) {
	if !w.requested[i] {
		w.requested[i] = true
		w.wanted = append(w.wanted, uint32(i))
	}
}

// fetch copies the whole rows that were requested.
func (w *window) fetch() {
	var rows [atOnce]uint32
	m, size, words := w.x.M, 3*w.x.M, w.buckets.words
	if n := len(w.requested); w.buckets.keys != nil && len(w.places) < n*w.x.L {
		w.large, w.placed, w.places = make([]uint64, n*words), make([]uint64, n*words), make([]uint32, n*w.x.L)
	}
	for some := range slices.Chunk(w.wanted, atOnce) {
		for k, i := range some {
			rows[k] = w.rows[i]
		}
		if w.buckets.keys != nil {
			for k, i := range some {
				copy(w.large[int(i)*words:][:words], w.buckets.keys[int(rows[k])*words:])
				clear(w.placed[int(i)*words:][:words])
			}
		}
		// The low bytes are at hand, which saves one or two of the five cache lines of a row.
		touch(w.sigs.Rows[m:], rows[:len(some)], size, size-m)
		for k, i := range some {
			row := w.whole[int(i)*size:][:size]
			copy(row[:m], w.lowRow(int(i)))
			copy(row[m:], w.sigs.Rows[int(rows[k])*size+m:])
		}
	}
	w.wanted = w.wanted[:0]
}

// mask returns the set of equal signatures of two fetched rows.
func (w *window) mask(i, j int32) minhash.Bits {
	size := 3 * w.x.M
	return minhash.Mask(w.whole[int(i)*size:][:size], w.whole[int(j)*size:][:size])
}

// inSmallBucket tells whether the fetched row at a place is in a bucket of one of the keys that is not large.
func (w *window) inSmallBucket(keys keySet, i int32) bool {
	if w.buckets.keys == nil {
		return keys != keySet{}
	}
	for word, large := range w.large[int(i)*w.buckets.words:][:w.buckets.words] {
		if keys[word]&^large != 0 {
			return true
		}
	}
	return false
}

// formed tells whether the rows at places i < j of the window, which have a key in common, were paired at that key.
func (w *window) formed(key int, i, j int32) bool {
	if w.buckets.keys == nil || w.large[int(i)*w.buckets.words+key>>6]>>(key&63)&1 == 0 {
		return true
	}
	first := w.place(key, i)
	return first == 0 || int64(w.place(key, j))-int64(first) <= int64(w.c.Reach)
}

// place returns the place of a fetched row in its large bucket of a key. The rows of a bucket have many earlier keys in
// common, so that a place is asked for many times.
func (w *window) place(key int, i int32) uint32 {
	known, at := &w.placed[int(i)*w.buckets.words+key>>6], &w.places[int(i)*w.x.L+key]
	if bit := uint64(1) << (key & 63); *known&bit == 0 {
		*known |= bit
		*at = w.buckets.place(key, w.rows[i])
	}
	return *at
}
