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
	member   []uint64 // bit a row
	before   []uint32 // members before each stretch of 512 rows
	position []uint32 // by member: place in its run
}

const stretch = 8 // words of member

// newLongRuns makes the table of rows numbers from entries, row<<32 | place.
func newLongRuns(rows int, entries []uint64) *longRuns {
	if len(entries) == 0 {
		return nil
	}
	t := &longRuns{member: make([]uint64, (rows+63)/64), position: make([]uint32, len(entries))}
	for _, e := range entries {
		row := e >> 32
		t.member[row>>6] |= 1 << (row & 63)
	}
	sum := 0
	for i, w := range t.member {
		if i%stretch == 0 {
			t.before = append(t.before, uint32(sum))
		}
		sum += bits.OnesCount64(w)
	}
	for _, e := range entries {
		t.position[t.rank(uint32(e>>32))] = uint32(e)
	}
	return t
}

// rank is the number of members before the row.
func (t *longRuns) rank(row uint32) uint32 {
	word := row >> 6
	n := t.before[word/stretch]
	for _, w := range t.member[word/stretch*stretch : word] {
		n += uint32(bits.OnesCount64(w))
	}
	return n + uint32(bits.OnesCount64(t.member[word]&(1<<(row&63)-1)))
}

// place is the row's place in its long run.
func (t *longRuns) place(row uint32) (place uint32, ok bool) {
	if t == nil || t.member[row>>6]>>(row&63)&1 == 0 {
		return 0, false
	}
	return t.position[t.rank(row)], true
}

// formed tells whether rows a < b that have the key in common were paired: always
// in a short run; in a long one if a is the first or b within its reach.
func (t *longRuns) formed(a, b uint32, reach int) bool {
	pa, long := t.place(a)
	if !long || pa == 0 {
		return true
	}
	pb, _ := t.place(b)
	return int(pb)-int(pa) <= reach
}
