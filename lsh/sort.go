package lsh

import (
	"math/bits"
	"slices"
)

// maxDigit is the number of bits in the largest digit of the radix sort. With 2^11 places to write to, the pages and
// the cache lines that are being filled still fit their caches.
const maxDigit = 11

// sortRecords sorts records, which hold a random key above a row number and come in row order, into ascending order.
// tmp is as long as a; the result is in one of the two.
//
// The radix sort stops when there are eight times as many bins as records. Few of the random keys are then out of
// place, and sorting the bins that hold one costs less than another pass. 400,000 records take two passes.
func sortRecords(a, tmp []uint64) []uint64 {
	if len(a) < 64 {
		slices.Sort(a)
		return a
	}
	want := min(bits.Len(uint(len(a)))+3, 64)
	passes := (want + maxDigit - 1) / maxDigit
	digit := (want + passes - 1) / passes
	shift := 64 - passes*digit
	if shift < 0 {
		slices.Sort(a)
		return a
	}
	for p := range passes {
		scatter(tmp, a, shift+p*digit, digit)
		a, tmp = tmp, a
	}
	settle(a, shift)
	return a
}

// dropSingles moves the records whose key may occur twice to the front and returns them, in the same order. It goes by the top
// bits of the keys, which have four times as many values as there are records. A word of table stands for 32 values: its low
// half says which of them occur, its high half which occur twice. For 400,000 records the table takes half a megabyte and stays
// in the second-level cache, unlike a pass of the radix sort. Most keys occur only once, so that a fifth of the records remain.
func dropSingles(a, table []uint64) []uint64 {
	tableBits := min(bits.Len(uint(len(a)))+2, 64)
	table = table[:1<<max(tableBits-5, 0)]
	clear(table)
	shift := 64 - tableBits
	for _, v := range a {
		value := v >> shift
		word, bit := &table[value/32], value%32
		occurs := *word >> bit & 1
		*word |= 1<<bit | occurs<<(32+bit)
	}
	n := 0
	for _, v := range a {
		value := v >> shift
		word, bit := table[value/32], value%32
		a[n] = v // the next record takes this place unless the key occurs twice
		n += int(word >> (32 + bit) & 1)
	}
	return a[:n]
}

// tableWords returns the length of the table that dropSingles needs.
func tableWords(records int) int { return 1 << max(bits.Len(uint(records))-3, 0) }

// scatter copies src to dst in the order of a digit. Records with equal digits keep their order.
func scatter(dst, src []uint64, shift, digit int) {
	var next [1 << maxDigit]uint32
	mask := uint64(1)<<digit - 1
	for _, v := range src {
		next[v>>shift&mask&(1<<maxDigit-1)]++
	}
	var sum uint32
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	dst = dst[:len(src)]
	for _, v := range src {
		d := v >> shift & mask & (1<<maxDigit - 1)
		dst[next[d]] = v
		next[d]++
	}
}

// settle sorts records that are already in order by the bits from shift on.
func settle(a []uint64, shift int) {
	for i := 1; i < len(a); i++ {
		if a[i] >= a[i-1] {
			continue
		}
		bin := a[i] >> shift
		lo, hi := i-1, i+1
		for lo > 0 && a[lo-1]>>shift == bin {
			lo--
		}
		for hi < len(a) && a[hi]>>shift == bin {
			hi++
		}
		slices.Sort(a[lo:hi]) // insertion up to 12
		i = hi - 1
	}
}
