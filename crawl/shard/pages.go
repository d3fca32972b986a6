package shard

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// readPages reads the records of a table, of Parquet or of an archive with the reader of its format.
func (f *File) readPages(ctx context.Context, yield func(*Record) error) error {
	src, err := crawl.Open(f.Path, *f.options)
	var skip *record.Skip
	if errors.As(err, &skip) {
		return yield(&Record{Skip: skip})
	}
	if err != nil {
		return err
	}
	defer src.Close()
	var last *record.Record // of an archive: its end is where the next one begins
	for rec, err := range src.Records(ctx) {
		var pos record.Position
		skip = nil
		switch {
		case errors.As(err, &skip) && skip.Reason.Note():
			continue
		case skip != nil:
			pos = skip.Pos
		case err != nil:
			return err
		default:
			pos = rec.Pos
		}
		if last != nil {
			if err := f.yield(last, f.rangeOf(last, pos), yield); err != nil {
				return err
			}
			last = nil
		}
		switch {
		case skip != nil:
			err = yield(&Record{Number: pos.Record, Skip: skip})
		case f.Format == "warc" || f.Format == "arc":
			last, err = rec, nil
		default:
			err = f.yield(rec, f.rangeOf(rec, pos), yield)
		}
		if err != nil {
			return err
		}
	}
	if last != nil {
		return f.yield(last, f.rangeOf(last, record.Position{Offset: f.Size}), yield)
	}
	return ctx.Err()
}

// yield yields the record at a range.
func (f *File) yield(rec *record.Record, at Range, yield func(*Record) error) error {
	defer rec.Release()
	out := Record{Range: at, Number: rec.Pos.Record}
	page, err := rec.Page()
	out.Columns = rec.Columns
	if err != nil && !errors.As(err, &out.Skip) {
		return err
	}
	switch {
	case err != nil:
	case page.Part || page.OnlyLinks():
		out.Skip = rec.Skip(record.ReasonEmptyPage, "", nil)
	case at.Length == 0:
		out.Skip = rec.Skip(record.ReasonOneMember, "", errors.New("the record is no member of its own, so the archive keeps it"))
	default:
		out.Name, out.Text, out.HTML, out.Time = []byte(page.URL), page.Text, page.HTML, page.Time
	}
	return yield(&out)
}

// rangeOf returns the range of a record. next is where the one after it begins.
func (f *File) rangeOf(rec *record.Record, next record.Position) Range {
	switch {
	case f.Format == "parquet":
		return Range{rec.Pos.Record - 1, 1}
	case f.Format == "csv":
		return Range{rec.Pos.Offset, rec.End - rec.Pos.Offset}
	case rec.Pos.Inner > 0 || next.Inner > 0 || !f.packing.Splits():
		return Range{rec.Pos.Offset, 0}
	}
	return Range{rec.Pos.Offset, next.Offset - rec.Pos.Offset}
}

// readWhole reads a file that is one record.
func (f *File) readWhole(yield func(*Record) error) error {
	in, err := f.lines()
	if err != nil {
		return err
	}
	defer in.Close()
	rec := &record.Record{Pos: record.Position{File: f.Path, Record: 1}, Opts: f.options, Room: f.options.NewRoom()}
	defer rec.Room.Free()
	out := Record{Range: Range{0, 1}, Number: 1, Name: []byte(filepath.Base(f.Path))}
	data, err := rec.Room.ReadUpTo(reader{in}, f.options.MaxRecord(), stream.BufferSize)
	if errors.As(err, &out.Skip) || int64(len(data)) > f.options.MaxPage {
		if out.Skip == nil {
			out.Skip = rec.Skip(record.ReasonPageTooBig, "", errors.New("the text is longer than a page may be"))
		}
		return yield(&out)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	p := record.Page{}
	switch text := rec.DecodeText(&p, data, ""); {
	case payload.NotText(data) != "":
		out.Skip = rec.Skip(record.ReasonNotHTML, "", errors.New("is "+payload.NotText(data)))
	case payload.SniffHTML(text):
		out.HTML = text
	case len(bytes.TrimSpace(text)) > 0:
		out.Text = text
	}
	return yield(&out)
}
