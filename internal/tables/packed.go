package tables

import (
	"encoding/binary"
	"math/bits"
)

// Ascending numbers are packed as their number and the first of them (uvarint), the width of a gap in bits (a byte), and
// the gaps between them. Numbers of one width are packed in bits, from the lowest of each byte on.

// packedPadding is the number of bytes after packed numbers, so that 8 bytes can be read at any place.
const packedPadding = 8

// packedWidth returns the width for numbers of at most n bits. A number of more than 56 bits may lie in 9 bytes unless it
// begins with a byte.
func packedWidth(n int) int {
	if n > 56 {
		return 64
	}
	return n
}

// appendBits appends numbers of the given width. The last byte is filled up with zeros.
func appendBits(dst []byte, width int, numbers func(yield func(uint64))) []byte {
	last, n := uint64(0), 0 // bits that are no whole byte yet
	numbers(func(v uint64) {
		last |= v << n
		for n += width; n >= 8; n -= 8 {
			dst = append(dst, byte(last))
			last >>= 8
		}
	})
	if n > 0 {
		dst = append(dst, byte(last))
	}
	return dst
}

// bitsAt returns the number of a width that begins at a bit of data.
func bitsAt(data []byte, at, width int) uint64 {
	return binary.LittleEndian.Uint64(data[at>>3:]) >> (at & 7) & (1<<width - 1)
}

// bytesOf returns the number of bytes that n numbers of a width take.
func bytesOf(n, width int) int { return (n*width + 7) / 8 }

// appendAscending appends ascending numbers.
func appendAscending(dst []byte, values []uint64) []byte {
	if dst = binary.AppendUvarint(dst, uint64(len(values))); len(values) == 0 {
		return dst
	}
	gaps := uint64(0)
	for i, v := range values[1:] {
		gaps |= v - values[i]
	}
	width := packedWidth(bits.Len64(gaps))
	dst = append(binary.AppendUvarint(dst, values[0]), byte(width))
	return appendBits(dst, width, func(yield func(uint64)) {
		for i, v := range values[1:] {
			yield(v - values[i])
		}
	})
}

// ascending appends the numbers that appendAscending packed at the beginning of b, which ends with padding. It returns
// what follows them, and whether they are whole.
func ascending(dst []uint64, b []byte) (values []uint64, rest []byte, ok bool) {
	n, at := binary.Uvarint(b)
	if at <= 0 || n == 0 {
		return dst, b[max(0, at):], at > 0
	}
	v, more := binary.Uvarint(b[at:])
	if at += more; more <= 0 || at+1+packedPadding > len(b) {
		return dst, nil, false
	}
	width := int(b[at])
	data := b[at+1:]
	if width != packedWidth(width) || n > uint64(len(data))*8 || bytesOf(int(n-1), width)+packedPadding > len(data) {
		return dst, nil, false
	}
	if width == 0 && n > 1 { // all the same, which no table has
		return dst, nil, false
	}
	from := len(dst)
	dst = append(dst, make([]uint64, n)...)
	out := dst[from:]
	out[0] = v
	for i := range out[1:] {
		v += bitsAt(data, i*width, width)
		out[i+1] = v
	}
	return dst, data[bytesOf(int(n-1), width):], true
}
