package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// The library that decodes Parquet takes as much memory as the header of a page asks for, up to 2 GiB for each number in
// it. So a walk goes ahead of it, page by page, reads the header alone, and stops the column where a number cannot be true.

// Bounds of a page.
const (
	pageFree      = 64 << 20 // bytes that no ratio refuses; a page is about 1 MiB, more where single values are long
	maxPageBytes  = 1 << 30  // once decoded
	maxPageHeader = 16 << 20 // it may hold the least and the greatest value
	maxPageValues = maxList
)

// pageHeader is the numbers of a header by struct and field of parquet.thrift. Struct 0 is PageHeader, the others are by
// the field that they are in, and are there if their field 0 is 1. What is absent is 0.
type pageHeader [headerV2 + 1][9]int32

const (
	headerV1         = 5
	headerDictionary = 7
	headerV2         = 8

	pageType, pageUncompressed, pageCompressed = 1, 2, 3 // PageHeader
	pageValues, pageEncoding                   = 1, 2    // DataPageHeader, DictionaryPageHeader
	v2Nulls, v2Encoding, v2Defs, v2Reps        = 2, 4, 5, 6
	v2Packed                                   = 7 // holds thriftFalse where the values are not compressed
)

// plainDictionary is what older writers call an RLE dictionary.
const plainDictionary = 2

// headerInts tells which fields are numbers that are read: bit i is field i.
var headerInts = [headerV2 + 1]uint16{0: 0b1110, headerV1: 0b110, headerDictionary: 0b110, headerV2: 0b1111110}

// pageWalk reads the headers of the pages of one column chunk, each before the page is read.
type pageWalk struct {
	thriftReader
	codec   parquetformat.CompressionCodec
	page    int64 // where the header at hand begins in the file, or the chunk
	values  int64 // that a page can hold
	width   int64 // bytes that a value of a dictionary takes at least
	decoded int64 // bytes that a value takes in memory, beside those that the page holds
	words   int64 // of the dictionary
	held    int64 // bytes of memory that dictionary and page at hand take
}

// walkOf begins at the first page. The bounds of the chunk are those that the library reads within.
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
	case parquet.Int32, parquet.Float, parquet.ByteArray: // the length of a value has 4 bytes
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

// next looks at the headers up to that of the next data page, as the library will, or to the end of the chunk.
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

// check holds the numbers of a header to what can be true.
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

// structOf is the struct that a page of such a type has.
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

// checkValues bounds the values of a data page of so many bytes.
func (w *pageWalk) checkValues(values, encoding int32, size int64) error {
	n := int64(values)
	if n > w.values {
		return fmt.Errorf("%d values in a page, the column has room for %d", n, w.values)
	}
	if encoding == plainDictionary || encoding == int32(parquetformat.RLEDictionary) {
		return nil // numbers of values of the dictionary, of 4 bytes
	}
	if limit := pageLimit(size); n > 0 && w.decoded > limit/n {
		return fmt.Errorf("%d values of %d bytes in a page of %d", n, w.decoded, size)
	}
	return nil
}

// pageLimit is to how much a page of n bytes may swell.
func pageLimit(n int64) int64 { return min(max(payload.MaxRatio*n, pageFree), maxPageBytes) }

// header reads what is at hand.
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

// number reads a field into the header, if it is one of those that matter there. Where a field comes again, or is of
// another type than it should be, readers may differ, so that it is refused.
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

// thriftReader reads the compact protocol of Thrift
// (https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md) from a part of a file, and no more
// of it than is looked at.
type thriftReader struct {
	file   io.ReaderAt
	at     int64 // of the next byte
	limit  int64 // where what is read must end
	end    int64 // of the part
	window [256]byte
	start  int64 // of the window
	held   int   // bytes in the window
}

// Types of fields.
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

// maxThriftDepth is how deep fields that nobody knows may nest.
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

// pass leaves bytes out.
func (r *thriftReader) pass(n uint64) error {
	if left := r.limit - r.at; n > uint64(max(left, 0)) {
		return fmt.Errorf("a field of %d bytes where %d are left", n, left)
	}
	r.at += int64(n)
	return nil
}

// fields reads a struct. What known does not take is passed over.
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

// skip passes over a value. A truth is in the type of a field, and takes a byte in a list.
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

// skipMany passes over a list, a set or a map. Every value takes a byte at least, so that the size is bounded by them.
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
