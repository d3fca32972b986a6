package lsh

import "math/bits"

// recordSize is the size of a sorted record, which holds the top bits of a key above a row number in one word.
const recordSize = 8

// tableSize is the largest number of bytes that dropSingles needs for a record.
const tableSize = 2

// plan divides the work into portions that fit into the memory.
type plan struct {
	columns  int  // keys in a group, all held at once
	lowPlane bool // low bytes are copied out of the rows
}

// maxColumns bounds a group. With 32 columns, unpacking the rows takes a tenth of the time of making the keys; more
// columns would only touch more memory.
const maxColumns = 32

// newPlan gives up to half of the memory to the low bytes, and the rest to the columns of records and to the buffers of the
// sorting goroutines (10 bytes a row each). keys is the number of keys to search. One column is held in any case.
func newPlan(rows, m, keys int, c Config) plan {
	var p plan
	left := c.Memory
	if low := int64(rows) * int64(m); low <= c.Memory/2 {
		p.lowPlane = true
		left -= low
	}
	column := int64(rows) * recordSize
	scratch := int64(rows) * (recordSize + tableSize)
	p.columns = 1
	for p.columns < min(keys, maxColumns) && column*int64(p.columns+1)+scratch*int64(min(p.columns+1, c.Workers)) <= left {
		p.columns++
	}
	return p
}

// rowBits returns the number of bits of a record that hold the row. The other bits, 45 for half a million rows and 39
// for twenty million, hold the top of the key. In a column of n rows, n²/2^(65-rowBits) pairs with different keys meet
// by chance, 0.004 for half a million rows and 360 for twenty million; they are distinguished when the pair is formed.
func rowBits(rows int) int { return bits.Len(uint(max(rows-1, 1))) }
