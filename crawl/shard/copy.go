package shard

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/lshclust/lshclust/crawl/internal/stream"
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
	case f.Format == "warc" || f.Format == "arc":
		return c.archive(w)
	case f.Format == "" || f.Format == "text" || !c.more:
		if _, same := f.Packing(); same {
			return c.raw(w)
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

// raw copies the file as it is.
func (c *copier) raw(w io.Writer) error {
	in, err := stream.Open(c.file.Path)
	if err != nil {
		return errors.Unwrap(err)
	}
	defer in.Close()
	_, err = io.Copy(w, stream.ContextReader{Context: c.ctx, From: in.Raw})
	return err
}

// pack returns a writer that compresses to w as the file is compressed. The bytes depend only on what is written.
func (f *File) pack(w io.Writer) (io.WriteCloser, error) {
	switch f.packing {
	case stream.Gzip, stream.Bzip2, stream.Xz:
		return gzip.NewWriter(w), nil
	case stream.Zstd:
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	case stream.LZ4:
		return lz4.NewWriter(w), nil
	case stream.Snappy:
		return s2.NewWriter(w, s2.WriterSnappyCompat(), s2.WriterConcurrency(1)), nil
	case stream.Brotli:
		return brotli.NewWriter(w), nil
	}
	return flushCloser{bufio.NewWriterSize(w, blockSize)}, nil
}

type flushCloser struct{ *bufio.Writer }

func (f flushCloser) Close() error { return f.Flush() }

// lines copies a stream of lines or rows.
func (c *copier) lines(w io.Writer) error {
	r, err := c.file.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	b := newBlocks(r, c.file.options.MaxLine)
	for {
		k, err := b.next()
		if err = errors.Join(err, c.ctx.Err()); err != nil {
			return notEOF(err)
		}
		if err := c.block(w, k.data, k.offset); err != nil {
			return err
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

// archive copies an archive as it is, without the members that are to be left out.
func (c *copier) archive(w io.Writer) error {
	in, err := os.Open(c.file.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	for at := int64(0); ; c.advance() {
		to := c.file.Size
		if c.more {
			to = c.cut.Offset
		}
		if _, err := io.Copy(w, stream.ContextReader{Context: c.ctx, From: io.NewSectionReader(in, at, to-at)}); err != nil || !c.more {
			return err
		}
		at = to + c.cut.Length
	}
}
