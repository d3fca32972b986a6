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
}

func newLargeBuckets(rows, keys int) *largeBuckets {
	return &largeBuckets{rows: rows, words: (keys + 63) / 64, places: make([][]uint64, keys)}
}

// largeMemory returns the bytes that the bits of rows take for a number of keys.
func largeMemory(rows, keys int) int64 { return int64(rows) * int64((keys+63)/64) * 8 }

// add adds the large buckets of a key, given row<<32 | place for each row, by row.
func (t *largeBuckets) add(key int, entries []uint64) {
	if len(entries) == 0 {
		return
	}
	if t.keys == nil {
		t.keys = huge.Words(t.rows * t.words)
	}
	t.places[key] = entries
	for _, e := range entries {
		t.keys[int(e>>32)*t.words+key>>6] |= 1 << (key & 63)
	}
}

// place returns the place of a row in its large bucket of a key.
func (t *largeBuckets) place(key int, row uint32) uint32 {
	entries := t.places[key]
	if i, _ := slices.BinarySearch(entries, uint64(row)<<32); i < len(entries) {
		return uint32(entries[i])
	}
	return 0
}
