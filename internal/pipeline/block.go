package pipeline

import (
	"encoding/binary"
	"slices"

	"github.com/lshclust/lshclust/internal/codec"
)

// Parts write numbers in blocks: records of arrays of numbers, each led by its length.

// emitAtOnce is the number of bytes of records that are collected before they are written or handed on.
const emitAtOnce = 256 << 10

// element is a number of an array.
type element interface {
	uint16 | int32 | uint32 | uint64
}

func appendArray[T element](dst []byte, s []T) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	dst, _ = binary.Append(dst, binary.LittleEndian, s) // which can append any element
	return dst
}

func decodeArray[T element](d *codec.Decoder, to *[]T) {
	var x T
	size, n := binary.Size(x), d.Uvarint()
	if d.Err != nil || n > uint64(len(d.B)/size) {
		d.Err = codec.ErrMalformed
		return
	}
	*to = slices.Grow((*to)[:0], int(n))[:n]
	_, d.Err = binary.Decode(d.Take(int(n)*size), binary.LittleEndian, *to)
}
