package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/table"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// readLines reads the objects of JSON Lines.
func (f *File) readLines(ctx context.Context, p Part, yield func(*Record) error) (number int64, err error) {
	r, err := f.reader()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	b := newBlocks(r, f.options.MaxLine)
	if err := b.begin(p); err != nil {
		return 0, err
	}
	l := lineReader{file: f, objects: table.NewObjects(f.options), yield: yield}
	for {
		if err := ctx.Err(); err != nil {
			return l.number, err
		}
		k, err := b.next()
		if errors.Is(err, io.EOF) || err == nil && p.To > 0 && k.offset >= p.To && !l.long {
			return l.number, nil
		}
		if err != nil {
			return l.number, err
		}
		if p.To > 0 && !k.long {
			k.data = k.data[:endOf(k, p.To)]
		}
		if err := l.block(k); err != nil {
			return l.number, err
		}
		if p.To > 0 && !k.long {
			b.used = len(k.data)
			if k.offset+int64(len(k.data)) >= p.To {
				return l.number, nil
			}
		}
	}
}

// begin moves to the first line that begins in a part.
func (b *blocks) begin(p Part) error {
	if p.From == 0 {
		return nil
	}
	b.offset = p.From - 1 // the line may begin at p.From itself
	if _, err := b.r.file.Seek(b.offset, io.SeekStart); err != nil {
		return err
	}
	b.long = true
	for {
		k, err := b.next()
		if err != nil || k.ends {
			return notEOF(err)
		}
	}
}

func notEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// endOf returns the length of the lines of a block that begin before an offset.
func endOf(k block, offset int64) int {
	if at := offset - 1 - k.offset; at < int64(len(k.data)) {
		if at < 0 {
			return 0
		}
		if i := bytes.IndexByte(k.data[at:], '\n'); i >= 0 {
			return int(at) + i + 1
		}
	}
	return len(k.data)
}

// lineReader makes records of lines.
type lineReader struct {
	file    *File
	objects *table.Objects
	yield   func(*Record) error
	number  int64
	long    bool // within a line that is too long
	record  Record
	values  [][]byte
}

// block yields the records of a block.
func (l *lineReader) block(k block) error {
	switch {
	case k.damage != nil:
		return l.yield(&Record{Number: l.number + 1, Skip: k.damage})
	case k.long:
		first := !l.long
		if l.long = !k.ends; !first {
			return nil
		}
		l.number++
		return l.yield(&Record{Number: l.number, Skip: l.skip(k.offset, record.ReasonLineTooLong, fmt.Errorf("more than %d bytes", l.file.options.MaxLine))})
	}
	for at := 0; at < len(k.data); {
		n := bytes.IndexByte(k.data[at:], '\n') + 1
		if n == 0 {
			n = len(k.data) - at
		}
		l.number++
		if err := l.line(k.data[at:at+n], k.offset+int64(at)); err != nil {
			return err
		}
		at += n
	}
	return nil
}

func (l *lineReader) skip(offset int64, reason record.Reason, err error) *record.Skip {
	return &record.Skip{Pos: record.Position{File: l.file.Path, Offset: offset, Record: l.number}, Reason: reason, Err: err}
}

// line yields the record of a line.
func (l *lineReader) line(line []byte, offset int64) error {
	object := bytes.TrimRight(line, " \t\r\n")
	if offset == 0 {
		object = bytes.TrimPrefix(object, utf8BOM)
	}
	if len(object) == 0 {
		return nil
	}
	rec := &l.record
	*rec = Record{Range: Range{offset, int64(len(line))}, Number: l.number}
	v, err := l.objects.Text(object, l.file.columns, l.values[:0])
	if err != nil {
		rec.Length, rec.Skip = 0, l.skip(offset, record.ReasonBadJSON, err)
		return l.yield(rec)
	}
	l.values = v.Columns
	rec.Name, rec.Text, rec.Escaped, rec.HTML, rec.Columns = v.Name, v.Text, v.Escaped, v.HTML, v.Columns
	err = l.yield(rec)
	l.objects.Release()
	return err
}
