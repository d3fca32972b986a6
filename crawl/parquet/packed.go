package parquet

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl/internal/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// Compressed data states its own length again, and the library trusts that length too. Snappy data and zstd frames
// state it at the start; the blocks of other zstd frames bound their length. unpack decompresses gzip and brotli
// streams once more than necessary if they may hold much more than the page header says.

const (
	maxZstdBlock = 128 << 10
	gzipUnread   = 256 << 10 // bytes of gzip that are not decompressed in advance: they expand to at most 264 MiB
)

// unpack checks that the compressed part of the current page expands to no more than its header says. It leaves data
// that it cannot parse to the library, which has the better error messages.
func (w *pageWalk) unpack(h *parquetformat.PageHeader) error {
	v2 := &h.DataPageHeaderV2.V
	levels := int64(v2.DefinitionLevelsByteLength) + int64(v2.RepetitionLevelsByteLength) // only version 2 has them here, and they are never compressed
	size, room := int64(h.CompressedPageSize)-levels, int64(h.UncompressedPageSize)-levels
	if size == 0 || v2.IsCompressed.Valid && !v2.IsCompressed.V {
		return nil
	}
	in := io.NewSectionReader(w.file, w.at+levels, size)
	var n int64
	switch w.codec {
	case parquetformat.Snappy:
		var b [binary.MaxVarintLen64]byte
		read, _ := in.ReadAt(b[:], 0)
		u, _ := binary.Uvarint(b[:read])
		n = int64(min(u, math.MaxInt64))
	case parquetformat.Zstd:
		return checkZstd(in, room, pageLimit(size))
	case parquetformat.Gzip:
		if size <= gzipUnread {
			return nil
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil //nolint:nilerr // the library reports it
		}
		n, _ = io.CopyN(io.Discard, z, room+1)
	case parquetformat.Brotli:
		n, _ = io.CopyN(io.Discard, brotli.NewReader(in), room+1)
	}
	if n > room {
		return fmt.Errorf("%d bytes of %s make %d and more, by the page header %d", size, w.codec, n, room)
	}
	return nil
}

// checkZstd checks zstd frames. No frame may claim to hold more than room bytes. The sum of the claimed lengths, or of
// the most that the blocks of a frame without a claim can hold, may not exceed limit. The library allocates no memory
// for what follows damage.
func checkZstd(in *io.SectionReader, room, limit int64) error {
	total := int64(0)
	for at := int64(0); at < in.Size(); {
		var b [stream.ZstdHeader]byte
		var h zstd.Header
		n, _ := in.ReadAt(b[:], at)
		if h.Decode(b[:n]) != nil {
			return nil
		}
		if at += int64(h.HeaderSize); h.Skippable {
			at += int64(h.SkippableSize)
			continue
		}
		if h.FrameContentSize > uint64(room) {
			return fmt.Errorf("a frame of zstd of %d bytes, by the page header %d", h.FrameContentSize, room)
		}
		most, end := zstdBlocks(in, at)
		if h.HasFCS {
			most = int64(h.FrameContentSize)
		}
		if total += most; total > limit {
			return fmt.Errorf("frames of zstd that may hold %d bytes, by the page header %d", total, room)
		}
		if at = end; h.HasCheckSum {
			at += 4
		}
	}
	return nil
}

// zstdBlocks returns the most bytes that the blocks of a frame can hold (RFC 8878, 3.1.1.2), and where the blocks end.
func zstdBlocks(in *io.SectionReader, at int64) (most, end int64) {
	var b [3]byte
	for last := false; !last; {
		if _, err := in.ReadAt(b[:], at); err != nil {
			return most, in.Size()
		}
		h := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
		size, holds := h>>3, h>>3
		switch last = h&1 != 0; h >> 1 & 3 {
		case 1: // one byte, repeated
			size = 1
		case 2: // compressed
			holds = maxZstdBlock
		}
		at, most = at+int64(len(b))+size, most+holds
	}
	return most, at
}
