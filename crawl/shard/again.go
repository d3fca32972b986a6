package shard

import (
	"cmp"
	"context"
	"iter"
	"os"
	"slices"

	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

// Again reads the records at ranges, in ascending order, of a part that was read before.
func (f *File) Again(ctx context.Context, p Part, ranges iter.Seq[Range], yield func(*Record) error) error {
	next, stop := iter.Pull(ranges)
	defer stop()
	if f.Divides() {
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

// linesAgain reads lines of a plain file again.
func (f *File) linesAgain(ctx context.Context, next func() (Range, bool), yield func(*Record) error) error {
	in, err := os.Open(f.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	l := lineReader{file: f, objects: table.NewObjects(f.options), yield: yield}
	var buf []byte
	for at, more := next(); more; at, more = next() {
		buf = slices.Grow(buf[:0], int(at.Length))[:at.Length]
		_, err := in.ReadAt(buf, at.Offset)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if err := l.line(buf, record.Position{File: f.Path, Offset: at.Offset}, at.Length); err != nil {
			return err
		}
	}
	return nil
}
