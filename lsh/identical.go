package lsh

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Identical returns, for each row, the number of the first row that has the same bytes, which is its own number if no
// earlier row has them. It needs 20 bytes of memory for each row. There must be fewer than 2^32 rows.
func Identical(sigs Signatures) []uint32 {
	n := sigs.Len()
	rep := make([]uint32, n)
	rowBits := rowBits(n)
	records := make([]uint64, n)
	for i := range records {
		rep[i] = uint32(i)
		records[i] = xxh3.Hash(sigs.Row(i))>>rowBits<<rowBits | uint64(i)
	}
	sorted := sortRecords(records, make([]uint64, n), 0)
	eachBucket(sorted, rowBits, func(bucket []uint64) {
		var first []uint32 // the first row of each content; almost always there is only one
		for _, r := range bucket {
			row := uint32(r & (1<<rowBits - 1))
			rep[row] = firstEqual(sigs, first, row)
			if rep[row] == row {
				first = append(first, row)
			}
		}
	})
	return rep
}

// firstEqual returns the first of rows with the same bytes as row, or row itself.
func firstEqual(sigs Signatures, rows []uint32, row uint32) uint32 {
	for _, r := range rows {
		if bytes.Equal(sigs.Row(int(r)), sigs.Row(int(row))) {
			return r
		}
	}
	return row
}
