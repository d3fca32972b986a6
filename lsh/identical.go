package lsh

import (
	"bytes"

	"github.com/zeebo/xxh3"
)

// Identical returns for each row the number of the first row with the same
// bytes, its own if there is none before it. It takes 20 bytes a row, and
// fewer than 2^32 rows.
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
	eachRun(sorted, rowBits, func(run []uint64) {
		var first []uint32 // one row of each content; almost always a single one
		for _, r := range run {
			row := uint32(r & (1<<rowBits - 1))
			rep[row] = firstEqual(sigs, first, row)
			if rep[row] == row {
				first = append(first, row)
			}
		}
	})
	return rep
}

// firstEqual is the one of rows that has the same bytes as row, or row itself.
func firstEqual(sigs Signatures, rows []uint32, row uint32) uint32 {
	for _, r := range rows {
		if bytes.Equal(sigs.Row(int(r)), sigs.Row(int(row))) {
			return r
		}
	}
	return row
}
