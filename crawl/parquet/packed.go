package parquet

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// Compressed data states its own length again, and the library trusts that length too. Snappy data and zstd frames
// state it at the start; the length of other zstd frames is bounded by their blocks. Gzip and brotli streams are
// decompressed once more than necessary if they may hold much more than the page header says.

const (
	maxZstdBlock = 128 << 10
	gzipUnread   = 256 << 10 // bytes of gzip that are not decompressed in advance: they expand to at most 264 MiB
)

// unpack checks that the compressed part of the current page expands to no more than its header says. Data that it
// cannot parse is left to the library, which has the better error messages.
func (w *pageWalk) unpack(h *pageHeader) error {
	v2 := &h[headerV2]
	levels := int64(v2[v2Defs]) + int64(v2[v2Reps]) // only version 2 has them here, and they are never compressed
	size, room := int64(h[0][pageCompressed])-levels, int64(h[0][pageUncompressed])-levels
	if size == 0 || v2[v2Packed] == thriftFalse {
		return nil
	}
	r := w.thriftReader // a copy, so that the position of w does not change
	r.at += levels
	r.limit = r.at + size
	var n int64
	switch w.codec {
	case parquetformat.Snappy:
		u, err := binary.ReadUvarint(&r)
		if n = int64(u); err != nil || n < 0 {
			return nil
		}
	case parquetformat.Zstd:
		return r.unpackZstd(room, pageLimit(size))
	case parquetformat.Gzip:
		if size <= gzipUnread {
			return nil
		}
		z, err := gzip.NewReader(io.NewSectionReader(r.file, r.at, size))
		if err != nil {
			return nil //nolint:nilerr // the library reports it
		}
		n, _ = io.CopyN(io.Discard, z, room+1)
	case parquetformat.Brotli:
		n, _ = io.CopyN(io.Discard, brotli.NewReader(io.NewSectionReader(r.file, r.at, size)), room+1)
	}
	if n > room {
		return fmt.Errorf("%d bytes of %s make %d and more, by the page header %d", size, w.codec, n, room)
	}
	return nil
}

// unpackZstd checks zstd frames. No frame may claim to hold more than room bytes. The claimed lengths, or where a frame
// claims none the most that its blocks can hold, may not add up to more than limit.
func (r *thriftReader) unpackZstd(room, limit int64) error {
	for total := int64(0); r.at < r.limit; {
		says, most, err := r.zstdFrame()
		if says > uint64(room) {
			return fmt.Errorf("a frame of zstd of %d bytes, by the page header %d", says, room)
		}
		if total += most; total > limit {
			return fmt.Errorf("frames of zstd that may hold %d bytes, by the page header %d", total, room)
		}
		if err != nil {
			return nil //nolint:nilerr // the library allocates no memory for what follows damage
		}
	}
	return nil
}

// zstdFrame skips a frame (RFC 8878, 3.1.1). It returns the length that the frame header claims, 0 if none, and the
// most that the frame can hold. If there is an error, both cover the part before it.
func (r *thriftReader) zstdFrame() (says uint64, most int64, err error) {
	var b [18]byte // the longest header
	if err = r.read(b[:5]); err != nil {
		return 0, 0, err
	}
	if !bytes.HasPrefix(b[:], payload.ZstdMagic) {
		if !stream.IsZstd(b[:4]) {
			return 0, 0, errors.New("zstd: no frame begins here")
		}
		err = r.read(b[5:8])
		return 0, 0, errors.Join(err, r.pass(uint64(binary.LittleEndian.Uint32(b[4:]))))
	}
	n := stream.FrameHeaderLen(b[4])
	if err = r.read(b[5:n]); err != nil {
		return 0, 0, err
	}
	says, known := stream.ContentSize(b[:n])
	for last := false; !last && err == nil; {
		var holds int64
		holds, last, err = r.zstdBlock()
		most += holds
	}
	if known {
		most = int64(min(says, math.MaxInt64/2))
	}
	if err == nil && b[4]&4 != 0 {
		err = r.pass(4) // the checksum
	}
	return says, most, err
}

// zstdBlock skips a block. It returns the most that the block can hold and whether it is the last block of its frame.
func (r *thriftReader) zstdBlock() (holds int64, last bool, err error) {
	var b [3]byte
	if err = r.read(b[:]); err != nil {
		return 0, false, err
	}
	h := int64(b[0]) | int64(b[1])<<8 | int64(b[2])<<16
	size, last := h>>3, h&1 != 0
	switch h >> 1 & 3 {
	case 0: // raw
		return size, last, r.pass(uint64(size))
	case 1: // RLE: one byte, repeated
		return size, last, r.pass(1)
	}
	return maxZstdBlock, last, r.pass(uint64(size))
}

// read fills b.
func (r *thriftReader) read(b []byte) (err error) {
	for i := range b {
		if b[i], err = r.ReadByte(); err != nil {
			return err
		}
	}
	return nil
}
