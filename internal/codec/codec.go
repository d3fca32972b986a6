// Package codec is the encoding of the records in intermediate files: fragments, redirects, raw bags and shingled
// pages.
//
// A record is a body preceded by its length, a uvarint. A body is a sequence of fields: bytes, little-endian numbers
// of eight bytes, uvarints, and strings preceded by their lengths. The kind of file determines the sequence of
// fields. A Decoder reads the fields of a body:
//
//	d := codec.Decoder{B: body}
//	hash, url := d.U64(), d.Bytes()
//	if d.Err != nil { ... }
package codec

import (
	"encoding/binary"
	"errors"
)

// ErrMalformed is the error for bytes that are not valid records.
var ErrMalformed = errors.New("malformed record")

// AppendBytes appends a string and, before it, its length.
func AppendBytes(dst, s []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// Next returns the body of the first record of b and the bytes that follow it. At the end of b, body is nil.
func Next(b []byte) (body, rest []byte, err error) {
	if len(b) == 0 {
		return nil, nil, nil
	}
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return nil, nil, ErrMalformed
	}
	return b[k : k+int(n)], b[k+int(n):], nil
}

// Decoder reads the fields of a body. After the first error it returns only zeros.
type Decoder struct {
	B   []byte // not read yet
	Err error  // ErrMalformed after reading a field that the body lacks
}

func (d *Decoder) take(n uint64) []byte {
	if d.Err != nil || n > uint64(len(d.B)) {
		d.Err = ErrMalformed
		return nil
	}
	s := d.B[:n:n]
	d.B = d.B[n:]
	return s
}

// U8 reads a byte.
func (d *Decoder) U8() byte {
	if s := d.take(1); s != nil {
		return s[0]
	}
	return 0
}

// U64 reads a number of eight bytes.
func (d *Decoder) U64() uint64 {
	if s := d.take(8); s != nil {
		return binary.LittleEndian.Uint64(s)
	}
	return 0
}

// Uvarint reads a number of variable length.
func (d *Decoder) Uvarint() uint64 {
	x, k := binary.Uvarint(d.B)
	if d.Err != nil || k <= 0 {
		d.Err = ErrMalformed
		return 0
	}
	d.B = d.B[k:]
	return x
}

// Take reads n bytes. The result has n bytes even after an error; then all of them are zero.
func (d *Decoder) Take(n int) []byte {
	if s := d.take(uint64(n)); s != nil {
		return s
	}
	return make([]byte, n)
}

// Bytes reads a string. The result points into the body.
func (d *Decoder) Bytes() []byte { return d.take(d.Uvarint()) }
