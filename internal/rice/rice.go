// Package rice packs lists of small whole numbers and ascending lists in bits.
//
// The Golomb-Rice code of a number v with parameter k (Golomb: Run-Length Encodings, 1966; Rice: Some Practical
// Universal Noiseless Coding Techniques, 1979) is the last k bits of v, and v>>k zeros and a one. It is short for numbers
// whose mean is about 2^k, so also for the gaps between random numbers. A list has the last bits of all numbers first, and
// then all zeros and ones, so that a number need not wait for the one before it to be read. Bits fill each byte from its
// lowest one on. A [Writer] appends codes to a slice, and a [Reader] reads them from one, which must have [Padding] more
// bytes, so that 8 bytes can be read at any place.
package rice

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Padding is the number of bytes that must follow codes.
const Padding = 8

// Most is the largest parameter, and the number of bits that can be read at any place.
const Most = 56

// Writer appends codes to Bytes.
type Writer struct {
	Bytes []byte
	last  uint64 // bits that are no whole byte yet
	n     int    // number of them, at most 7 between calls
}

// Bits appends the lowest n bits of v, whose other bits are 0. n is at most 56.
func (w *Writer) Bits(v uint64, n int) {
	w.last |= v << w.n
	for w.n += n; w.n >= 8; w.n -= 8 {
		w.Bytes = append(w.Bytes, byte(w.last))
		w.last >>= 8
	}
}

// Codes appends the codes of some numbers with a parameter.
func (w *Writer) Codes(values []uint64, k int) {
	for _, v := range values {
		w.Bits(v&(1<<k-1), k)
	}
	for _, v := range values {
		zeros := v >> k
		for ; zeros >= Most; zeros -= Most {
			w.Bits(0, Most)
		}
		w.Bits(1<<zeros, int(zeros)+1)
	}
}

// Gamma appends the gamma code of v, which is above 0 and below 2^56 (Elias: Universal Codeword Sets and Representations of
// the Integers, 1975): as many zeros as v has bits, less one, a one, and the bits of v after its first one.
func (w *Writer) Gamma(v uint64) {
	n := bits.Len64(v) - 1
	w.Bits(1<<n, n+1)
	w.Bits(v&(1<<n-1), n)
}

// List appends the best parameter for some numbers, in a byte, and their codes. It begins with a whole byte and ends with one.
func (w *Writer) List(values []uint64) {
	k := parameter(values)
	w.End()
	w.Bytes = append(w.Bytes, byte(k))
	w.Codes(values, k)
	w.End()
}

// End fills the last byte with zeros.
func (w *Writer) End() {
	if w.n > 0 {
		w.Bytes = append(w.Bytes, byte(w.last))
	}
	w.last, w.n = 0, 0
}

// parameter returns the parameter with which the codes of some numbers have the fewest bits.
func parameter(values []uint64) int {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += float64(v)
	}
	_, k := math.Frexp(sum / float64(len(values))) // from here on, codes only become longer
	k = min(max(k, 0), Most)
	best := size(values, k)
	for k > 0 {
		n := size(values, k-1)
		if n > best {
			break
		}
		k, best = k-1, n
	}
	return k
}

// size returns the number of bits of the codes of some numbers.
func size(values []uint64, k int) uint64 {
	n := uint64(len(values)) * uint64(k+1)
	for _, v := range values {
		n += v >> k
	}
	return n
}

// Reader reads what a Writer has appended.
type Reader struct {
	data []byte
	at   int // the next bit
	bad  bool
}

// Read returns a Reader of data, which ends with padding.
func Read(data []byte) Reader { return Reader{data: data, bad: len(data) < Padding} }

// Bad reports whether codes went beyond the data. Numbers that were read with the last of them, or later, mean nothing.
func (r *Reader) Bad() bool { return r.bad }

// load returns the 8 bytes at the byte of a bit.
func (r *Reader) load(at int) uint64 {
	if from := at >> 3; !r.bad && from <= len(r.data)-Padding {
		return binary.LittleEndian.Uint64(r.data[from:])
	}
	r.bad = true
	return 0
}

// Bits returns the next n bits, at most Most.
func (r *Reader) Bits(n int) uint64 {
	v := r.load(r.at) >> (r.at & 7) & (1<<n - 1)
	r.at += n
	return v
}

// Gamma returns the next number that has a gamma code, or 0 if there is none.
func (r *Reader) Gamma() uint64 {
	n := bits.TrailingZeros64(r.load(r.at) >> (r.at & 7))
	if n >= Most || r.bad {
		r.bad = true
		return 0
	}
	r.at += n + 1
	return 1<<n | r.Bits(n)
}

// Number is a type of the numbers of a list.
type Number interface{ ~uint16 | ~uint32 | ~uint64 }

// Codes reads as many numbers as dst has, whose codes have a parameter of at most Most.
func Codes[N Number](r *Reader, dst []N, k int) {
	data, at, end := r.data, r.at, r.at+len(dst)*k // of the last bits
	if len(dst) == 0 || r.bad || k > Most || end>>3 > len(data)-Padding {
		r.bad = r.bad || len(dst) > 0
		return
	}
	base := end &^ 7
	word := binary.LittleEndian.Uint64(data[end>>3:]) &^ (1<<(end&7) - 1) // the bits from base on that were not read yet
	before := end                                                         // the bit after the last one
	for i := range dst {
		for word == 0 {
			if base += 64; base>>3 > len(data)-Padding {
				r.bad = true
				return
			}
			word = binary.LittleEndian.Uint64(data[base>>3:])
		}
		one := base + bits.TrailingZeros64(word)
		word &= word - 1
		dst[i] = N(one - before)
		before = one + 1
	}
	if k > 0 {
		mask := uint64(1)<<(k&63) - 1
		for i := range dst {
			dst[i] = dst[i]<<(k&63) | N(binary.LittleEndian.Uint64(data[at>>3:])>>(at&7)&mask)
			at += k
		}
	}
	r.at = before
}

// List reads as many numbers as dst has, which Writer.List appended at the beginning of data, and returns what follows them.
// It reports whether they are whole.
func List[N Number](dst []N, data []byte) (rest []byte, ok bool) {
	if len(data) < 1+Padding {
		return nil, false
	}
	r := Read(data[1:])
	Codes(&r, dst, int(data[0]))
	end := (r.at + 7) >> 3
	if r.bad || end > len(r.data)-Padding {
		return nil, false
	}
	return r.data[end:], true
}

// AppendAscending appends distinct ascending numbers: how many there are, the first (both as uvarints), and the codes of the
// gaps less 1. It takes no memory of its own: until it returns, values holds the gaps.
func AppendAscending(dst []byte, values []uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return dst
	}
	for i := len(values) - 1; i > 0; i-- {
		values[i] -= values[i-1] + 1
	}
	w := Writer{Bytes: binary.AppendUvarint(dst, values[0])}
	w.List(values[1:])
	for i := range values[1:] {
		values[i+1] += values[i] + 1
	}
	return w.Bytes
}

// Ascending appends to dst the numbers that AppendAscending appended at the beginning of data, which ends with padding. It
// returns what follows them, and whether they are whole and below the largest number of their type.
func Ascending[N Number](dst []N, data []byte) (values []N, rest []byte, ok bool) {
	n, at := binary.Uvarint(data)
	if at <= 0 || n == 0 {
		return dst, data[max(0, at):], at > 0
	}
	first, more := binary.Uvarint(data[at:])
	if more <= 0 || n > uint64(len(data))*8 || uint64(N(first)) != first {
		return dst, nil, false
	}
	from := len(dst)
	dst = slices.Grow(dst, int(n))[:from+int(n)]
	out := dst[from:]
	out[0] = N(first)
	rest, ok = List(out[1:], data[at+more:])
	for i, gap := range out[1:] {
		out[i+1] = out[i] + gap + 1
		ok = ok && out[i+1] > out[i]
	}
	return dst, rest, ok
}

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
