package shard

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"slices"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

// lines opens the file as text.
func (f *File) lines() (*stream.Lines, error) {
	in, err := stream.Open(f.Path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	m, err := stream.NewMembers(in, f.options.Memory)
	if err == nil {
		m.Kind = f.packing
		_ = m.Next() // Buf returns the error again
	}
	return &stream.Lines{Members: m, Opts: f.options}, err
}

// reader reads a text as it is.
type reader struct{ *stream.Lines }

// Read implements io.Reader.
func (r reader) Read(p []byte) (int, error) {
	b, err := r.Ahead()
	n := copy(p, b)
	r.Take(n)
	return n, err
}

// readLines reads the objects of JSON Lines.
func (f *File) readLines(ctx context.Context, p Part, yield func(*Record) error) (number int64, err error) {
	in, err := f.lines()
	if err != nil {
		return 0, err
	}
	defer in.Close()
	room := f.options.NewRoom()
	defer room.Free()
	if p.From > 0 { // a line may begin there, so the part begins behind the line that the byte before is in
		if err := in.BeginAt(record.Position{Offset: p.From - 1}); err != nil {
			return 0, err
		}
		if _, _, err := in.NextLine(&room); errors.Is(err, io.EOF) {
			return 0, nil
		}
	}
	l := lineReader{file: f, objects: table.NewObjects(f.options), yield: yield}
	for p.To == 0 || in.Pos < p.To {
		pos, line, here := in.Here()
		if !here {
			pos, line, err = in.NextLine(&room)
		}
		if err = errors.Join(err, ctx.Err()); errors.Is(err, io.EOF) {
			return number, nil
		}
		number = pos.Record
		var skip *record.Skip
		switch {
		case errors.As(err, &skip):
			err = yield(&Record{Number: number, Skip: skip})
		case err == nil:
			err = l.line(line, pos, in.Pos-pos.Offset)
		}
		if err != nil {
			return number, err
		}
		room.Free()
	}
	return number, nil
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lineReader makes records of lines.
type lineReader struct {
	file    *File
	objects *table.Objects
	yield   func(*Record) error
	record  Record
	values  [][]byte
}

// line yields the record of a line.
func (l *lineReader) line(line []byte, pos record.Position, length int64) error {
	object := bytes.TrimRight(line, " \t\r\n")
	if pos.Offset == 0 {
		object = bytes.TrimPrefix(object, payload.Utf8BOM)
	}
	if len(object) == 0 {
		return nil
	}
	rec := &l.record
	*rec = Record{Range: Range{pos.Offset, length}, Number: pos.Record}
	v, err := l.objects.Text(object, l.file.columns, l.values[:0])
	if err != nil {
		rec.Length, rec.Skip = 0, &record.Skip{Pos: pos, Reason: record.ReasonBadJSON, Err: err}
		return l.yield(rec)
	}
	l.values = v.Columns
	rec.Name, rec.Text, rec.Escaped, rec.HTML, rec.Columns = v.Name, v.Text, v.Escaped, v.HTML, v.Columns
	err = l.yield(rec)
	l.objects.Release()
	return err
}

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
