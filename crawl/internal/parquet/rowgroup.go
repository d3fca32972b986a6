package parquet

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"

	parquetformat "github.com/parquet-go/parquet-go/format"
)

// rowGroup reads the rows of one row group. It advances all columns together, row by row.
type rowGroup struct {
	t       *parquetTable
	columns [table.NumFields]*chunkReader
	inside  []*chunkReader // of columns of JSON
	others  []*chunkReader // of Options.Columns
	readers []*chunkReader // the distinct readers in columns, inside and others
	place   int64
	row     int64 // number in the file of the last row begun
	end     int64
	broken  bool
	held    int64 // bytes of memory that the current pages take
}

func (t *parquetTable) group(i int, before int64) *rowGroup {
	g := &rowGroup{t: t, row: before, end: before + t.groups[i].NumRows(), place: t.places[i]}
	chunks := t.groups[i].ColumnChunks()
	by := map[*leaf]*chunkReader{}
	reader := func(l *leaf) *chunkReader {
		if by[l] == nil && l != nil && l.column.Index() < len(chunks) {
			by[l] = &chunkReader{t: t, group: i, chunk: chunks[l.column.Index()].(*parquet.FileColumnChunk), leaf: l, held: &g.held}
			g.readers = append(g.readers, by[l])
		}
		return by[l]
	}
	for f, l := range t.leaves {
		g.columns[f] = reader(l)
	}
	for _, l := range t.inside {
		g.inside = append(g.inside, reader(l))
	}
	for _, l := range t.others {
		g.others = append(g.others, reader(l))
	}
	return g
}

func (g *rowGroup) close() {
	defer func() { _ = recover() }() // closing a broken chunk may panic
	for _, c := range g.readers {
		c.close()
	}
}

// next returns the next record, a *Skip, or io.EOF at the end. Damage ends the group.
func (g *rowGroup) next() (*record.Record, error) {
	if g.row == g.end {
		return nil, io.EOF
	}
	g.row++
	o := g.t.s.opts
	rec := &record.Record{Pos: record.Position{File: g.t.s.Name(), Offset: g.place, Record: g.row}, Opts: o, Room: o.NewRoom()}
	if err := g.read(); err != nil {
		g.broken = true
		if little := (*record.MemoryError)(nil); errors.As(err, &little) {
			return nil, little
		}
		if bad, ok := errors.AsType[*pageError](err); ok {
			rec.Pos.Offset = bad.at
		}
		return nil, rec.Skip(record.ReasonBadParquet, "", fmt.Errorf("%w; the last %d rows of the row group are lost", err, g.end-g.row+1))
	}
	var v table.Values
	size := 0
	for f, c := range g.columns {
		v.Of[f] = c.value(&rec.Room)
		size += len(v.Of[f])
	}
	for i, c := range g.inside {
		object := c.value(&rec.Room)
		size += len(object)
		g.t.layout.Inside[i].Add(&v, object, &rec.Room)
	}
	for _, c := range g.others {
		rec.Columns = append(rec.Columns, c.value(&rec.Room))
	}
	g.t.useful = g.t.useful || v.Useful(g.t.layout.Rows, g.t.s.opts)
	rec.Held = size
	rec.Decode = func(r *record.Record) (record.Page, error) { return table.PageOf(r, &v, g.t.layout.Rows) }
	return rec, nil
}

// value returns the value of the current row, or the values of a list as lines. It is nil for a null.
func (c *chunkReader) value(room *payload.Room) (value []byte) {
	if c == nil {
		return nil
	}
	for _, v := range c.row {
		if b := c.leaf.bytes(v); b != nil {
			if value != nil {
				value = append(value, '\n')
			}
			value = room.Append(value, b)
		}
	}
	return value
}

// read reads the next row of every column.
func (g *rowGroup) read() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	for _, c := range g.readers {
		if err := c.next(); err != nil {
			if errors.Is(err, io.EOF) {
				err = &pageError{c.walk.page, io.ErrUnexpectedEOF}
			}
			return fmt.Errorf("column %s: %w", record.Clip(c.leaf.Path, 80), err)
		}
	}
	return nil
}

// chunkReader returns the values of one column row by row.
type chunkReader struct {
	t      *parquetTable
	group  int
	chunk  *parquet.FileColumnChunk
	leaf   *leaf
	walk   *pageWalk // gives pages to the library
	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buf    [64]parquet.Value
	ready  []parquet.Value // values in buf that have not been taken
	row    []parquet.Value // the current row; a single value is valid until the next row
	held   *int64          // bytes of memory that the current pages of all columns take
	own    int64           // the part of held that belongs to this column
}

// maxList bounds the number of values in one row.
const (
	maxList     = 1 << 24
	maxListStep = 1 << 12 // memory is checked each time this many values have been read
	listValue   = 64      // approximate bytes of memory of one value
)

// next reads one row: a value and the other values of its list.
func (c *chunkReader) next() error {
	c.row = c.row[:0]
	for {
		if len(c.ready) == 0 {
			err := c.fill()
			if errors.Is(err, io.EOF) && len(c.row) > 0 {
				return nil
			}
			if err != nil {
				return err
			}
		}
		v := c.ready[0]
		switch {
		case v.RepetitionLevel() == 0 && len(c.row) > 0:
			return nil
		case len(c.row) == maxList:
			return fmt.Errorf("a list of more than %d values", maxList)
		}
		c.ready = c.ready[1:]
		if !c.leaf.List {
			c.row = append(c.row, v)
			return nil
		}
		c.row = append(c.row, v.Clone())
		if n := len(c.row); n%maxListStep == 0 {
			if err := c.t.s.opts.Needs(*c.held+int64(n)*listValue, c.t.s.position(), "a list of %d values and more", n); err != nil {
				return err
			}
		}
	}
}

// pageError is damage in the page or the column chunk at a byte of the file.
type pageError struct {
	at  int64
	err error
}

func (e *pageError) Error() string { return e.err.Error() }
func (e *pageError) Unwrap() error { return e.err }

// turn moves to the next page.
func (c *chunkReader) turn() (err error) {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
	if c.walk == nil {
		g := &c.t.meta[c.group]
		c.walk, err = walkOf(c.t.s, &g.Columns[c.leaf.column.Index()].MetaData, g.NumRows, c.leaf) // not nil, even with an error
		c.walk.hold = c.hold
		c.pages = c.chunk.PagesFrom(c.walk)
	}
	if err == nil {
		c.page, err = c.pages.ReadPage()
	}
	if err != nil {
		return &pageError{c.walk.page, cmp.Or(c.walk.err, err)}
	}
	c.values = c.page.Values()
	return nil
}

// hold counts the memory of the current page: its compressed and decompressed bytes, and the values read from it.
func (c *chunkReader) hold() error {
	*c.held += c.walk.held - c.own
	c.own = c.walk.held
	return c.t.s.opts.Needs(*c.held, c.t.s.position(), "pages of %d MiB", *c.held>>20)
}

func (c *chunkReader) fill() error {
	for {
		if c.values == nil {
			if err := c.turn(); err != nil {
				return err
			}
		}
		n, err := c.values.ReadValues(c.buf[:])
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if errors.Is(err, io.EOF) || n == 0 {
			c.values = nil
		}
		if n > 0 {
			c.ready = c.buf[:n]
			return nil
		}
	}
}

func (c *chunkReader) close() {
	if c.pages != nil {
		c.pages.Close()
	}
}

// julianEpoch is 1 January 1970 as a Julian day, the unit of INT96 dates.
const julianEpoch = 2440588

// bytes returns a value as a text table would contain it: times in RFC 3339 format, numbers in decimal.
func (l *leaf) bytes(v parquet.Value) []byte {
	if v.IsNull() {
		return nil
	}
	switch v.Kind() {
	case parquet.ByteArray, parquet.FixedLenByteArray:
		return v.ByteArray()
	case parquet.Int32:
		if t := l.column.Type().LogicalType(); t != nil {
			if _, days := t.Value.(*parquetformat.DateType); days { // since 1970
				return []byte(time.Unix(int64(v.Int32())*86400, 0).UTC().Format(time.DateOnly))
			}
		}
	case parquet.Int64:
		if t := l.column.Type().LogicalType(); t != nil {
			if at, ok := timestamp(t, v.Int64()); ok {
				return []byte(at.UTC().Format(time.RFC3339Nano))
			}
		}
	case parquet.Int96:
		x := v.Int96()
		nanos := int64(x[1])<<32 | int64(x[0])
		return []byte(time.Unix((int64(x[2])-julianEpoch)*86400, nanos).UTC().Format(time.RFC3339Nano))
	}
	if v.Kind() == parquet.Double {
		return strconv.AppendFloat(nil, v.Double(), 'f', -1, 64)
	}
	return []byte(v.String())
}

// timestamp converts a number of time units since 1970.
func timestamp(t *parquetformat.LogicalType, n int64) (time.Time, bool) {
	stamp, ok := t.Value.(*parquetformat.TimestampType)
	if !ok {
		return time.Time{}, false
	}
	switch stamp.Unit.Value.(type) {
	case *parquetformat.MilliSeconds:
		return time.UnixMilli(n), true
	case *parquetformat.MicroSeconds:
		return time.UnixMicro(n), true
	case *parquetformat.NanoSeconds:
		return time.Unix(0, n), true
	}
	return time.Time{}, false
}
