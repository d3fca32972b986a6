package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// Copy writes the file without the ranges that removed yields, in ascending order, in the compression of the file or the
// one that Packing names. Damaged parts of the file are left out.
func (f *File) Copy(ctx context.Context, w io.Writer, removed iter.Seq[Range]) error {
	next, stop := iter.Pull(removed)
	defer stop()
	c := copier{file: f, ctx: ctx, next: next}
	c.advance()
	switch {
	case f.Format == "parquet":
		return c.parquet(w)
	case f.Format == "warc", f.Format == "arc", f.packing == stream.Plain:
		return c.plain(w)
	case f.Format == "" || f.Format == "text" || !c.more && !f.Damaged:
		if _, same := f.Packing(); same {
			c.more = false
			return c.plain(w)
		}
	}
	packed, err := f.pack(w)
	if err != nil {
		return err
	}
	return errors.Join(c.lines(packed), packed.Close())
}

// copier copies a file.
type copier struct {
	file *File
	ctx  context.Context
	next func() (Range, bool)
	cut  Range // the next range to leave out
	more bool  // there is one
}

func (c *copier) advance() { c.cut, c.more = c.next() }

// plain copies the bytes of the file without those that are to be left out.
func (c *copier) plain(w io.Writer) error {
	in, err := os.Open(c.file.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	for at := int64(0); at < c.file.Size; {
		to := c.file.Size
		if c.more {
			to = c.cut.Offset
		}
		for at < to {
			n, err := io.CopyN(w, in, min(to-at, copied))
			if err = errors.Join(err, c.ctx.Err()); err != nil {
				return err
			}
			at += n
		}
		if c.more {
			if at, err = in.Seek(c.cut.Offset+c.cut.Length, io.SeekStart); err != nil {
				return err
			}
			c.advance()
		}
	}
	return nil
}

// copied is the number of bytes that are copied between two looks whether to stop.
const copied = 64 << 20

// pack returns a writer that compresses to w as the file, which is not plain, is compressed. The bytes depend only on what is written.
func (f *File) pack(w io.Writer) (io.WriteCloser, error) {
	switch f.packing {
	case stream.Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	case stream.LZ4:
		return lz4.NewWriter(w), nil
	case stream.Snappy:
		return s2.NewWriter(w, s2.WriterSnappyCompat(), s2.WriterConcurrency(1)), nil
	case stream.Brotli:
		return brotli.NewWriter(w), nil
	}
	return gzip.NewWriter(w), nil
}

// lines copies a stream of lines or rows. A line that damage breaks off is left out.
func (c *copier) lines(w io.Writer) error {
	in, err := c.file.lines()
	if err != nil {
		return err
	}
	defer in.Close()
	var open []byte // the end of what was read: a line that goes on
	for {
		at := in.Pos - int64(len(open))
		b, err := in.Ahead()
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		open = append(open, b...)
		in.Take(len(b))
		n := bytes.LastIndexByte(open, '\n') + 1
		if errors.Is(err, io.EOF) || int64(len(open)) > c.file.options.MaxLine {
			n = len(open)
		}
		if writeErr := c.block(w, open[:n], at); writeErr != nil || errors.Is(err, io.EOF) {
			return writeErr
		}
		open = open[:copy(open, open[n:])]
		if err != nil {
			_ = in.Damage(err, record.Position{}) // the scan has told it
			open = open[:0]
		}
	}
}

// block writes a block of the stream without what is to be left out.
func (c *copier) block(w io.Writer, b []byte, at int64) error {
	for len(b) > 0 {
		n := int64(len(b))
		if !c.more || c.cut.Offset >= at+n {
			_, err := w.Write(b)
			return err
		}
		if keep := c.cut.Offset - at; keep > 0 {
			if _, err := w.Write(b[:keep]); err != nil {
				return err
			}
			b, at = b[keep:], at+keep
			continue
		}
		end := c.cut.Offset + c.cut.Length - at
		if end > int64(len(b)) {
			return nil // the range goes on in the next block
		}
		b, at = b[end:], at+end
		c.advance()
	}
	return nil
}

// parquet writes the rows that stay, with the schema, the metadata, the row groups and the compression of the file.
func (c *copier) parquet(w io.Writer) error {
	if !c.more {
		return c.plain(w)
	}
	return c.file.withParquet(func(f *parquet.File) error { return c.rows(w, f) })
}

// withParquet opens the file for a function.
func (f *File) withParquet(do func(p *parquet.File) error) (err error) {
	in, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	p, err := parquet.OpenFile(in, f.Size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return &record.Skip{Pos: record.Position{File: f.Path}, Reason: record.ReasonBadParquet, Err: err}
	}
	return do(p)
}

// rows writes the rows that stay.
func (c *copier) rows(w io.Writer, f *parquet.File) error {
	options := []parquet.WriterOption{f.Schema(), parquet.Compression(codecOf(f)), parquet.CreatedBy("lshclust", "1", "parquet-go")}
	for _, kv := range f.Metadata().KeyValueMetadata {
		options = append(options, parquet.KeyValueMetadata(kv.Key, kv.Value))
	}
	out := parquet.NewGenericWriter[any](w, options...)
	row := int64(0)
	for _, g := range f.RowGroups() {
		if err := c.rowGroup(out, g, &row); err != nil {
			return fmt.Errorf("row %d: %w", row, err)
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return out.Close()
}

// rowGroup writes the rows of a row group that stay.
func (c *copier) rowGroup(out *parquet.GenericWriter[any], g parquet.RowGroup, row *int64) error {
	rows := g.Rows()
	defer rows.Close()
	var buf [64]parquet.Row
	for {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		n, err := rows.ReadRows(buf[:])
		for _, r := range buf[:n] {
			if c.more && c.cut.Offset == *row {
				c.advance()
			} else if _, err := out.WriteRows([]parquet.Row{r}); err != nil { // one at a time: see run.TestNullPatterns
				return err
			}
			*row++
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// codecOf returns the compression of the first column of a file.
func codecOf(f *parquet.File) compress.Codec {
	for _, g := range f.Metadata().RowGroups {
		for _, column := range g.Columns {
			return parquet.LookupCompressionCodec(column.MetaData.Codec)
		}
	}
	return &parquet.Zstd
}

// checkParquet returns why the rows of a file cannot be written again, if they cannot.
func (f *File) checkParquet() error {
	return f.withParquet(func(p *parquet.File) error {
		for _, g := range p.Metadata().RowGroups {
			for _, column := range g.Columns {
				if c := column.MetaData.Codec; c == format.Lz4 || c == format.Lz4Raw || c == format.LZO { // the library reads wrong bytes of LZ4
					return errors.New("compressed with LZ4 or LZO, which is not written; rewrite it with zstd")
				}
			}
		}
		return nil
	})
}
