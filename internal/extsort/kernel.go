package extsort

import (
	"bytes"
	"unsafe"
)

// record is an array of bytes that is sorted as one value. Records of other sizes are padded with zero bytes to the
// next of these sizes, which preserves their order.
type record interface {
	[8]byte | [12]byte | [13]byte | [16]byte | [20]byte | [24]byte | [32]byte | [48]byte | [64]byte | [96]byte | [128]byte
}

// kernel is the code compiled for each size of record.
type kernel interface {
	// sort sorts b with scratch of at least the same length and several goroutines.
	sort(b, scratch []byte, workers int)
	// unique keeps the first of the records with equal keys in the sorted b and returns the kept records.
	unique(b []byte, key int) []byte
	// merger merges sorted sources.
	merger(sources []source, key int) merger
}

type sized[T record] struct{}

// kernelFor returns the code for records of size bytes and the number of bytes that each takes.
func kernelFor(size int) (kernel, int) {
	switch {
	case size <= 8:
		return sized[[8]byte]{}, 8
	case size <= 12:
		return sized[[12]byte]{}, 12
	case size <= 13:
		return sized[[13]byte]{}, 13
	case size <= 16:
		return sized[[16]byte]{}, 16
	case size <= 20:
		return sized[[20]byte]{}, 20
	case size <= 24:
		return sized[[24]byte]{}, 24
	case size <= 32:
		return sized[[32]byte]{}, 32
	case size <= 48:
		return sized[[48]byte]{}, 48
	case size <= 64:
		return sized[[64]byte]{}, 64
	case size <= 96:
		return sized[[96]byte]{}, 96
	}
	return sized[[128]byte]{}, 128
}

// cast views packed records as arrays.
func cast[T record](b []byte) []T {
	var zero T
	if len(b) < len(zero) {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/len(zero))
}

func (sized[T]) sort(b, scratch []byte, workers int) {
	x, y := cast[T](b), cast[T](scratch[:len(b)])
	if workers > 1 && len(x) > finalMax {
		radixSortAll(x, y, workers)
	} else {
		radix(x, y, 0, true, new(counts))
	}
}

func (sized[T]) unique(b []byte, key int) []byte {
	a := cast[T](b)
	if len(a) < 2 {
		return b
	}
	n := 1
	for i := 1; i < len(a); i++ {
		if !sameKey(&a[i], &a[n-1], key) {
			a[n] = a[i]
			n++
		}
	}
	return b[:n*len(a[0])]
}

func (sized[T]) merger(sources []source, key int) merger { return newTree[T](sources, key) }

// sameKey reports whether the first key bytes are equal.
func sameKey[T record](x, y *T, key int) bool {
	return bytes.Equal(unsafe.Slice((*byte)(unsafe.Pointer(x)), key), unsafe.Slice((*byte)(unsafe.Pointer(y)), key))
}
