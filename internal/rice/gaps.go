package rice

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// AppendGaps appends distinct ascending numbers, like AppendAscending, but with as many bits for each gap as the largest
// one needs: how many there are (uvarint), the number of bits (a byte), and the gaps less 1, the first from -1. If the
// numbers are random, that takes about a fourteenth more bytes and a tenth of the time.
func AppendGaps(dst []byte, values []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return dst
	}
	all, next := uint64(1), uint64(0)
	for _, v := range values {
		all |= v - next
		next = v + 1
	}
	k := bits.Len64(all)
	if k > Most {
		k = 64
	}
	at := len(dst) + 1
	end := at + (len(values)*k+7)/8
	dst = slices.Grow(append(dst, byte(k)), end-at+Padding)[:end+Padding]
	word, n := uint64(0), 0
	next = 0
	for _, v := range values {
		gap := v - next
		next = v + 1
		word |= gap << n
		if n += k; n >= 64 {
			binary.LittleEndian.PutUint64(dst[at:], word)
			at += 8
			n -= 64
			word = gap >> (k - n)
		}
	}
	binary.LittleEndian.PutUint64(dst[at:], word)
	return dst[:end]
}

// Gaps appends to dst the numbers that AppendGaps appended at the beginning of data, which ends with padding. It returns
// what follows them, and whether they are whole.
func Gaps(dst []uint64, data []byte) (values []uint64, rest []byte, ok bool) {
	n, at := binary.Uvarint(data)
	if at <= 0 || n == 0 {
		return dst, data[max(0, at):], at > 0
	}
	if n > uint64(len(data))*8 || len(data) <= at {
		return dst, nil, false
	}
	k, packed := int(data[at]), data[at+1:]
	end := (int(n)*k + 7) / 8
	if k < 1 || k > Most && k != 64 || end > len(packed)-Padding {
		return dst, nil, false
	}
	from := len(dst)
	dst = slices.Grow(dst, int(n))[:from+int(n)]
	over := unpack(dst[from:], packed[:end+Padding], k)
	return dst, packed[end:], !over
}

// unpack sets dst to the numbers whose gaps have k bits each. It reports whether one is too large.
func unpack(dst []uint64, packed []byte, k int) (over bool) {
	next, bit, mask := uint64(0), 0, uint64(1)<<k-1
	if bits.Len(uint(len(dst)))+k < 64 {
		for i := range dst {
			next += binary.LittleEndian.Uint64(packed[bit>>3:]) >> (bit & 7) & mask
			dst[i] = next
			next, bit = next+1, bit+k
		}
		return false
	}
	carry := uint64(0)
	for i := range dst {
		over = over || carry != 0 // of a number that is not the last
		next, carry = bits.Add64(next, binary.LittleEndian.Uint64(packed[bit>>3:])>>(bit&7)&mask, 0)
		over = over || carry != 0
		dst[i] = next
		next, carry = bits.Add64(next, 1, 0)
		bit += k
	}
	return over
}
