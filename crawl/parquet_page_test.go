package crawl_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// liar rewrites the header of one page in a good file. The rest of the file stays correct.
type liar struct {
	group, column, page int
	header              func(h *parquetformat.PageHeader)
	raw                 func(header []byte) []byte // replaces the header, or follows it
	body                func(b []byte) []byte      // replaces the content of the page
	meta                func(m *parquetformat.FileMetaData)
}

var compact thrift.CompactProtocol

// tell returns the file and the offset of the page in it.
func (l *liar) tell(t testing.TB, in []byte) ([]byte, int64) {
	t.Helper()
	tail := len(in) - 8
	foot := tail - int(binary.LittleEndian.Uint32(in[tail:]))
	var m parquetformat.FileMetaData
	if err := thrift.Unmarshal(&compact, in[foot:tail], &m); err != nil {
		t.Fatal(err)
	}
	chunk := &m.RowGroups[l.group].Columns[l.column].MetaData
	at := chunk.DataPageOffset
	if chunk.DictionaryPageOffset > 0 {
		at = chunk.DictionaryPageOffset
	}
	h, size := headerAt(t, in[at:foot])
	for range l.page {
		at += size + int64(h.CompressedPageSize)
		h, size = headerAt(t, in[at:foot])
	}
	body := in[at+size:][:h.CompressedPageSize]
	old := size + int64(len(body))
	if l.body != nil {
		body = l.body(bytes.Clone(body))
		h.CompressedPageSize, h.CRC = int32(len(body)), 0
	}
	if l.header != nil {
		l.header(h)
	}
	head, err := thrift.Marshal(&compact, *h)
	if err != nil {
		t.Fatal(err)
	}
	if l.raw != nil {
		head = l.raw(head)
	}
	page := slices.Concat(head, body)
	chunk.TotalCompressedSize += int64(len(page)) - old
	move(&m, at, int64(len(page))-old)
	if l.meta != nil {
		l.meta(&m)
	}
	footer, err := thrift.Marshal(&compact, m)
	if err != nil {
		t.Fatal(err)
	}
	out := append(bytes.Clone(in[:at]), page...)
	out = append(append(out, in[at+old:foot]...), footer...)
	return append(binary.LittleEndian.AppendUint32(out, uint32(len(footer))), "PAR1"...), at
}

// headerAt decodes a header and returns its length.
func headerAt(t testing.TB, b []byte) (*parquetformat.PageHeader, int64) {
	t.Helper()
	r := bytes.NewReader(b)
	h := new(parquetformat.PageHeader)
	if err := thrift.NewDecoder(compact.NewReader(r)).Decode(h); err != nil {
		t.Fatal(err)
	}
	return h, int64(len(b) - r.Len())
}

// move shifts the offsets in a footer that are after a byte.
func move(m *parquetformat.FileMetaData, at, by int64) {
	for _, g := range m.RowGroups {
		for i := range g.Columns {
			c := &g.Columns[i]
			for _, p := range []*int64{&c.MetaData.DataPageOffset, &c.MetaData.DictionaryPageOffset, &c.FileOffset, &c.ColumnIndexOffset, &c.OffsetIndexOffset} {
				if *p > at {
					*p += by
				}
			}
		}
	}
}

// linkFile returns a file of three row groups of two rows.
func linkFile(t testing.TB, options ...parquet.WriterOption) []byte {
	rows := make([]linkTable, 6)
	for i := range rows {
		rows[i] = linkTable{"https://a.example/", fmt.Sprintf("https://b.example/%d", i), "apple", "the"}
	}
	return ParquetOf(t, rows, options...)
}

func tagFile(t testing.TB) []byte {
	rows := make([]paragraphs, 6)
	for i := range rows {
		rows[i] = paragraphs{fmt.Sprintf("https://b.example/%d", i), []string{"apple"}}
	}
	return ParquetOf(t, rows)
}

// tooMuch is more memory than reading such a file may take, and much less than the smallest of the false sizes would.
const tooMuch = 32 << 20

// put returns a function that inserts a field, unknown to all readers, at the start of a header.
func put(field ...byte) func([]byte) []byte {
	return func(head []byte) []byte {
		out := append(append([]byte{}, head[:len(head)-1]...), field...)
		return append(out, 0)
	}
}

func TestParquetLyingHeaders(t *testing.T) {
	const most = math.MaxInt32
	v1, v2, zst := parquet.DataPageVersion(1), parquet.DataPageVersion(2), parquet.Compression(&parquet.Zstd)
	target, tags := 1, 1
	for _, c := range []struct {
		name string
		in   []byte
		lie  liar
		want string // part of the detail; "" if nothing is false
	}{
		{"true, V1", linkFile(t, v1), liar{column: target}, ""},
		{"true, V2", linkFile(t, v2), liar{column: target}, ""},
		{"true, a list", tagFile(t), liar{column: tags}, ""},
		{"true, fields that nobody knows", linkFile(t, v1), liar{column: target, raw: put(
			0xac, 0x11, 0x18, 2, 'h', 'i', 0, // a struct with a boolean and a string
			0x19, 0x21, 1, 2, // a list of booleans
			0x1b, 1, 0x87, 1, 'k', 0, 0, 0, 0, 0, 0, 0, 0, // a map from a string to a number
			0x13, 9, 0x16, 9, 0x17, 0, 0, 0, 0, 0, 0, 0, 0)}, ""},
		{"true, a header of 100,000 bytes", linkFile(t, v1), liar{column: target, raw: put(
			append(binary.AppendUvarint([]byte{0x88}, 100_000), make([]byte, 100_000)...)...)}, ""},
		{"compressed size of 2 GiB", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.CompressedPageSize = most }}, "a page of 2147483647 bytes"},
		{"compressed size of one more", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.CompressedPageSize++ }}, "are left of the column"},
		{"compressed size below 0", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.CompressedPageSize = -1 }}, "a number is -1"},
		{"uncompressed size of 2 GiB", linkFile(t, v1, zst), liar{column: target, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize = most }}, "make 2147483647"},
		{"uncompressed size of 64 MiB and one", linkFile(t, v2, zst), liar{column: target, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize = 64<<20 + 1 }}, "make 67108865"},
		{"uncompressed size below 0", linkFile(t, v2, zst), liar{column: target, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize = math.MinInt32 }}, "a number is -2147483648"},
		{"values, V1", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.DataPageHeader.V.NumValues = most }}, "2147483647 values in a page, the column has room for 2"},
		{"one value more, V1", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.DataPageHeader.V.NumValues++ }}, "3 values in a page"},
		{"values below 0, V1", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.DataPageHeader.V.NumValues = -1 }}, "a number is -1"},
		{"values, V2", linkFile(t, v2), liar{column: target, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.NumValues = most }}, "2147483647 values in a page"},
		{"values of a list", tagFile(t), liar{column: tags, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.NumValues = most }}, "2147483647 values in a page"},
		{"values of a list, and of the footer", tagFile(t), liar{
			column: tags, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.NumValues = most },
			meta: func(m *parquetformat.FileMetaData) { m.RowGroups[1].Columns[tags].MetaData.NumValues = 1 << 40 },
		}, "the column has room for 16777216"},
		{"nulls", linkFile(t, v2), liar{column: 2, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.NumNulls = most }}, "2147483647 of 2 values are null"},
		{"definition levels", linkFile(t, v2), liar{column: 2, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.DefinitionLevelsByteLength = most }}, "levels of 2147483647 bytes"},
		{"repetition levels", tagFile(t), liar{column: tags, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.RepetitionLevelsByteLength = most }}, "levels of 21474836"},
		{"both levels", tagFile(t), liar{column: tags, header: func(h *parquetformat.PageHeader) {
			h.DataPageHeaderV2.V.DefinitionLevelsByteLength, h.DataPageHeaderV2.V.RepetitionLevelsByteLength = most, most
		}}, "levels of 4294967294 bytes"},
		{"values of a dictionary", dictFile(t), liar{header: func(h *parquetformat.PageHeader) { h.DictionaryPageHeader.V.NumValues = most }}, "a dictionary of 2147483647 values"},
		{"values of a dictionary, as many as may be", dictFile(t), liar{header: func(h *parquetformat.PageHeader) { h.DictionaryPageHeader.V.NumValues = 1 << 24 }}, "a dictionary of 16777216 values"},
		{"values behind a dictionary", dictFile(t), liar{page: 1, header: func(h *parquetformat.PageHeader) { h.DataPageHeader.V.NumValues = most }}, "2147483647 values in a page"},
		{"a dictionary in a page of data", dictFile(t), liar{page: 1, header: func(h *parquetformat.PageHeader) {
			h.DictionaryPageHeader = thrift.Null[parquetformat.DictionaryPageHeader]{Valid: true, V: parquetformat.DictionaryPageHeader{NumValues: most}}
		}}, "without its header, or with that of another"},
		{"a page of another type", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.Type = parquetformat.DataPageV2 }}, "a page of type 3 without its header"},
		{"a page of no type", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.Type = 9 }}, "a page of type 9 without its header"},
		{"a field as long as 2 GiB", linkFile(t, v1), liar{column: target, raw: put(0x88, 0xff, 0xff, 0xff, 0xff, 0x07)}, "unexpected EOF"},
		{"a list of 2 GiB", linkFile(t, v1), liar{column: target, raw: put(0x89, 0xf8, 0xff, 0xff, 0xff, 0xff, 0x07)}, "page header: "},
		{"structs 100 deep", linkFile(t, v1), liar{column: target, raw: put(append([]byte{0x8c}, bytes.Repeat([]byte{0x1c}, 100)...)...)}, "more than 32 structs and lists"},
		{"lists 100 deep", linkFile(t, v1), liar{column: target, raw: put(append([]byte{0x89}, bytes.Repeat([]byte{0x19}, 100)...)...)}, "more than 32 structs and lists"},
		{"true, with zeros behind the texts", plainFile(t), liar{column: target, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize += 8 }, body: func(b []byte) []byte { return append(b, make([]byte, 8)...) }}, ""},
		{"fewer texts", plainFile(t), liar{column: target, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize -= 23 }, body: func(b []byte) []byte { return b[:len(b)-23] }}, "a page of 2 values holds 1"},
		{"fewer texts, V2", linkFile(t, v2), liar{column: 2, header: func(h *parquetformat.PageHeader) { h.DataPageHeaderV2.V.NumNulls = 1 }}, "0 of 2 values are null, by the page header 1"},
		{"a run of a billion levels", linkFile(t, v1), liar{column: 2, header: func(h *parquetformat.PageHeader) { h.UncompressedPageSize += 8 }, body: func(b []byte) []byte {
			return slices.Concat([]byte{8, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x0f, 1, 0, 0}, b[4:])
		}}, "a run of 2147483647 levels where 2 are left"},
		{"a wrong checksum", linkFile(t, v1), liar{column: target, header: func(h *parquetformat.PageHeader) { h.CRC = 7 }}, "a wrong checksum"},
		{"a number that does not end", linkFile(t, v1), liar{column: target, raw: put(append([]byte{0x86}, bytes.Repeat([]byte{0xff}, 11)...)...)}, "overflow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.lie.group = 1
			in, at := c.lie.tell(t, c.in)
			checkLie(t, in, at, c.want)
		})
	}
}

// checkLie reads a file in which the page of the second row group at a byte is wrong for the given reason, or in which
// nothing is wrong.
func checkLie(t *testing.T, in []byte, at int64, want string) {
	t.Helper()
	path := ParquetFile(t, in)
	var pages []record.Page
	var l *crawl.Ledger
	var err error
	took := Allocated(func() { pages, l, err = Read(t, path, record.Options{}) })
	if err != nil || took > tooMuch {
		t.Fatalf("%d bytes took %d MiB, %v", len(in), took>>20, err)
	}
	if want == "" {
		if len(pages) != 6 || l.Total() != 0 {
			t.Errorf("%d pages, %+v", len(pages), l.Tallies())
		}
		return
	}
	if len(pages) != 4 || l.Count(record.ReasonBadParquet) != 1 || l.Total() != 1 {
		t.Fatalf("%d pages, %+v", len(pages), l.Tallies())
	}
	if x := l.Tallies()[0].Examples[0]; x.Pos.Offset != at || x.Pos.Record != 3 || !strings.Contains(x.Detail, want) || !strings.Contains(x.Detail, "the last 2 rows") {
		t.Errorf("the page is at %d: %+v", at, x)
	}
}

// TestParquetPackedLies has pages whose headers are correct, but whose compressed data is not.
func TestParquetPackedLies(t *testing.T) {
	zeros := make([]byte, 1<<20)
	var gz, br bytes.Buffer
	g, _ := gzip.NewWriterLevel(&gz, gzip.BestSpeed)
	b := brotli.NewWriterLevel(&br, 1)
	for range 512 {
		_, _ = g.Write(zeros)
		_, _ = b.Write(zeros)
	}
	if err := errors.Join(g.Close(), b.Close()); err != nil {
		t.Fatal(err)
	}
	repeat := []byte{2, 0, 0x10, 'x'} // a zstd block: 128 KiB of one byte
	frame := func(head ...byte) []byte { return append([]byte{0x28, 0xb5, 0x2f, 0xfd}, head...) }
	last := []byte{1, 0, 0}
	for _, c := range []struct {
		name  string
		codec compress.Codec
		body  []byte // nil keeps the original
		want  string
	}{
		{"snappy, true", &parquet.Snappy, nil, ""},
		{"zstd, true", &parquet.Zstd, nil, ""},
		{"gzip, true", &parquet.Gzip, nil, ""},
		{"brotli, true", &parquet.Brotli, nil, ""},
		{"lz4, true", &parquet.Lz4Raw, nil, ""},
		{"lz4 of nothing", &parquet.Lz4Raw, []byte{0xf0, 0xff, 0xff}, "LZ4_RAW: lz4: invalid source"},
		{"snappy of 4 GiB", &parquet.Snappy, []byte{0xff, 0xff, 0xff, 0xff, 0x0f, 0}, "SNAPPY: 6 bytes make 4294967295 or more"},
		{"zstd of 32 GiB", &parquet.Zstd, slices.Concat(frame(0xe0, 0, 0, 0, 0, 8, 0, 0, 0), last), "ZSTD: "},
		{"zstd of 4 GiB, damaged", &parquet.Zstd, frame(0xa0, 0xff, 0xff, 0xff, 0xff, 7), "ZSTD: "},
		{"zstd of 1 GiB without a length", &parquet.Zstd, slices.Concat(frame(0, 0x50), bytes.Repeat(repeat, 8<<10), last), "ZSTD: "},
		{"zstd of many frames", &parquet.Zstd, bytes.Repeat(slices.Concat(frame(0, 0x50), bytes.Repeat(repeat, 100), last), 100), "ZSTD: "},
		{"gzip of 512 MiB", &parquet.Gzip, gz.Bytes(), " or more, by the page header"},
		{"brotli of 512 MiB", &parquet.Brotli, br.Bytes(), " or more, by the page header"},
	} {
		t.Run(c.name, func(t *testing.T) {
			lie := liar{group: 1, column: 1}
			if c.body != nil {
				lie.body = func([]byte) []byte { return c.body }
			}
			in, at := lie.tell(t, linkFile(t, parquet.Compression(c.codec)))
			checkLie(t, in, at, c.want)
		})
	}
}

// TestParquetFooters has footers that would take all memory.
func TestParquetFooters(t *testing.T) {
	for name, footer := range map[string][]byte{
		"lists in lists":      append([]byte{0xf9}, bytes.Repeat([]byte{0x19}, 6<<20)...),
		"structs in structs":  bytes.Repeat([]byte{0x1c}, 6<<20),
		"four million groups": slices.Concat([]byte{0x49, 0xfc, 0x80, 0x80, 0x80, 0x02}, make([]byte, 4<<20+1)),
	} {
		in := slices.Concat([]byte("PAR1"), footer, binary.LittleEndian.AppendUint32(nil, uint32(len(footer))), []byte("PAR1"))
		path := ParquetFile(t, in)
		var err error
		src, wrong := crawl.Open(path, record.Options{Memory: 64 << 20})
		if wrong != nil {
			t.Fatal(wrong)
		}
		took := Allocated(func() {
			for _, err = range src.Records(t.Context()) {
			}
		})
		src.Close()
		if little := (*record.MemoryError)(nil); (name == "four million groups") != errors.As(err, &little) || err == nil || took > tooMuch {
			t.Errorf("%s: %v, %d MiB", name, err, took>>20)
		}
	}
}

// plainFile returns a file of texts with their lengths before them.
func plainFile(t testing.TB) []byte {
	type row struct {
		Source string `parquet:"source,plain"`
		Target string `parquet:"target,plain"`
	}
	rows := make([]row, 6)
	for i := range rows {
		rows[i] = row{"https://a.example/", fmt.Sprintf("https://b.example/%d", i)}
	}
	return ParquetOf(t, rows, parquet.DataPageVersion(1))
}

// dictFile returns a file with a column that begins with a dictionary.
func dictFile(t testing.TB) []byte {
	type row struct {
		Source string `parquet:"source,dict"`
		Target string `parquet:"target"`
	}
	rows := make([]row, 6)
	for i := range rows {
		rows[i] = row{"https://a.example/", fmt.Sprintf("https://b.example/%d", i)}
	}
	return ParquetOf(t, rows, parquet.DataPageVersion(1))
}
