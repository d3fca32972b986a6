package shard

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lshclust/lshclust/crawl/record"
)

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
