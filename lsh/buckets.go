package lsh

import (
	"slices"

	"github.com/lshclust/lshclust/internal/huge"
)

// eachBucket calls f with each bucket of two or more records, that is, of records with equal keys.
func eachBucket(sorted []uint64, rowBits int, f func(bucket []uint64)) {
	for i := 0; i+1 < len(sorted); {
		key := sorted[i] >> rowBits
		end := i + 1
		for end < len(sorted) && sorted[end]>>rowBits == key {
			end++
		}
		if end-i > 1 {
			f(sorted[i:end])
		}
		i = end
	}
}

// largeBuckets holds the rows in the large buckets of the keys so far and their places there, so that a later key can
// find out whether two rows were paired at an earlier one. In a small bucket they always were; in a large one, if one of
// them is the first row of the bucket or the other is within its reach.
type largeBuckets struct {
	rows   int
	words  int        // of a row in keys
	keys   []uint64   // for each row a bit for each key, which tells whether the row is in a large bucket; nil if no row is
	places [][]uint64 // for each key row<<32 | place for each row in a large bucket, by row
	blocks [][]uint32 // for each key the number of the first of these for each placeRows rows, and of all
}

// placeRows is the number of rows among whose places a place is searched for. A search among those of all rows, which
// are 64 MB for each key of twenty million rows, waits for memory at every step.
const placeRows = 64

func newLargeBuckets(rows, keys int) *largeBuckets {
	return &largeBuckets{rows: rows, words: (keys + 63) / 64, places: make([][]uint64, keys), blocks: make([][]uint32, keys)}
}

// largeMemory returns the bytes that the bits of rows and the blocks take for a number of keys.
func largeMemory(rows, keys int) int64 {
	return int64(rows)*int64((keys+63)/64)*8 + int64(rows/placeRows+2)*4*int64(keys)
}

// add adds the large buckets of a key, given row<<32 | place for each row, by row.
func (t *largeBuckets) add(key int, entries []uint64) {
	if len(entries) == 0 {
		return
	}
	if t.keys == nil {
		t.keys = huge.Words(t.rows * t.words)
	}
	t.places[key] = entries
	blocks := make([]uint32, 0, t.rows/placeRows+2)
	for i, e := range entries {
		row := int(e >> 32)
		t.keys[row*t.words+key>>6] |= 1 << (key & 63)
		for len(blocks) <= row/placeRows {
			blocks = append(blocks, uint32(i))
		}
	}
	for len(blocks) < cap(blocks) {
		blocks = append(blocks, uint32(len(entries)))
	}
	t.blocks[key] = blocks
}

// place returns the place of a row in its large bucket of a key.
func (t *largeBuckets) place(key int, row uint32) uint32 {
	if t.blocks[key] == nil {
		return 0
	}
	block := t.blocks[key][row/placeRows:]
	entries := t.places[key][block[0]:block[1]]
	if i, _ := slices.BinarySearch(entries, uint64(row)<<32); i < len(entries) {
		return uint32(entries[i])
	}
	return 0
}
