package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

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
