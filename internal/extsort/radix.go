package extsort

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"sync"
	"sync/atomic"
	"unsafe"
)

// The radix sort begins with the most significant bits and is not in place. A large part is split so that its parts fit
// in a cache, in one step if possible. A part of at most finalMax records is split by enough bits to leave parts of one
// or two records, which insertion sort then puts in order. On random records of 12 bytes this is 1.5 to 2 times as fast
// as American flag sort in place, from 2^20 records on, which is worth the scratch memory.
const (
	splitBits    = 11
	finalMax     = 1 << 14 // must fit the uint16 of counts
	finalBits    = 12
	insertionMax = 16
	windowBits   = 57 // bits that window always holds
)

// counts is the memory for the last split of a part. One is enough for a whole sort, because no split needs it while
// the parts of its parts are sorted.
type counts [1 << finalBits]uint16

// radix sorts a, whose records agree in the first at bits. The result is in a if inA is true, otherwise in b. The other
// slice has undefined content.
func radix[T record](a, b []T, at int, inA bool, c *counts) {
	if len(a) > insertionMax {
		var differ bool
		if at, differ = agreement(a, at); differ {
			if len(a) <= finalMax {
				final(a, b, at, inA, c)
			} else {
				split(a, b, at, inA, c)
			}
			return
		}
	} else {
		insertion(a, at)
	}
	if !inA {
		copy(b, a)
	}
}

// agreement returns the first bit, from at on, in which the records differ, and whether there is one.
func agreement[T record](a []T, at int) (int, bool) {
	var zero T
	for ; at < 8*len(zero); at += windowBits {
		first, differ := window(&a[0], at), uint64(0)
		for i := range a {
			differ |= window(&a[i], at) ^ first
			if differ>>63 == 1 {
				return at, true
			}
		}
		if n := bits.LeadingZeros64(differ); n < 64 {
			return at + n, true
		}
	}
	return at, false
}

// places is the memory for a split: how many records each part has, or where its next record goes.
type places [1 << splitBits]int

// splitField returns the field by which n records that differ from bit at on are split.
func splitField[T record](n, at int) field {
	return newField[T](at, min(bits.Len(uint(n))-finalBits, splitBits))
}

// split distributes a over b by the bits from at on and sorts the parts.
func split[T record](a, b []T, at int, inA bool, c *counts) {
	var next places
	f := splitField[T](len(a), at)
	count(a, f, &next)
	sum := 0
	for k := range next[:1<<f.width] {
		next[k], sum = sum, sum+next[k]
	}
	scatter(a, b, f, &next)
	start := 0
	for _, end := range next[:1<<f.width] {
		if end > start {
			radix(b[start:end], a[start:end], at+f.width, !inA, c)
		}
		start = end
	}
}

// count adds to n the number of records of each part.
func count[T record](a []T, f field, n *places) {
	for i := range a {
		n[f.of(unsafe.Pointer(&a[i]))%uint(len(n))]++
	}
}

// scatter copies the records of a to the places of their parts in b.
func scatter[T record](a, b []T, f field, next *places) {
	for i := range a {
		place := &next[f.of(unsafe.Pointer(&a[i]))%uint(len(next))]
		b[*place] = a[i]
		*place++
	}
}

// radixSortAll is radixSort with several goroutines. Each counts and scatters a range of the records; then they sort
// the parts, taking one after another.
func radixSortAll[T record](a, b []T, workers int) {
	at, differ := agreement(a, 0)
	if !differ {
		return
	}
	f := splitField[T](len(a), at)
	next := make([]places, workers)
	some := func(w int) []T { return a[len(a)*w/workers : len(a)*(w+1)/workers] }
	together(workers, func(w int) { count(some(w), f, &next[w]) })
	ends, sum := make([]int, 1<<f.width), 0
	for k := range ends {
		for w := range next {
			next[w][k], sum = sum, sum+next[w][k]
		}
		ends[k] = sum
	}
	together(workers, func(w int) { scatter(some(w), b, f, &next[w]) })
	var part atomic.Int64
	together(workers, func(int) {
		var c counts
		for k := int(part.Add(1)) - 1; k < len(ends); k = int(part.Add(1)) - 1 {
			start := 0
			if k > 0 {
				start = ends[k-1]
			}
			if start < ends[k] {
				radix(b[start:ends[k]], a[start:ends[k]], at+f.width, false, &c)
			}
		}
	})
}

// together calls f for the numbers below n concurrently.
func together(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
	}
	wg.Wait()
}

// final distributes a over b by enough bits to leave almost nothing to sort.
func final[T record](a, b []T, at int, inA bool, c *counts) {
	f := newField[T](at, min(bits.Len(uint(len(a)))-1, finalBits))
	count := c[:1<<f.width]
	clear(count)
	for i := range a {
		c[f.of(unsafe.Pointer(&a[i]))%uint(len(c))]++
	}
	var sum, most uint16
	for k, n := range count {
		count[k] = sum
		sum += n
		most = max(most, n)
	}
	for i := range a {
		place := &c[f.of(unsafe.Pointer(&a[i]))%uint(len(c))]
		b[*place] = a[i]
		*place++
	}
	if most <= insertionMax {
		insertion(b, at)
	} else {
		sortParts(b, a, at, f, c)
	}
	if inA {
		copy(a, b)
	}
}

// sortParts sorts the parts of a that differ in the field f, some of which are too long for insertion
// sort. The result is in a.
func sortParts[T record](a, b []T, at int, f field, c *counts) {
	var end int
	for start := 0; start < len(a); start = end {
		k := f.of(unsafe.Pointer(&a[start]))
		for end = start + 1; end < len(a) && f.of(unsafe.Pointer(&a[end])) == k; end++ {
		}
		radix(a[start:end], b[start:end], at+f.width, true, c)
	}
}

// field is a field of bits of a record: they are in the eight bytes from byte offset on, shift bits from their end.
type field struct {
	offset, width int
	shift         uint
	mask          uint64
}

// newField returns the field of width bits from bit at on, or of fewer if the record ends before. The width is at most
// windowBits.
func newField[T record](at, width int) field {
	var zero T
	width = min(width, 8*len(zero)-at)
	o := min(at/8, len(zero)-8)
	return field{o, width, uint(64 - width - (at - 8*o)), 1<<uint(width) - 1}
}

// of returns the bits of the record at x in the field. It is not generic, because the compiler would load the
// dictionary of its types for every record.
func (f field) of(x unsafe.Pointer) uint { return uint(load(x, f.offset) >> (f.shift & 63) & f.mask) }

// window returns at least windowBits bits of x from bit at on, at the top of a number. Bits beyond the end are zero.
func window[T record](x *T, at int) uint64 {
	o := min(at/8, len(*x)-8)
	return load(unsafe.Pointer(x), o) << (uint(at-8*o) & 63)
}

// load returns the eight bytes of the record at x from byte o on as a number; numbers have the order of the bytes.
func load(x unsafe.Pointer, o int) uint64 {
	return binary.BigEndian.Uint64((*[8]byte)(unsafe.Add(x, o))[:])
}

// insertion sorts a, whose records agree in the first at bits.
func insertion[T record](a []T, at int) {
	if len(a) < 2 {
		return
	}
	var zero T
	o := min(at/8, len(zero)-8)
	before := load(unsafe.Pointer(&a[0]), o)
	for i := 1; i < len(a); i++ {
		p := load(unsafe.Pointer(&a[i]), o)
		if p > before || p == before && !lessFrom(&a[i], &a[i-1], o+8) {
			before = p
			continue
		}
		v := a[i]
		j := i
		for ; j > 0; j-- {
			if q := load(unsafe.Pointer(&a[j-1]), o); p > q || p == q && !lessFrom(&v, &a[j-1], o+8) {
				break
			}
			a[j] = a[j-1]
		}
		a[j] = v
	}
}

// less compares as memcmp does. It begins with the first eight bytes, which almost always decide.
func less[T record](x, y *T) bool {
	a, b := prefix(x), prefix(y)
	return a < b || a == b && lessFrom(x, y, 8)
}

// prefix returns the first eight bytes as a number.
func prefix[T record](x *T) uint64 { return load(unsafe.Pointer(x), 0) }

// lessFrom compares the bytes from byte o on.
func lessFrom[T record](x, y *T, o int) bool {
	return o < len(*x) && bytes.Compare(tail(x, o), tail(y, o)) < 0
}

// tail returns the bytes from byte o on.
func tail[T record](x *T, o int) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(x)), len(*x))[o:]
}
