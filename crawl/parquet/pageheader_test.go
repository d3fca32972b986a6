package parquet

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	parquetformat "github.com/parquet-go/parquet-go/format"
)

// FuzzPageHeader checks that the library decodes every accepted header to the same values and the same length as this
// package.
func FuzzPageHeader(f *testing.F) {
	type row struct {
		Source string   `parquet:"source,dict"`
		Target string   `parquet:"target,zstd"`
		Tags   []string `parquet:"tags,list"`
	}
	rows := []row{{"https://a.example/", "https://b.example/1", []string{"a", "b"}}, {"https://a.example/", "https://b.example/2", nil}}
	for _, in := range [][]byte{written(f, rows, parquet.DataPageVersion(1)), written(f, rows, parquet.DataPageStatistics(true)), written(f, rows)} {
		f.Add(in[4:80])
	}
	f.Add([]byte{0x15, 0, 0x15, 2, 0x15, 2, 0x3c, 0x11, 0x18, 2, 'h', 'i', 0, 0x19, 0x21, 1, 2, 0x1b, 1, 0x87, 1, 'k', 0, 0, 0, 0, 0, 0, 0, 0, 0x13, 9, 0})
	f.Fuzz(func(t *testing.T, in []byte) {
		w := &pageWalk{thriftReader: thriftReader{file: bytes.NewReader(in), end: int64(len(in))}}
		var h pageHeader
		if w.header(&h) != nil {
			return
		}
		r := bytes.NewReader(in)
		var want parquetformat.PageHeader
		if err := thrift.NewDecoder(new(thrift.CompactProtocol).NewReader(r)).Decode(&want); err != nil {
			return // a required field
		}
		v1, dict, v2 := &want.DataPageHeader.V, &want.DictionaryPageHeader.V, &want.DataPageHeaderV2.V
		for _, n := range []struct {
			in, id int
			want   int32
		}{
			{0, pageType, int32(want.Type)},
			{0, pageUncompressed, want.UncompressedPageSize},
			{0, pageCompressed, want.CompressedPageSize},
			{headerV1, pageValues, v1.NumValues},
			{headerV1, pageEncoding, int32(v1.Encoding)},
			{headerDictionary, pageValues, dict.NumValues},
			{headerV2, pageValues, v2.NumValues},
			{headerV2, v2Nulls, v2.NumNulls},
			{headerV2, v2Encoding, int32(v2.Encoding)},
			{headerV2, v2Defs, v2.DefinitionLevelsByteLength},
			{headerV2, v2Reps, v2.RepetitionLevelsByteLength},
		} {
			if got := h[n.in][n.id]; got != n.want {
				t.Errorf("field %d.%d is %d, to the library %d", n.in, n.id, got, n.want)
			}
		}
		if end := int64(len(in) - r.Len()); w.at != end {
			t.Errorf("%d bytes, to the library %d", w.at, end)
		}
	})
}

// written writes rows to a Parquet file.
func written[T any](f *testing.F, rows []T, options ...parquet.WriterOption) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	if _, err := w.Write(rows); err != nil || w.Close() != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}
