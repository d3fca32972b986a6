package parquet

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// The library that decodes Parquet allocates as much memory as the header of a page asks for, up to 2 GiB for each
// number in it. A pageWalk therefore decodes the header of each page first, from bytes in memory, and stops the column
// at an impossible number.

// Bounds of a page.
const (
	pageFree      = 64 << 20 // accepted at any ratio; pages are about 1 MiB, or more if single values are long
	maxPageBytes  = 1 << 30  // decoded size
	maxPageHeader = 16 << 20 // a header may contain the minimum and the maximum value
	maxPageValues = maxList
	maxNested     = 32 // structs, lists, sets and maps in a header; real ones have one or two
)

// pageWalk reads the page headers of one column chunk, each before the library reads the page.
type pageWalk struct {
	file    io.ReaderAt
	at, end int64 // offset of the next byte, and the end of the chunk
	codec   parquetformat.CompressionCodec
	page    int64 // offset of the current header in the file, or of the chunk
	values  int64 // the greatest number of values that a page can hold
	width   int64 // the least number of bytes that a value of a dictionary takes
	decoded int64 // bytes of memory that a value takes, in addition to the page that holds it
	words   int64 // bytes of memory that the dictionary takes
	held    int64 // bytes of memory that the dictionary and the current page take
	buf     [1 << 10]byte
}

// walkOf returns a walk before the first page. It uses the same chunk boundaries as the library.
func walkOf(file io.ReaderAt, size int64, chunk *parquetformat.ColumnMetaData, rows int64, l *leaf) (*pageWalk, error) {
	begin := chunk.DataPageOffset
	if chunk.DictionaryPageOffset != 0 {
		begin = chunk.DictionaryPageOffset
	}
	w := &pageWalk{page: max(begin, 0), values: min(rows, maxPageValues)}
	if begin < 0 || begin > size || chunk.TotalCompressedSize < 0 {
		return w, fmt.Errorf("%d bytes at byte %d of a file of %d", chunk.TotalCompressedSize, begin, size)
	}
	w.file, w.at, w.end = file, begin, begin+min(chunk.TotalCompressedSize, size-begin)
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
		h, err := w.header()
		if err == nil {
			err = w.check(h)
		}
		if err != nil {
			return fmt.Errorf("page header: %w", stream.NoEOF(err))
		}
		if err := w.unpack(h); err != nil {
			return err
		}
		w.at += int64(h.CompressedPageSize)
		w.held = w.words + int64(h.CompressedPageSize) + 2*int64(h.UncompressedPageSize)
		if h.Type != parquetformat.DictionaryPage {
			break
		}
		w.words = 2 * int64(h.UncompressedPageSize)
	}
	return nil
}

// check returns an error for an impossible number in the header.
func (w *pageWalk) check(h *parquetformat.PageHeader) error {
	size, decoded := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	v1, v2, dictionary := &h.DataPageHeader, &h.DataPageHeaderV2, &h.DictionaryPageHeader
	has := [...]bool{v1.Valid, v2.Valid, dictionary.Valid}
	want := [...]bool{h.Type == parquetformat.DataPage, h.Type == parquetformat.DataPageV2, h.Type == parquetformat.DictionaryPage}
	if has != want || has == [3]bool{} {
		return fmt.Errorf("a page of type %d without its header, or with that of another", h.Type)
	}
	if least := min(h.CompressedPageSize, h.UncompressedPageSize, v1.V.NumValues, v2.V.NumValues, v2.V.NumNulls,
		v2.V.DefinitionLevelsByteLength, v2.V.RepetitionLevelsByteLength, dictionary.V.NumValues); least < 0 {
		return fmt.Errorf("a number is %d", least)
	}
	if left := w.end - w.at; size > left {
		return fmt.Errorf("a page of %d bytes, %d are left of the column", size, left)
	}
	if limit := pageLimit(size); decoded > limit {
		return fmt.Errorf("%d bytes make %d, more than %d", size, decoded, limit)
	}
	if levels := int64(v2.V.DefinitionLevelsByteLength) + int64(v2.V.RepetitionLevelsByteLength); levels > min(size, decoded) {
		return fmt.Errorf("levels of %d bytes in a page of %d", levels, min(size, decoded))
	}
	if v2.V.NumNulls > v2.V.NumValues {
		return fmt.Errorf("%d of %d values are null", v2.V.NumNulls, v2.V.NumValues)
	}
	if n := int64(dictionary.V.NumValues); n > maxPageValues || n*w.width > decoded {
		return fmt.Errorf("a dictionary of %d values in %d bytes", n, decoded)
	}
	return errors.Join(w.checkValues(v1.V.NumValues, v1.V.Encoding, decoded), w.checkValues(v2.V.NumValues, v2.V.Encoding, decoded))
}

// checkValues checks the number of values in a data page of size bytes.
func (w *pageWalk) checkValues(values int32, encoding parquetformat.Encoding, size int64) error {
	n := int64(values)
	if n > w.values {
		return fmt.Errorf("%d values in a page, the column has room for %d", n, w.values)
	}
	if encoding == parquetformat.PlainDictionary || //nolint:staticcheck // older files have it
		encoding == parquetformat.RLEDictionary {
		return nil // indexes into the dictionary, 4 bytes each
	}
	if limit := pageLimit(size); n > 0 && w.decoded > limit/n {
		return fmt.Errorf("%d values of %d bytes in a page of %d", n, w.decoded, size)
	}
	return nil
}

// pageLimit returns the number of bytes to which a page of n bytes may grow.
func pageLimit(n int64) int64 { return min(max(payload.MaxRatio*n, pageFree), maxPageBytes) }

// header decodes the header at the current position and moves behind it.
func (w *pageWalk) header() (*parquetformat.PageHeader, error) {
	b := w.buf[:] // larger headers are rare
	for size := int64(len(b)); ; size *= 4 {
		if size > int64(len(b)) {
			b = make([]byte, size)
		}
		b = b[:min(size, w.end-w.at)]
		if n, err := w.file.ReadAt(b, w.at); n < len(b) {
			return nil, err
		}
		h, r := new(parquetformat.PageHeader), headerReader{protocolReader: new(thrift.CompactProtocol).NewReaderFromBytes(b)}
		err := thrift.NewDecoder(&r).Decode(h)
		if err == nil {
			w.at += int64(r.BytesRead())
			return h, nil
		}
		if r.nested > maxNested {
			return nil, errNested // without the path to the nested value
		}
		if int64(len(b)) < size || size == maxPageHeader || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
	}
}

// headerReader limits the nesting of a header, because the library decodes nested values recursively.
type headerReader struct {
	protocolReader
	nested int
}

// protocolReader is an alias because headerReader has a method named Reader.
type protocolReader = thrift.Reader

var errNested = fmt.Errorf("more than %d structs and lists", maxNested)

func (r *headerReader) nest(err error) error {
	if r.nested++; err == nil && r.nested > maxNested {
		err = errNested
	}
	return err
}

// ReadField implements thrift.Reader, as do the following methods.
func (r *headerReader) ReadField() (thrift.Field, error) {
	f, err := r.protocolReader.ReadField()
	if f.Type == thrift.STRUCT {
		err = r.nest(err)
	}
	return f, err
}

// ReadList reads the head of a list.
func (r *headerReader) ReadList() (thrift.List, error) {
	l, err := r.protocolReader.ReadList()
	return l, r.nest(err)
}

// ReadSet reads the head of a set.
func (r *headerReader) ReadSet() (thrift.Set, error) {
	s, err := r.protocolReader.ReadSet()
	return s, r.nest(err)
}

// ReadMap reads the head of a map.
func (r *headerReader) ReadMap() (thrift.Map, error) {
	m, err := r.protocolReader.ReadMap()
	return m, r.nest(err)
}

// Discard skips bytes. The library looks for this method.
func (r *headerReader) Discard(n int) (int, error) {
	return r.protocolReader.(interface{ Discard(n int) (int, error) }).Discard(n)
}
