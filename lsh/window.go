package lsh

import (
	"math/bits"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/minhash"
)

// window holds some rows to compare with one another, as copies of the needed parts: the low bytes of all rows, and all
// bytes of some. The original of a row is not in a cache, and perhaps on a disk, and it is used for several pairs. When
// many rows are copied one after another, the processor waits for them together.
type window struct {
	*search
	rows []uint32
	low  []byte // step bytes for each row
	step int

	requested []bool // by place, whether the whole row is copied or requested
	wanted    []uint32
	whole     []byte // 3·M bytes for each row, whose first M are those of low

	key    int      // the current one
	large  []uint64 // for each row the earlier keys at which it is in a large bucket
	placed []uint32 // for each row its places there, L apart
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
// many of them at once, which it does not do while copying rows.
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

// fetch copies the requested whole rows.
func (w *window) fetch() {
	var rows [atOnce]uint32
	m, size := w.x.M, 3*w.x.M
	for some := range slices.Chunk(w.wanted, atOnce) {
		for k, i := range some {
			rows[k] = w.rows[i]
		}
		if w.places.large() {
			w.fetchPlaces(rows[:len(some)], some)
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

// inSmallBucket reports whether the fetched row at a place is in a bucket of one of the keys that is not large.
func (w *window) inSmallBucket(keys keySet, i int32) bool {
	if w.large == nil {
		return keys != keySet{}
	}
	for word, large := range w.largeKeys(i) {
		if keys[word]&^large != 0 {
			return true
		}
	}
	return false
}

// formed reports whether the rows at places i < j of the window, which have an earlier key in common, were paired at
// that key.
func (w *window) formed(key int, i, j int32) bool {
	if w.large == nil || w.largeKeys(i)[key>>6]>>(key&63)&1 == 0 {
		return true
	}
	first := w.place(key, i)
	return first == 0 || int64(w.place(key, j))-int64(first) <= int64(w.c.Reach)
}

// largeKeys returns the earlier keys at which the fetched row at a place is in a large bucket.
func (w *window) largeKeys(i int32) []uint64 {
	words := w.places.words - 1
	return w.large[int(i)*words:][:words]
}

// place returns the place of a fetched row in its large bucket of an earlier key.
func (w *window) place(key int, i int32) uint32 {
	return w.placed[int(i)*w.x.L+rank(w.largeKeys(i), key)]
}

// fetchPlaces copies the places of rows at earlier keys to the given places of the window.
func (w *window) fetchPlaces(rows, to []uint32) {
	var list [atOnce][]uint32
	words := w.places.words - 1
	if n := len(w.requested); len(w.placed) < n*w.x.L {
		w.large, w.placed = make([]uint64, n*words), make([]uint32, n*w.x.L)
	}
	var sum uint64
	for _, row := range rows { // see touch
		if head, _ := w.places.head(row); head != nil {
			sum += head[0]
		}
	}
	for k, row := range rows {
		n, large := 0, w.largeKeys(int32(to[k]))
		clear(large)
		head, places := w.places.head(row)
		if head == nil {
			continue
		}
		for word := range w.key>>6 + 1 {
			set := head[word]
			if word == w.key>>6 {
				set &= 1<<(w.key&63) - 1
			}
			large[word] = set
			n += bits.OnesCount64(set)
		}
		list[k] = places[head[words]:][:n]
		for at := 0; at < n; at += 16 {
			sum += uint64(list[k][at])
		}
	}
	for k, i := range to {
		copy(w.placed[int(i)*w.x.L:], list[k])
	}
	runtime.KeepAlive(sum)
}
