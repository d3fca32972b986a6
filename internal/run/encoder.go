package run

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// encoder turns batches of rows into the row groups of one file. Several goroutines encode batches as Parquet files
// in memory. encoder then copies the only row group of each into the table unchanged, in the order of the batches.
// This uses the fast columnar path of parquet-go, which works for whole writers but not for concurrent row groups of
// one writer.
type encoder[T Row] struct {
	file    file
	main    *parquet.GenericWriter[T]
	opts    []parquet.WriterOption
	alone   bool // the caller uses stream instead of encode
	pending chan *rowGroup[T]
	slots   chan struct{} // has an element for each batch from encode until it is copied
	current *rowGroup[T]  // the row group that stream is writing
	batches sync.Pool     // *[]T
	buffers sync.Pool     // *rowGroup[T]
	written chan error    // receives the result of write
	failed  chan struct{} // closed when write fails
	failure error         // set before failed is closed
}

// rowGroup is a batch that is being encoded. buf and writer are reused for the next one.
type rowGroup[T Row] struct {
	rows   []T
	buf    bytes.Buffer
	writer *parquet.GenericWriter[T]
	ready  chan error
}

func newEncoder[T Row](f file, workers int, alone bool) *encoder[T] {
	e := &encoder[T]{
		file:    f,
		opts:    parquetOptions(),
		alone:   alone,
		pending: make(chan *rowGroup[T], workers),
		slots:   make(chan struct{}, workers),
		written: make(chan error, 1),
		failed:  make(chan struct{}),
	}
	e.main = parquet.NewGenericWriter[T](f, e.opts...)
	go e.write()
	return e
}

func (e *encoder[T]) newBatch() []T {
	if b, ok := e.batches.Get().(*[]T); ok {
		return *b
	}
	return nil
}

// withRow appends a row to a batch, whose capacity grows up to a row group.
func withRow[T Row](batch []T, row T) []T {
	if len(batch) == cap(batch) {
		most := min(rowGroupRows, rowGroupBytes/int(unsafe.Sizeof(row))+1)
		batch = append(make([]T, 0, max(len(batch)+1, min(most, 4*max(len(batch), 16)))), batch...)
	}
	return append(batch, row)
}

// encode starts to encode rows. It waits for a free goroutine, but not for the result.
func (e *encoder[T]) encode(rows []T) error {
	select {
	case e.slots <- struct{}{}:
	case <-e.failed:
		return e.failure
	}
	g := e.newGroup()
	g.rows = rows
	e.pending <- g // does not block: pending has the capacity of slots
	go func() { g.ready <- e.encodeGroup(g) }()
	return nil
}

// stream encodes rows on the caller's goroutine. end says that they are the last rows of their row group.
func (e *encoder[T]) stream(rows []T, end bool) (err error) {
	defer recovered(&err)
	if e.current == nil {
		e.current = e.newGroup()
		e.current.reset(e.opts)
	}
	g := e.current
	if err := g.write(rows); err != nil || !end {
		return err
	}
	e.current = nil
	defer e.buffers.Put(g)
	if err := g.writer.Close(); err != nil {
		return err
	}
	return e.copyGroup(g)
}

func (e *encoder[T]) newGroup() *rowGroup[T] {
	if g, ok := e.buffers.Get().(*rowGroup[T]); ok {
		return g
	}
	return &rowGroup[T]{ready: make(chan error, 1)}
}

// reset begins a row group.
func (g *rowGroup[T]) reset(opts []parquet.WriterOption) {
	g.buf.Reset()
	if g.writer == nil {
		g.writer = parquet.NewGenericWriter[T](&g.buf, opts...)
	} else {
		g.writer.Reset(&g.buf)
	}
}

// batchRows is the number of rows that a writer without workers holds.
const batchRows = 1024

// write passes rows to parquet-go one at a time. Given several, version 0.32.0 writes the nulls of an optional column as
// empty values in some patterns, such as null, value, null: it compares what is left of a word of its bitmap with the
// wrong mask.
func (g *rowGroup[T]) write(rows []T) error {
	for i := range rows {
		if _, err := g.writer.Write(rows[i : i+1]); err != nil {
			return err
		}
	}
	return nil
}

// encodeGroup fills g.buf. It turns panics of parquet-go into errors.
func (e *encoder[T]) encodeGroup(g *rowGroup[T]) (err error) {
	defer recovered(&err)
	g.reset(e.opts)
	if err := g.write(g.rows); err != nil {
		return err
	}
	return g.writer.Close()
}

// write copies row groups into the file until pending is closed. After an error it keeps receiving them, so that no
// sender blocks forever.
func (e *encoder[T]) write() {
	for g := range e.pending {
		err := <-g.ready
		if e.failure == nil && err == nil {
			err = e.copyGroup(g)
		}
		if e.failure == nil && err != nil {
			e.failure = err
			close(e.failed)
		}
		clear(g.rows) // release the strings
		rows := g.rows[:0]
		e.batches.Put(&rows)
		g.rows = nil
		e.buffers.Put(g)
		<-e.slots
	}
	e.written <- e.failure
}

// copyGroup appends the row group in g.buf to the table.
func (e *encoder[T]) copyGroup(g *rowGroup[T]) (err error) {
	defer recovered(&err)
	f, err := parquet.OpenFile(bytes.NewReader(g.buf.Bytes()), int64(g.buf.Len()))
	if err != nil {
		return err
	}
	for _, rg := range f.RowGroups() {
		if _, err := e.main.WriteRowGroup(rg); err != nil {
			return err
		}
	}
	return nil
}

// close waits for the row groups. If whole is set, it then writes the footer. It always closes the file and ends the
// goroutines.
func (e *encoder[T]) close(whole bool) error {
	close(e.pending)
	err := <-e.written
	if err == nil && whole {
		err = e.footer()
	}
	return errors.Join(err, e.file.Close())
}

func (e *encoder[T]) footer() (err error) {
	defer recovered(&err)
	return e.main.Close()
}

// recovered turns a panic of parquet-go into an error, so that no panic leaves this package.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("parquet: %v", r)
	}
}
