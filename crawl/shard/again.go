package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/table"
)

// Again reads the records at ranges, in ascending order, of a part that was read before.
func (f *File) Again(ctx context.Context, p Part, ranges iter.Seq[Range], yield func(*Record) error) error {
	next, stop := iter.Pull(ranges)
	defer stop()
	if f.Format == "jsonl" {
		return f.linesAgain(ctx, next, yield)
	}
	at, more := next()
	_, err := f.Read(ctx, p, func(r *Record) error {
		if !more || r.Skip != nil || r.Range != at {
			return nil
		}
		at, more = next()
		return yield(r)
	})
	return err
}

// linesAgain reads lines again.
func (f *File) linesAgain(ctx context.Context, next func() (Range, bool), yield func(*Record) error) error {
	r, err := f.reader()
	if err != nil {
		return err
	}
	defer r.Close()
	l := lineReader{file: f, objects: table.NewObjects(f.options), yield: yield}
	if f.packing == stream.Plain {
		var buf []byte
		for at, more := next(); more; at, more = next() {
			if buf = grown(buf, at.Length); ctx.Err() != nil {
				return ctx.Err()
			}
			if _, err := r.file.ReadAt(buf, at.Offset); err != nil {
				return err
			}
			if err := l.line(buf, at.Offset); err != nil {
				return err
			}
		}
		return nil
	}
	b := newBlocks(r, f.options.MaxLine)
	at, more := next()
	for more {
		k, err := b.next()
		if err = errors.Join(err, ctx.Err()); err != nil {
			if errors.Is(err, io.EOF) {
				return fmt.Errorf("%s ends before byte %d: the file was changed", f.Path, at.Offset)
			}
			return err
		}
		for end := k.offset + int64(len(k.data)); more && at.Offset < end; at, more = next() {
			from := at.Offset - k.offset
			if from < 0 || from+at.Length > int64(len(k.data)) {
				return fmt.Errorf("%s: no record is at byte %d: the file was changed", f.Path, at.Offset)
			}
			if err := l.line(k.data[from:from+at.Length], at.Offset); err != nil {
				return err
			}
		}
	}
	return nil
}

func grown(b []byte, n int64) []byte {
	if int64(cap(b)) < n {
		return make([]byte, n)
	}
	return b[:n]
}
