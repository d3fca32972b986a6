package pipeline

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/internal/codec"
)

// Parts write numbers in blocks: records of arrays of numbers, each led by its length.

// emitAtOnce is the number of bytes of records that are collected before they are written or handed on.
const emitAtOnce = 256 << 10

func appendU32s[T ~uint32 | ~int32](dst []byte, s []T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	for _, x := range s {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(x))
	}
	return dst
}

func appendU64s(dst []byte, s []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	for _, x := range s {
		dst = binary.LittleEndian.AppendUint64(dst, x)
	}
	return dst
}

func appendU16s(dst []byte, s []uint16) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	for _, x := range s {
		dst = binary.LittleEndian.AppendUint16(dst, x)
	}
	return dst
}

// array returns the bytes of an array of elements of some bytes, and the number of elements.
func array(d *codec.Decoder, size int) (b []byte, n int) {
	count := d.Uvarint()
	if d.Err != nil || count > uint64(len(d.B)/size) {
		d.Err = codec.ErrMalformed
		return nil, 0
	}
	return d.Take(int(count) * size), int(count)
}

func decodeU32s[T ~uint32 | ~int32](d *codec.Decoder, to *[]T) {
	b, n := array(d, 4)
	*to = sized(*to, n)
	for i := range *to {
		(*to)[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
	}
}

// decodeU64s appends numbers to a slice.
func decodeU64s(d *codec.Decoder, to []uint64) []uint64 {
	b, n := array(d, 8)
	for i := range n {
		to = append(to, binary.LittleEndian.Uint64(b[8*i:]))
	}
	return to
}

func decodeU16s(d *codec.Decoder, to *[]uint16) {
	b, n := array(d, 2)
	*to = sized(*to, n)
	for i := range *to {
		(*to)[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
}

// sized returns a slice of n elements, in the memory of s if they fit.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
