package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
)

// The library that decodes Parquet allocates as much memory as the header of a page asks for, up to 2 GiB for each
// number in it, and returns wrong bytes for LZ4. A pageWalk therefore decodes the header of each page first, stops the
// column at an impossible number, and gives the library the page without compression.

// Bounds of a page.
const (
	pageFree      = 64 << 20 // accepted at any ratio; pages are about 1 MiB, or more if single values are long
	maxPageBytes  = 1 << 30  // decoded size
	maxPageHeader = 16 << 20 // a header may contain the minimum and the maximum value
	maxPageValues = maxList
)

// pageWalk reads the pages of one column chunk.
type pageWalk struct {
	s       *parquetSource
	leaf    *leaf
	codec   parquetformat.CompressionCodec
	at, end int64        // offset of the next byte, and the end of the chunk
	page    int64        // offset of the current header in the file, or of the chunk
	values  int64        // the greatest number of values that a page can hold
	width   int64        // the least number of bytes that a value of a dictionary takes
	decoded int64        // bytes of memory that a value takes, in addition to the page that holds it
	words   int64        // bytes of memory that the dictionary takes
	held    int64        // bytes of memory that the dictionary and the current page take
	hold    func() error // counts held
	buf     [1 << 10]byte
	unpacker

	head      []byte // what the library has not read of the current page: its header, and its content
	body      []byte
	raw, bare []byte // memory of a page, as it is in the file and without compression
	err       error
}

// walkOf returns a walk before the first page. It uses the same chunk boundaries as the library.
func walkOf(s *parquetSource, chunk *parquetformat.ColumnMetaData, rows int64, l *leaf) (*pageWalk, error) {
	begin := chunk.DataPageOffset
	if chunk.DictionaryPageOffset != 0 {
		begin = chunk.DictionaryPageOffset
	}
	w := &pageWalk{s: s, leaf: l, codec: chunk.Codec, page: max(begin, 0), values: min(rows, maxPageValues)}
	if begin < 0 || begin > s.size || chunk.TotalCompressedSize < 0 {
		return w, fmt.Errorf("%d bytes at byte %d of a file of %d", chunk.TotalCompressedSize, begin, s.size)
	}
	w.at, w.end = begin, begin+min(chunk.TotalCompressedSize, s.size-begin)
	if l.List {
		w.values = min(chunk.NumValues, maxPageValues)
	}
	switch t := l.column.Type(); t.Kind() {
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

// ReadAt implements io.ReaderAt for the library, which reads the pages from the first to the last.
func (w *pageWalk) ReadAt(p []byte, _ int64) (n int, err error) {
	if len(w.head)+len(w.body) == 0 && w.err == nil {
		w.err = w.next()
	}
	switch {
	case w.err != nil:
		return 0, w.err
	case len(w.head) > 0:
		n = copy(p, w.head)
		w.head = w.head[n:]
	default:
		n = copy(p, w.body)
		w.body = w.body[n:]
	}
	return n, nil
}

// next reads the next page. The error is io.EOF at the end of the chunk.
func (w *pageWalk) next() error {
	w.page = w.at
	if w.at >= w.end {
		return io.EOF
	}
	h, err := w.header()
	if err == nil {
		err = w.check(h)
	}
	if err != nil {
		return fmt.Errorf("page header: %w", stream.NoEOF(err))
	}
	w.held = w.words + int64(h.CompressedPageSize) + 2*int64(h.UncompressedPageSize)
	if h.Type == parquetformat.DictionaryPage {
		w.words = 2 * int64(h.UncompressedPageSize)
	}
	if err := w.hold(); err != nil {
		return err
	}
	if w.body, err = w.content(h); err != nil {
		return err
	}
	if h.Type != parquetformat.DictionaryPage {
		if w.body, err = w.leaf.fitting(h, w.body); err != nil {
			return err
		}
	}
	h.CompressedPageSize, h.UncompressedPageSize, h.CRC = int32(len(w.body)), int32(len(w.body)), 0
	w.head, err = thrift.Marshal(&thrift.CompactProtocol{}, *h)
	return err
}

// content reads the content of the page after its header, without compression.
func (w *pageWalk) content(h *parquetformat.PageHeader) ([]byte, error) {
	w.raw = slices.Grow(w.raw[:0], int(h.CompressedPageSize))[:h.CompressedPageSize]
	if _, err := w.s.file.ReadAt(w.raw, w.at); err != nil {
		return nil, stream.NoEOF(err)
	}
	w.at += int64(len(w.raw))
	if h.CRC != 0 && crc32.ChecksumIEEE(w.raw) != uint32(h.CRC) {
		return nil, errors.New("a page with a wrong checksum")
	}
	v2, codec := &h.DataPageHeaderV2.V, w.codec
	if v2.IsCompressed.Valid && !v2.IsCompressed.V {
		codec = parquetformat.Uncompressed
	}
	if codec == parquetformat.Uncompressed && len(w.raw) == int(h.UncompressedPageSize) {
		return w.raw, nil
	}
	w.bare = slices.Grow(w.bare[:0], int(h.UncompressedPageSize))[:h.UncompressedPageSize]
	levels := copy(w.bare, w.raw[:v2.DefinitionLevelsByteLength+v2.RepetitionLevelsByteLength]) // which version 2 does not compress
	if len(w.raw) == levels && len(w.bare) == levels {
		return w.bare, nil
	}
	return w.bare, w.unpack(w.bare[levels:], w.raw[levels:], codec)
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
		if n, err := w.s.file.ReadAt(b, w.at); n < len(b) {
			return nil, err
		}
		n, _, err := structLen(b)
		if err == nil {
			h := new(parquetformat.PageHeader)
			w.at += int64(n)
			return h, thrift.Unmarshal(&thrift.CompactProtocol{}, b[:n], h)
		}
		if int64(len(b)) < size || size == maxPageHeader || !errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, err
		}
	}
}

// fitting returns a data page without what follows its last byte array, or an error if the page does not hold the levels
// and the byte arrays that its header says. The library would decode a run of any length, and print a warning.
func (l *leaf) fitting(h *parquetformat.PageHeader, page []byte) ([]byte, error) {
	all := page
	v1, v2 := &h.DataPageHeader.V, &h.DataPageHeaderV2.V
	n, encoding, sizes := int(v1.NumValues), v1.Encoding, []int32(nil)
	if h.Type == parquetformat.DataPageV2 {
		n, encoding, sizes = int(v2.NumValues), v2.Encoding, []int32{v2.RepetitionLevelsByteLength, v2.DefinitionLevelsByteLength}
	}
	values := n
	for i, most := range [...]int{l.column.MaxRepetitionLevel(), l.column.MaxDefinitionLevel()} {
		size := uint32(0)
		switch {
		case sizes != nil:
			size = uint32(sizes[i])
		case most > 0 && len(page) < 4:
			return nil, io.ErrUnexpectedEOF
		case most > 0:
			size, page = binary.LittleEndian.Uint32(page), page[4:]
		}
		if uint64(size) > uint64(len(page)) {
			return nil, io.ErrUnexpectedEOF
		}
		if most > 0 {
			var err error
			if values, err = countLevels(page[:size], most, n); err != nil {
				return nil, err
			}
		}
		page = page[size:]
	}
	if sizes != nil && values != n-int(v2.NumNulls) {
		return nil, fmt.Errorf("%d of %d values are null, by the page header %d", n-values, n, v2.NumNulls)
	}
	if l.column.Type().Kind() != parquet.ByteArray {
		return all, nil
	}
	have, size := arrays(page, encoding, values)
	if have != values {
		return nil, fmt.Errorf("a page of %d values holds %d", values, have)
	}
	return all[:len(all)-len(page)+size], nil
}

// countLevels returns how many of the first n levels in runs (RLE, or bit-packed) are the greatest.
func countLevels(b []byte, most, n int) (greatest int, err error) {
	width := bits.Len(uint(most))
	for n > 0 {
		head, size := binary.Uvarint(b)
		if size <= 0 {
			return 0, io.ErrUnexpectedEOF
		}
		b = b[size:]
		if head&1 == 0 {
			if len(b) == 0 || head>>1 > uint64(n) {
				return 0, fmt.Errorf("a run of %d levels where %d are left", head>>1, n)
			}
			if int(b[0]) == most {
				greatest += int(head >> 1)
			}
			b, n = b[1:], n-int(head>>1)
			continue
		}
		groups := min(head>>1, uint64(len(b)/width)) // of eight levels
		if groups == 0 || groups < head>>1 && int(groups)*8 < n {
			return 0, io.ErrUnexpectedEOF
		}
		for i := 0; i < min(int(groups)*8, n); i++ {
			level := 0
			for j := range width {
				at := i*width + j
				level |= int(b[at/8]>>(at%8)&1) << j
			}
			if level == most {
				greatest++
			}
		}
		b, n = b[int(groups)*width:], n-int(groups)*8
	}
	return greatest, nil
}

// arrays returns the number of byte arrays in a page, as far as it is known without decoding them, and the length of the
// first n of them.
func arrays(b []byte, encoding parquetformat.Encoding, n int) (have, length int) {
	switch encoding {
	case parquetformat.Plain:
		for ; have < n && len(b)-length >= 4; have++ {
			size := binary.LittleEndian.Uint32(b[length:])
			if uint64(size) > uint64(len(b)-length-4) {
				break
			}
			length += 4 + int(size)
		}
		return have, length
	case parquetformat.DeltaLengthByteArray, parquetformat.DeltaByteArray:
		at, head := 0, [3]uint64{} // the size of a block, the number of its parts, the number of values
		for i := range head {
			var size int
			head[i], size = binary.Uvarint(b[at:])
			at += max(size, 0)
		}
		return int(min(head[2], maxPageValues+1)), len(b)
	}
	return n, len(b)
}
