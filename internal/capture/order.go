package capture

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"time"
)

// Number is the number of a record: the number of its input, counted from 0, and the place of the record within that
// input, in the order in which a crawl.Source yields its records. Numbers ascend in the order in which a single worker
// would read the records, so they do not depend on which worker reads a record or when.
//
// A capture of one record has the number of that record. A capture of link rows has a marked number; see
// [Number.OfLinks] and [RowsNumber].
type Number uint64

const (
	placeBits = 40 // for the place of a record within its input
	inputBits = 22

	linksMark Number = 1 << 62
	rowsMark  Number = 1 << 63 // in addition to linksMark; alone for OfText
)

// MaxInputs is the number of inputs that Numbers distinguish.
const MaxInputs = 1 << inputBits

// NumberRecords returns the number of the first of n records of an input, the nth one. It fails if the input has more
// records than can be numbered, because the next number would belong to another input.
func NumberRecords(input int, nth, n uint64) (Number, error) {
	if n > 1<<placeBits || nth > 1<<placeBits-n {
		return 0, fmt.Errorf("more than %d records in one input are too many: split it into smaller files", uint64(1)<<placeBits)
	}
	return Number(uint64(input)<<placeBits | nth), nil
}

// Input returns the number of the input that holds a capture of one record.
func (n Number) Input() uint32 { return uint32(n &^ (linksMark | rowsMark) >> placeBits) }

// OfLinks returns the number of a capture that gives the links of a page without the page. Such captures compete among
// themselves and not with captures of pages.
func (n Number) OfLinks() Number { return n | linksMark }

// OfText returns the number that marks a capture, in a set of superseded captures, as the rendered text of the winner.
func (n Number) OfText() Number { return n | rowsMark }

// RowsNumber returns the number of the capture that a row of a table of links belongs to. All rows of a source with the
// same time, or without a time, are one capture, wherever they are in the inputs, so the number is a hash of source and
// time.
func RowsNumber(source string, millis int64) Number {
	return Number(hashSeed(source, uint64(millis))) | linksMark | rowsMark
}

// Order ranks competing captures. The newest one wins. Among captures of the same time or without a time, the one in
// the later input wins, and within one input the later record.
//
// This order decides everything that captures compete for: which page a URL has, where it redirects to, which original
// a revisit refers to, and which rendered text a page gets. It depends only on the inputs and their order.
type Order struct {
	Millis int64  // milliseconds since 1970, 0 if unknown
	Record Number // the last record of a capture of several
}

// Compare returns a negative number if a wins over b.
func (a Order) Compare(b Order) int {
	return cmp.Or(cmp.Compare(b.Millis, a.Millis), cmp.Compare(b.Record, a.Record))
}

// OrderSize is the size of an encoded Order in bytes.
const OrderSize = 16

// Append appends the encoded order to dst. Encoded orders sort as Compare does: the winner first.
func (a Order) Append(dst []byte) []byte {
	dst = binary.BigEndian.AppendUint64(dst, ^(uint64(a.Millis) ^ 1<<63))
	return binary.BigEndian.AppendUint64(dst, ^uint64(a.Record))
}

// DecodeOrder decodes the first OrderSize bytes of b.
func DecodeOrder(b []byte) Order {
	return Order{int64(^binary.BigEndian.Uint64(b) ^ 1<<63), Number(^binary.BigEndian.Uint64(b[8:]))}
}

// Millis returns a time as in the tables: in milliseconds since 1970, or 0 if t is zero.
func Millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}
