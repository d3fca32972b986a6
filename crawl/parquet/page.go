package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// The library that decodes Parquet allocates as much memory as the header of a page asks for, up to 2 GiB for each
// number in it. A pageWalk therefore reads the header of each page before the library does, and stops the column at a
// number that cannot be true.

// Bounds of a page.
const (
	pageFree      = 64 << 20 // a page of this size is accepted at any ratio; pages are about 1 MiB, or more if single values are long
	maxPageBytes  = 1 << 30  // decoded size
	maxPageHeader = 16 << 20 // a header may contain the minimum and the maximum value
	maxPageValues = maxList
)

// pageHeader holds the numbers of a page header by struct and field of parquet.thrift. Struct 0 is PageHeader. The
// index of every other struct is the field of PageHeader that contains it, and its field 0 is 1 if it is present. An
// absent number is 0.
type pageHeader [headerV2 + 1][9]int32

const (
	headerV1         = 5
	headerDictionary = 7
	headerV2         = 8

	pageType, pageUncompressed, pageCompressed = 1, 2, 3 // PageHeader
	pageValues, pageEncoding                   = 1, 2    // DataPageHeader, DictionaryPageHeader
	v2Nulls, v2Encoding, v2Defs, v2Reps        = 2, 4, 5, 6
	v2Packed                                   = 7 // thriftFalse if the values are not compressed
)

// plainDictionary is the encoding that older writers use for what is now an RLE dictionary.
const plainDictionary = 2

// headerInts says which fields are read as numbers: bit i stands for field i.
var headerInts = [headerV2 + 1]uint16{0: 0b1110, headerV1: 0b110, headerDictionary: 0b110, headerV2: 0b1111110}

// pageWalk reads the page headers of one column chunk, each before the library reads the page.
type pageWalk struct {
	thriftReader
	codec   parquetformat.CompressionCodec
	page    int64 // offset of the current header in the file, or of the chunk
	values  int64 // the most values that a page can hold
	width   int64 // the fewest bytes that a value of a dictionary takes
	decoded int64 // bytes of memory that a value takes, in addition to the page that holds it
	words   int64 // bytes of memory that the dictionary takes
	held    int64 // bytes of memory that the dictionary and the current page take
}

// walkOf returns a walk that stands before the first page. It uses the same chunk boundaries as the library.
func walkOf(file io.ReaderAt, size int64, chunk *parquetformat.ColumnMetaData, rows int64, l *leaf) (*pageWalk, error) {
	begin := chunk.DataPageOffset
	if chunk.DictionaryPageOffset != 0 {
		begin = chunk.DictionaryPageOffset
	}
	w := &pageWalk{page: max(begin, 0), values: min(rows, maxPageValues)}
	if begin < 0 || begin > size || chunk.TotalCompressedSize < 0 {
		return w, fmt.Errorf("%d bytes at byte %d of a file of %d", chunk.TotalCompressedSize, begin, size)
	}
	w.thriftReader = thriftReader{file: file, at: begin, end: begin + min(chunk.TotalCompressedSize, size-begin)}
	if l.List {
		w.values = min(chunk.NumValues, maxPageValues)
	}
	switch t := l.node.Type(); t.Kind() {
	case parquet.Int32, parquet.Float, parquet.ByteArray: // the length of a byte array takes 4 bytes
		w.width = 4
	case parquet.Int64, parquet.Double:
		w.width = 8
	case parquet.Int96:
		w.width = 12
	case parquet.FixedLenByteArray:
		w.width = int64(t.Length())
		w.decoded = w.width
	}
	return w, nil
}

// next reads headers up to that of the next data page, as the library will, or to the end of the chunk.
func (w *pageWalk) next() error {
	for w.at < w.end {
		w.page = w.at
		var h pageHeader
		if err := w.header(&h); err != nil {
			return fmt.Errorf("page header: %w", stream.NoEOF(err))
		}
		if err := w.check(&h); err != nil {
			return fmt.Errorf("page header: %w", err)
		}
		if err := w.unpack(&h); err != nil {
			return err
		}
		w.at += int64(h[0][pageCompressed])
		w.held = w.words + int64(h[0][pageCompressed]) + 2*int64(h[0][pageUncompressed])
		if parquetformat.PageType(h[0][pageType]) == parquetformat.DictionaryPage {
			w.words = 2 * int64(h[0][pageUncompressed])
		}
		if parquetformat.PageType(h[0][pageType]) != parquetformat.DictionaryPage {
			break
		}
	}
	return nil
}

// check returns an error if a number in the header cannot be true.
func (w *pageWalk) check(h *pageHeader) error {
	size, decoded := int64(h[0][pageCompressed]), int64(h[0][pageUncompressed])
	if in := structOf(h); h[in][0] != 1 || h[headerV1][0]+h[headerDictionary][0]+h[headerV2][0] != 1 {
		return fmt.Errorf("a page of type %d without its header, or with that of another", h[0][pageType])
	}
	if left := w.end - w.at; size > left {
		return fmt.Errorf("a page of %d bytes, %d are left of the column", size, left)
	}
	if limit := pageLimit(size); decoded > limit {
		return fmt.Errorf("%d bytes make %d, more than %d", size, decoded, limit)
	}
	v2 := &h[headerV2]
	if levels := int64(v2[v2Defs]) + int64(v2[v2Reps]); levels > min(size, decoded) {
		return fmt.Errorf("levels of %d bytes in a page of %d", levels, min(size, decoded))
	}
	if v2[v2Nulls] > v2[pageValues] {
		return fmt.Errorf("%d of %d values are null", v2[v2Nulls], v2[pageValues])
	}
	if n := int64(h[headerDictionary][pageValues]); n > maxPageValues || n*w.width > decoded {
		return fmt.Errorf("a dictionary of %d values in %d bytes", n, decoded)
	}
	return errors.Join(w.checkValues(h[headerV1][pageValues], h[headerV1][pageEncoding], decoded), w.checkValues(v2[pageValues], v2[v2Encoding], decoded))
}

// structOf returns the index of the struct that a page of this type has.
func structOf(h *pageHeader) int {
	switch parquetformat.PageType(h[0][pageType]) {
	case parquetformat.DataPage:
		return headerV1
	case parquetformat.DictionaryPage:
		return headerDictionary
	case parquetformat.DataPageV2:
		return headerV2
	}
	return 0
}

// checkValues checks the number of values in a data page of size bytes.
func (w *pageWalk) checkValues(values, encoding int32, size int64) error {
	n := int64(values)
	if n > w.values {
		return fmt.Errorf("%d values in a page, the column has room for %d", n, w.values)
	}
	if encoding == plainDictionary || encoding == int32(parquetformat.RLEDictionary) {
		return nil // indexes into the dictionary, 4 bytes each
	}
	if limit := pageLimit(size); n > 0 && w.decoded > limit/n {
		return fmt.Errorf("%d values of %d bytes in a page of %d", n, w.decoded, size)
	}
	return nil
}

// pageLimit returns the number of bytes to which a page of n bytes may grow.
func pageLimit(n int64) int64 { return min(max(payload.MaxRatio*n, pageFree), maxPageBytes) }

// header reads the header at the current position.
func (w *pageWalk) header(h *pageHeader) error {
	w.limit = min(w.end, w.at+maxPageHeader)
	return w.fields(0, func(in int, typ byte) (bool, error) {
		switch {
		case in < 0 || in >= len(h):
			return false, nil
		case in == headerV1 || in == headerDictionary || in == headerV2:
			if typ != thriftStruct {
				return false, fmt.Errorf("field %d is of type %d", in, typ)
			}
			h[in][0]++
			return true, w.fields(1, func(id int, typ byte) (bool, error) { return w.number(h, in, id, typ) })
		}
		return w.number(h, 0, in, typ)
	})
}

// number reads a field into the header if the field is one of those in headerInts. A field that is repeated or has an
// unexpected type is an error, because readers may differ in how they treat it.
func (w *pageWalk) number(h *pageHeader, in, id int, typ byte) (bool, error) {
	if in == headerV2 && id == v2Packed && (typ == thriftTrue || typ == thriftFalse) {
		h[in][id] = int32(typ)
		return true, nil
	}
	if id < 0 || id >= len(h[in]) || headerInts[in]>>id&1 == 0 {
		return false, nil
	}
	n, err := w.varint()
	if err == nil && (typ != thriftI32 || n < 0 || n > math.MaxInt32 || h[in][id] != 0) {
		err = fmt.Errorf("field %d.%d of type %d is %d", in, id, typ, n)
	}
	h[in][id] = int32(n)
	return true, err
}

// thriftReader reads the Thrift compact protocol
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md) from a part of a file. It reads
// no more of the file than it needs.
type thriftReader struct {
	file   io.ReaderAt
	at     int64 // offset of the next byte
	limit  int64 // offset at which the current value must end
	end    int64 // end of the part
	window [256]byte
	start  int64 // offset of the window
	held   int   // bytes in the window
}

// Field types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxThriftDepth is the maximum nesting depth of unknown fields.
const maxThriftDepth = 16

// ReadByte implements io.ByteReader.
func (r *thriftReader) ReadByte() (byte, error) {
	if r.at >= r.limit {
		return 0, io.ErrUnexpectedEOF
	}
	if i := r.at - r.start; i < 0 || i >= int64(r.held) {
		n, err := r.file.ReadAt(r.window[:min(int64(len(r.window)), r.end-r.at)], r.at)
		if n == 0 {
			return 0, err
		}
		r.start, r.held = r.at, n
	}
	b := r.window[r.at-r.start]
	r.at++
	return b, nil
}

func (r *thriftReader) varint() (int64, error) { return binary.ReadVarint(r) }

// pass skips n bytes.
func (r *thriftReader) pass(n uint64) error {
	if left := r.limit - r.at; n > uint64(max(left, 0)) {
		return fmt.Errorf("a field of %d bytes where %d are left", n, left)
	}
	r.at += int64(n)
	return nil
}

// fields reads a struct. It skips the fields that known does not accept.
func (r *thriftReader) fields(depth int, known func(id int, typ byte) (bool, error)) error {
	if depth > maxThriftDepth {
		return fmt.Errorf("structs more than %d deep", maxThriftDepth)
	}
	for id := int64(0); ; {
		b, err := r.ReadByte()
		if err != nil || b == 0 {
			return err
		}
		if delta := int64(b >> 4); delta > 0 {
			id += delta
		} else if id, err = r.varint(); err != nil {
			return err
		}
		if id < math.MinInt16 || id > math.MaxInt16 {
			return fmt.Errorf("field %d", id)
		}
		took, err := known(int(id), b&15)
		if err == nil && !took {
			err = r.skip(depth, b&15, false)
		}
		if err != nil {
			return err
		}
	}
}

func unknown(int, byte) (bool, error) { return false, nil }

// skip skips a value. A boolean field has its value in the field type; in a list, a boolean takes one byte.
func (r *thriftReader) skip(depth int, typ byte, inList bool) error {
	switch typ {
	case thriftTrue, thriftFalse:
		if inList {
			return r.pass(1)
		}
		return nil
	case thriftByte:
		return r.pass(1)
	case thriftI16, thriftI32, thriftI64:
		_, err := r.varint()
		return err
	case thriftDouble:
		return r.pass(8)
	case thriftBinary:
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		return r.pass(n)
	case thriftList, thriftSet, thriftMap:
		return r.skipMany(depth+1, typ)
	case thriftStruct:
		return r.fields(depth+1, unknown)
	}
	return fmt.Errorf("a field of type %d", typ)
}

// skipMany skips a list, a set or a map. Every element takes at least one byte, which bounds the size.
func (r *thriftReader) skipMany(depth int, typ byte) error {
	if depth > maxThriftDepth {
		return fmt.Errorf("lists more than %d deep", maxThriftDepth)
	}
	var size uint64
	var err error
	types := []byte{0}
	if typ == thriftMap {
		if size, err = binary.ReadUvarint(r); err != nil || size == 0 {
			return err
		}
		types = []byte{0, 0}
	}
	b, err := r.ReadByte()
	if err != nil {
		return err
	}
	types[len(types)-1] = b & 15
	if typ == thriftMap {
		types[0] = b >> 4
	} else if size = uint64(b >> 4); size == 15 {
		if size, err = binary.ReadUvarint(r); err != nil {
			return err
		}
	}
	for range size {
		for _, t := range types {
			if err := r.skip(depth, t, true); err != nil {
				return err
			}
		}
	}
	return nil
}
