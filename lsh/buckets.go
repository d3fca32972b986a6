package lsh

import "math/bits"

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

// largeBuckets holds the rows in the large buckets of a key and their places there, so that a later key can find out
// whether two rows were paired at this one. A nil table has no rows.
type largeBuckets struct {
	lines    []line
	position []uint32 // place in its bucket, for each member in row order
}

// line records which of 448 rows are members: words 1 to 7 have one bit for each row, and word 0 is the number of
// members in earlier lines. A line fills a cache line, so that looking up a row reads two of them.
type line [8]uint64

const lineRows = 7 * 64

// newLargeBuckets makes the table for a number of rows from entries of row<<32 | place.
func newLargeBuckets(rows int, entries []uint64) *largeBuckets {
	if len(entries) == 0 {
		return nil
	}
	t := &largeBuckets{lines: make([]line, (rows+lineRows-1)/lineRows), position: make([]uint32, len(entries))}
	for _, e := range entries {
		row := uint32(e >> 32)
		in := row % lineRows
		t.lines[row/lineRows][1+in/64] |= 1 << (in % 64)
	}
	sum := 0
	for i := range t.lines {
		t.lines[i][0] = uint64(sum)
		for _, w := range t.lines[i][1:] {
			sum += bits.OnesCount64(w)
		}
	}
	for _, e := range entries {
		at, _ := t.find(uint32(e >> 32))
		t.position[at] = uint32(e)
	}
	return t
}

// find returns the index of the row in position, if the row is a member.
func (t *largeBuckets) find(row uint32) (at int, ok bool) {
	l, in := &t.lines[row/lineRows], row%lineRows
	word, bit := 1+in/64, uint64(1)<<(in%64)
	if l[word]&bit == 0 {
		return 0, false
	}
	at = int(l[0])
	for _, w := range l[1:word] {
		at += bits.OnesCount64(w)
	}
	return at + bits.OnesCount64(l[word]&(bit-1)), true
}

// formed tells whether rows a < b that have the key in common were paired. In a small bucket they always were; in a
// large one, if a is the first row of the bucket or b is within its reach.
func (t *largeBuckets) formed(a, b uint32, reach int) bool {
	if t == nil {
		return true
	}
	at, long := t.find(a)
	if !long || t.position[at] == 0 {
		return true
	}
	first := t.position[at]
	at, _ = t.find(b)
	return int(t.position[at])-int(first) <= reach
}
