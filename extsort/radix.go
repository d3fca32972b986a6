package extsort

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The radix sort begins with the most significant digit and is not in place. It splits large parts by 8 bits, so that
// the 256 places to write to stay within the TLB. A part of at most finalMax records is in a cache; it is split by
// enough bits to leave parts of one or two records, which insertion sort then puts in order. On random records of 12
// bytes this is 1.5 to 2 times as fast as American flag sort in place, from 2^20 records on, which is worth the scratch
// memory.
const (
	splitBits    = 8
	finalMax     = 1 << 14 // must fit the uint16 of counts
	finalBits    = 12
	insertionMax = 16
)

// counts is the memory for the last split of a part. One is enough for a whole sort, because it is free again when
// parts of parts are sorted.
type counts [1 << finalBits]uint16

// radixSort sorts a with b as scratch, which must have its length.
func radixSort[T record](a, b []T) {
	var c counts
	radix(a, b, 0, true, &c)
}

// radix sorts a, whose records agree in the first at bits. The result is in a if inA is true, otherwise in b. The other
// one has undefined content.
func radix[T record](a, b []T, at int, inA bool, c *counts) {
	var zero T
	switch {
	case len(a) <= insertionMax:
		insertion(a)
		fallthrough
	case at >= 8*len(zero):
		if !inA {
			copy(b, a)
		}
	case len(a) <= finalMax:
		final(a, b, at, inA, c)
	default:
		split(a, b, at, inA, c)
	}
}

// split distributes a over b by the byte that begins at bit at and sorts the parts. Only parts that are too short for
// split are split by other numbers of bits.
func split[T record](a, b []T, at int, inA bool, c *counts) {
	var next [1 << splitBits]int
	d := at / 8
	for i := range a {
		next[a[i][d]]++
	}
	if next[a[0][d]] == len(a) { // all the same
		radix(a, b, at+splitBits, inA, c)
		return
	}
	sum := 0
	for k, n := range next {
		next[k] = sum
		sum += n
	}
	for i := range a {
		k := a[i][d]
		b[next[k]] = a[i]
		next[k]++
	}
	start := 0
	for _, end := range next {
		if end > start {
			radix(b[start:end], a[start:end], at+splitBits, !inA, c)
		}
		start = end
	}
}

// final distributes a over b by enough bits to leave almost nothing to sort.
func final[T record](a, b []T, at int, inA bool, c *counts) {
	width := min(bits.Len(uint(len(a)))-1, finalBits)
	count := c[:1<<width]
	clear(count)
	for i := range a {
		count[digit(&a[i], at, width)]++
	}
	var sum, most uint16
	for k, n := range count {
		count[k] = sum
		sum += n
		most = max(most, n)
	}
	for i := range a {
		k := digit(&a[i], at, width)
		b[count[k]] = a[i]
		count[k]++
	}
	if most <= insertionMax {
		insertion(b)
	} else {
		sortParts(b, a, at, width, c)
	}
	if inA {
		copy(a, b)
	}
}

// sortParts sorts the parts of a that differ in the bits from at to at+width, some of which are too long for insertion
// sort. The result is in a.
func sortParts[T record](a, b []T, at, width int, c *counts) {
	var end int
	for start := 0; start < len(a); start = end {
		k := digit(&a[start], at, width)
		for end = start + 1; end < len(a) && digit(&a[end], at, width) == k; end++ {
		}
		radix(a[start:end], b[start:end], at+width, true, c)
	}
}

// digit returns width bits of x, at most 57, that begin at bit at, counted from the left. Bits beyond the end are zero.
func digit[T record](x *T, at, width int) uint {
	o := min(at/8, len(*x)-8)
	p := (*[8]byte)(unsafe.Add(unsafe.Pointer(x), o))
	return uint(binary.BigEndian.Uint64(p[:]) << uint(at-8*o) >> uint(64-width))
}

func insertion[T record](a []T) {
	for i := 1; i < len(a); i++ {
		if !less(&a[i], &a[i-1]) {
			continue
		}
		v := a[i]
		j := i
		for ; j > 0 && less(&v, &a[j-1]); j-- {
			a[j] = a[j-1]
		}
		a[j] = v
	}
}

// less compares as memcmp does. It begins with the first eight bytes, which almost always decide.
func less[T record](x, y *T) bool {
	a, b := prefix(x), prefix(y)
	if a != b {
		return a < b
	}
	return len(*x) > 8 && bytes.Compare(tail(x), tail(y)) < 0
}

// prefix returns the first eight bytes as a number; numbers are in the order of the bytes.
func prefix[T record](x *T) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Pointer(x))[:])
}

// tail returns the bytes after the first eight.
func tail[T record](x *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), len(*x))[8:]
}
