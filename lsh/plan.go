package lsh

import "math/bits"

// recordSize is the size of a sorted record: the top bits of a key above a row
// number, in one word.
const recordSize = 8

// tableSize is the greatest number of bytes a record that dropSingles takes.
const tableSize = 2

// maxPartBits bounds the parts of a column; with fewer bytes than a part of
// 2^-12 of a column needs, the limit is not kept.
const maxPartBits = 12

// plan says how much is done at a time within the memory.
type plan struct {
	columns  int  // keys in a group, all held at once
	partBits int  // a key is done in 2^partBits parts, by its top bits; then columns is 1
	lowPlane bool // low bytes are copied out of the rows
}

// maxColumns bounds a group: with 32 columns unpacking the rows is a tenth of
// making the keys, and more would only be more memory to touch.
const maxColumns = 32

// newPlan gives the low bytes up to half of the memory and the rest to columns
// of records and to 10 bytes a row for each goroutine that sorts.
func newPlan(rows, m, l int, c Config) plan {
	var p plan
	left := c.Memory
	if low := int64(rows) * int64(m); low <= c.Memory/2 {
		p.lowPlane = true
		left -= low
	}
	column := int64(rows) * recordSize
	scratch := int64(rows) * (recordSize + tableSize)
	p.columns = 1
	for p.columns < min(l, maxColumns) && column*int64(p.columns+1)+scratch*int64(min(p.columns+1, c.Workers)) <= left {
		p.columns++
	}
	for p.partBits < maxPartBits && (column+scratch)>>p.partBits > left {
		p.partBits++
	}
	return p
}

// rowBits is the number of bits of a record that hold the row. The rest, 45 bits
// for half a million rows and 39 for twenty million, hold the top of the key: of
// n rows, n²/2^(65-rowBits) pairs with different keys meet there by chance, 0.004
// and 360 in a column, and are told apart when the pair is formed.
func rowBits(rows int) int { return bits.Len(uint(max(rows-1, 1))) }
