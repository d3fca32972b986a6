package lsh

import "math/bits"

// eachRun calls f with the runs of two or more records with equal keys.
func eachRun(sorted []uint64, rowBits int, f func(run []uint64)) {
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

// longRuns holds the rows of a key's long runs and their places in them: whether
// two rows were paired there can be told later. A nil table has no rows.
type longRuns struct {
	lines    []line
	position []uint32 // place in its run, for each member in row order
}

// line tells which of 448 rows are members: in words 1 to 7, a bit a row; word 0
// is the number of members before. It fills a cache line, so that looking a row
// up reads two.
type line [8]uint64

const lineRows = 7 * 64

// newLongRuns makes the table of rows numbers from entries, row<<32 | place.
func newLongRuns(rows int, entries []uint64) *longRuns {
	if len(entries) == 0 {
		return nil
	}
	t := &longRuns{lines: make([]line, (rows+lineRows-1)/lineRows), position: make([]uint32, len(entries))}
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

// find is where the row stands in position, if it is a member.
func (t *longRuns) find(row uint32) (at int, ok bool) {
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

// formed tells whether rows a < b that have the key in common were paired: always
// in a short run; in a long one if a is the first or b within its reach.
func (t *longRuns) formed(a, b uint32, reach int) bool {
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
