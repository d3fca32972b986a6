package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"
	parquetformat "github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// block returns a block of LZ4.
func block(t *testing.T, text string) []byte {
	t.Helper()
	out := make([]byte, lz4.CompressBlockBound(len(text)))
	n, err := lz4.CompressBlock([]byte(text), out, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out[:n]
}

// TestStructLen checks the length of the footer of a file, and that of every part of it.
func TestStructLen(t *testing.T) {
	var in bytes.Buffer
	w := parquet.NewGenericWriter[struct {
		URL  string             `parquet:"url,optional"`
		List []string           `parquet:"list,list"`
		Map  map[string]float64 `parquet:"map"`
	}](&in, parquet.KeyValueMetadata("key", "value"))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b := in.Bytes()[:in.Len()-8]
	b = b[len(b)-int(binary.LittleEndian.Uint32(in.Bytes()[len(b):])):]
	for n := range len(b) + 1 {
		if length, _, err := structLen(b[:n]); (err == nil) != (n == len(b)) || n < len(b) && !errors.Is(err, io.ErrUnexpectedEOF) || err == nil && length != n {
			t.Errorf("%d of %d bytes: %d, %v", n, len(b), length, err)
		}
	}
}

// TestUnpackLZ4 reads what programs write under the two names of LZ4.
func TestUnpackLZ4(t *testing.T) {
	one, two := string(bytes.Repeat([]byte("apples and "), 100)), string(bytes.Repeat([]byte("pears or "), 100))
	sized := func(n int, b []byte) []byte { return append(binary.BigEndian.AppendUint32(nil, uint32(n)), b...) }
	framed := func(text string) []byte { return sized(len(block(t, text)), block(t, text)) }
	for _, c := range []struct {
		name  string
		codec parquetformat.CompressionCodec
		src   []byte
		want  string // "": an error
	}{
		{"raw", parquetformat.Lz4Raw, block(t, one), one},
		{"raw under the old name", parquetformat.Lz4, block(t, one), one},
		{"Hadoop", parquetformat.Lz4, sized(len(one), framed(one)), one},
		{"Hadoop, blocks of their own", parquetformat.Lz4, slices.Concat(sized(len(one), framed(one)), sized(len(two), framed(two))), one + two},
		{"Hadoop, blocks in one", parquetformat.Lz4, sized(len(one+two), slices.Concat(framed(one), framed(two))), one + two},
		{"cut off", parquetformat.Lz4, sized(len(one), framed(one))[:40], ""},
		{"a block that is too long", parquetformat.Lz4, sized(len(one), sized(1<<31, block(t, one))), ""},
		{"nothing", parquetformat.Lz4, nil, ""},
	} {
		dst := make([]byte, max(len(c.want), 9))
		if err := new(unpacker).unpack(dst, c.src, c.codec); (err == nil) != (c.want != "") || err == nil && string(dst) != c.want {
			t.Errorf("%s: %v, %.40q", c.name, err, dst)
		}
	}
}
