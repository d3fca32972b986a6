package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/lshclust/lshclust/crawl/internal/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// unpacker decompresses pages into memory of the size that their headers say.
type unpacker struct {
	gzip   gzip.Reader
	brotli brotli.Reader
	zstd   *zstd.Decoder
}

// unpack decompresses src, which must fill dst and hold no more.
func (u *unpacker) unpack(dst, src []byte, codec parquetformat.CompressionCodec) (err error) {
	n := 0
	switch codec {
	case parquetformat.Uncompressed:
		if n = len(src); n == len(dst) {
			copy(dst, src)
		}
	case parquetformat.Snappy:
		if n, err = s2.DecodedLen(src); err == nil && n == len(dst) {
			_, err = s2.Decode(dst, src)
		}
	case parquetformat.Gzip:
		if err = u.gzip.Reset(bytes.NewReader(src)); err == nil {
			n, err = fill(dst, &u.gzip)
		}
	case parquetformat.Brotli:
		if err = u.brotli.Reset(bytes.NewReader(src)); err == nil {
			n, err = fill(dst, &u.brotli)
		}
	case parquetformat.Zstd:
		if u.zstd == nil {
			u.zstd, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		}
		var out []byte
		out, err = u.zstd.DecodeAll(src, dst[:0:len(dst)])
		n = len(out)
	case parquetformat.Lz4, parquetformat.Lz4Raw:
		n = len(dst)
		if codec == parquetformat.Lz4Raw || !unpackHadoop(dst, src) { // early programs wrote LZ4_RAW under the old name
			n, err = lz4.UncompressBlock(src, dst)
		}
	default:
		err = errors.New("a codec that is not read: write the file again with zstd")
	}
	if err == nil && n != len(dst) {
		err = fmt.Errorf("%d bytes make %d or more, by the page header %d", len(src), n, len(dst))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", codec, stream.NoEOF(err))
	}
	return nil
}

// fill reads all of r into dst. It returns the number of bytes that there are, or one more than there is room for.
func fill(dst []byte, r io.Reader) (int, error) {
	n, err := io.ReadFull(r, dst)
	if err != nil {
		return n, err
	}
	more, err := io.CopyN(io.Discard, r, 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return n + int(more), err
}

// unpackHadoop decompresses LZ4 as Hadoop writes it: a length, and for it blocks that begin with their compressed length.
// It reports whether they fill dst.
func unpackHadoop(dst, src []byte) bool {
	next := func() (n int) {
		if len(src) < 4 {
			return -1
		}
		n, src = int(binary.BigEndian.Uint32(src)), src[4:]
		return n
	}
	for len(dst) > 0 {
		total := next()
		if total <= 0 || total > len(dst) {
			return false
		}
		for total > 0 {
			size := next()
			if size <= 0 || size > len(src) {
				return false
			}
			n, err := lz4.UncompressBlock(src[:size], dst[:total])
			if err != nil || n == 0 {
				return false
			}
			dst, src, total = dst[n:], src[size:], total-n
		}
	}
	return len(bytes.TrimRight(src, "\x00")) == 0
}
