package shingles

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"
)

// The encoding of a sketch:
//
//	kind     1 byte    'M' MOD_m, 'm' MIN_s, 'x' MIN_s of MOD_m, 'V' V_i, 'G' minima
//	version  1 byte    1
//	parameters         uvarint each: M: m · m: s · x: m, s · V: level, size · G: groups, size
//	count    uvarint   number of values
//	values   uvarint   M, m, x, V: the first value / d, then the difference to the
//	                   one before / d - 1, where d is m, 1, m, 2^level
//	         8 bytes   G: each minimum, big-endian; count is 0 or groups·size
//
// A uvarint has no superfluous bytes and nothing follows the values: a sketch has one encoding. MIN_s of MinSketch and
// TreeMinSketch are the same.
//
// Versions: 1, the first.
const encodingVersion = 1

const (
	kindMod    = 'M'
	kindMin    = 'm'
	kindMinMod = 'x'
	kindVar    = 'V'
	kindGroups = 'G'
)

// ErrEncoding is wrapped by every error of UnmarshalBinary.
var ErrEncoding = errors.New("shingles: not a sketch")

// maxS is the largest s that is read from an encoding.
const maxS = 1 << 30

func appendHead(kind byte, parameters ...uint64) []byte {
	dst := []byte{kind, encodingVersion}
	for _, p := range parameters {
		dst = binary.AppendUvarint(dst, p)
	}
	return dst
}

// appendValues appends ascending multiples of d.
func appendValues(dst []byte, values []uint64, d uint64) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	var next uint64
	for _, v := range values {
		dst = binary.AppendUvarint(dst, v/d-next)
		next = v/d + 1
	}
	return dst
}

// decoder reads an encoding and remembers the first error.
type decoder struct {
	data []byte
	at   int
	err  error
}

func decode(kind byte, data []byte) *decoder {
	d := &decoder{data: data}
	switch {
	case len(data) < 2 || data[0] != kind:
		d.fail("kind is not %q", kind)
	case data[1] != encodingVersion:
		d.fail("version %d: only %d is known", data[1], encodingVersion)
	}
	d.at = 2
	return d
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: at byte %d: %s", ErrEncoding, d.at, fmt.Sprintf(format, args...))
	}
}

// uvarint reads a number from low to high.
func (d *decoder) uvarint(what string, low, high uint64) uint64 {
	if d.err != nil {
		return 0
	}
	x, n := binary.Uvarint(d.data[d.at:])
	if n <= 0 || n > 1 && d.data[d.at+n-1] == 0 {
		d.fail("%s: not a number", what)
		return 0
	}
	if x < low || x > high {
		d.fail("%s is %d: want %d to %d", what, x, low, high)
		return 0
	}
	d.at += n
	return x
}

// values reads at most `most` ascending multiples of a divisor. Each takes at least one byte, so the input bounds what
// is allocated.
func (d *decoder) values(divisor, most uint64) []uint64 {
	count := d.uvarint("count", 0, min(most, uint64(len(d.data))))
	if d.err == nil && count > uint64(len(d.data)-d.at) {
		d.fail("%d values in %d bytes", count, len(d.data)-d.at)
	}
	if d.err != nil || count == 0 {
		return nil
	}
	values := make([]uint64, 0, count)
	var next, carry uint64
	for range count {
		quotient, over := bits.Add64(next, d.uvarint("value", 0, ^uint64(0)), carry)
		high, v := bits.Mul64(quotient, divisor)
		if d.err == nil && (over != 0 || high != 0) {
			d.fail("value over 64 bits")
		}
		if d.err != nil {
			return nil
		}
		values = append(values, v)
		next, carry = quotient, 1
	}
	return values
}

// fixed reads count numbers of 8 bytes.
func (d *decoder) fixed(count int) []uint64 {
	if d.err != nil || count == 0 {
		return nil
	}
	if len(d.data)-d.at < 8*count {
		d.fail("%d minima in %d bytes", count, len(d.data)-d.at)
		return nil
	}
	values := make([]uint64, count)
	for i := range values {
		values[i] = binary.BigEndian.Uint64(d.data[d.at:])
		d.at += 8
	}
	return values
}

// end returns the first error. Bytes that are left over are an error.
func (d *decoder) end() error {
	if d.err == nil && d.at != len(d.data) {
		d.fail("%d bytes too many", len(d.data)-d.at)
	}
	return d.err
}
