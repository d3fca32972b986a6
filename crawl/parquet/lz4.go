package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/pierrec/lz4/v4"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// The library reads wrong bytes from a page of LZ4_RAW that is more than a third of its content, allocates without bound
// if the page is damaged, and knows no LZ4 of Hadoop. Columns with these codecs are therefore copied to a temporary file
// without compression, and the library reads that file.

func isLZ4(c parquetformat.CompressionCodec) bool {
	return c == parquetformat.Lz4 || c == parquetformat.Lz4Raw
}

// hasLZ4 reports whether a column that is read has one of the codecs.
func (t *parquetTable) hasLZ4() bool {
	for i := range t.meta {
		for _, l := range t.used() {
			if l.index < len(t.meta[i].Columns) && isLZ4(t.meta[i].Columns[l.index].MetaData.Codec) {
				return true
			}
		}
	}
	return false
}

// used returns the columns that are read.
func (t *parquetTable) used() (out []*leaf) {
	for _, l := range append(t.leaves[:len(t.leaves):len(t.leaves)], t.inside...) {
		if l != nil {
			out = append(out, l)
		}
	}
	return out
}

// withoutLZ4 copies the columns that are read to a temporary file, and opens that.
func (t *parquetTable) withoutLZ4(ctx context.Context, meta *parquetformat.FileMetaData) error {
	s := t.s
	to, err := os.CreateTemp(s.opts.TempDir, "lshclust-*.parquet")
	if err != nil {
		return s.Skip(record.ReasonUnreadableFile, err)
	}
	os.Remove(to.Name()) // on close the file disappears
	c := unpacker{s: s, to: to}
	c.write([]byte("PAR1"))
	done := map[int]bool{}
	t.damaged = map[[2]int]*pageError{}
	for _, l := range t.used() {
		for g := range t.meta {
			if columns := t.meta[g].Columns; !done[l.index] && l.index < len(columns) {
				if bad := c.chunk(ctx, &columns[l.index].MetaData, t.meta[g].NumRows, l); bad != nil {
					t.damaged[[2]int{g, l.index}] = bad
				}
			}
		}
		done[l.index] = true
	}
	footer, err := thrift.Marshal(&thrift.CompactProtocol{}, *meta)
	c.write(append(binary.LittleEndian.AppendUint32(footer, uint32(len(footer))), "PAR1"...))
	if err = errors.Join(err, c.err); err == nil && c.size > maxSpool {
		err = s.Skip(record.ReasonUnreadableFile, fmt.Errorf("more than %d bytes without LZ4", int64(maxSpool)))
	}
	if err != nil {
		to.Close()
		return err
	}
	if s.spool != nil {
		s.spool.Close()
	}
	s.spool, s.file, s.size = to, to, c.size
	f, err := parquet.OpenFile(s.file, s.size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err == nil {
		t.groups, t.meta = f.RowGroups(), f.Metadata().RowGroups
	}
	return err
}

// unpacker writes pages without LZ4.
type unpacker struct {
	s    *parquetSource
	to   *os.File
	size int64
	err  error
}

func (c *unpacker) write(b []byte) {
	if c.err == nil && c.size <= maxSpool {
		_, c.err = c.to.Write(b)
	}
	c.size += int64(len(b))
}

// chunk copies a column chunk up to the first damaged page, which it returns, and changes the chunk's place in the footer.
func (c *unpacker) chunk(ctx context.Context, m *parquetformat.ColumnMetaData, rows int64, l *leaf) (bad *pageError) {
	w, err := walkOf(c.s.file, c.s.size, m, rows, l)
	begin, data := c.size, false
	m.DictionaryPageOffset, m.DataPageOffset, m.IndexPageOffset = 0, begin, 0
	for err == nil && c.err == nil && w.at < w.end && c.size <= maxSpool {
		if c.err = ctx.Err(); c.err != nil {
			return nil
		}
		w.page = w.at
		var h *parquetformat.PageHeader
		var page []byte
		if h, err = w.header(); err == nil {
			page, err = c.page(w, h, m.Codec)
		}
		if little := (*record.MemoryError)(nil); errors.As(err, &little) {
			c.err = err
		}
		if err != nil {
			break
		}
		head, wrong := thrift.Marshal(&thrift.CompactProtocol{}, *h)
		c.err = errors.Join(c.err, wrong)
		if h.Type == parquetformat.DictionaryPage {
			m.DictionaryPageOffset = c.size
		} else if !data {
			m.DataPageOffset, data = c.size, true
		}
		c.write(head)
		c.write(page)
	}
	if m.TotalCompressedSize = c.size - begin; isLZ4(m.Codec) {
		m.Codec = parquetformat.Uncompressed
	}
	if err != nil {
		bad = &pageError{w.page, stream.NoEOF(err)}
	}
	return bad
}

// page returns the content of the page after its header, without compression, and makes the header fit.
func (c *unpacker) page(w *pageWalk, h *parquetformat.PageHeader, codec parquetformat.CompressionCodec) ([]byte, error) {
	if err := w.check(h); err != nil {
		return nil, err
	}
	if err := c.s.opts.Needs(int64(h.CompressedPageSize)+int64(h.UncompressedPageSize), c.s.position(), "a page of %d MiB", h.UncompressedPageSize>>20); err != nil {
		return nil, err
	}
	page := make([]byte, h.CompressedPageSize)
	if _, err := w.file.ReadAt(page, w.at); err != nil {
		return nil, err
	}
	w.at += int64(len(page))
	v2 := &h.DataPageHeaderV2.V
	if !isLZ4(codec) || v2.IsCompressed.Valid && !v2.IsCompressed.V {
		return page, nil
	}
	levels := v2.DefinitionLevelsByteLength + v2.RepetitionLevelsByteLength
	out := make([]byte, h.UncompressedPageSize)
	copy(out, page[:levels])
	if err := unpackLZ4(out[levels:], page[levels:], codec); err != nil {
		return nil, err
	}
	h.CompressedPageSize = h.UncompressedPageSize
	h.CRC = 0
	return out, nil
}

// unpackLZ4 decompresses src, which must fill dst. Early programs wrote a block of LZ4_RAW under the name of Hadoop's.
func unpackLZ4(dst, src []byte, codec parquetformat.CompressionCodec) error {
	if codec == parquetformat.Lz4 && unpackHadoop(dst, src) {
		return nil
	}
	n, err := lz4.UncompressBlock(src, dst)
	if err == nil && n < len(dst) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// unpackHadoop decompresses the blocks of Hadoop: a length, and for it blocks that begin with their compressed length. It
// reports whether they fill dst.
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
