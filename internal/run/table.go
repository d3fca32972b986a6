package run

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroupRows is the largest number of rows in a row group: readers such as DuckDB give one row group to one thread.
// rowGroupBytes limits the memory that the rows take before they are encoded, so that several row groups fit; it ends
// the groups of wide rows.
const (
	rowGroupRows  = 1 << 17
	rowGroupBytes = 16 << 20
)

// groupMemory estimates the memory that a row group takes while it is encoded: the rows, the columns and the finished
// pages.
const groupMemory = 3 * rowGroupBytes

// TableWriter writes a Parquet table. Several goroutines encode row groups, which are written in order. Only the rows
// decide where a row group ends, so equal rows give equal bytes for any number of workers and any memory.
//
// A TableWriter is not safe for concurrent use. It copies rows but not their strings, which must stay valid until
// Close.
type TableWriter[T Row] struct {
	path  string
	opts  options[T]
	enc   *encoder[T]
	batch []T
	group int // rows in the current row group
	bytes int // approximate memory of these rows
	rows  int64
	err   error // the first error
	done  bool
}

// TableOption changes how a table is written.
type TableOption[T Row] func(*options[T])

type options[T Row] struct {
	workers int
	alone   bool // the caller's goroutine encodes rows as they come
}

// Workers sets the number of row groups that are encoded at the same time. The default is the number of processors, but
// at most 4. The bytes of the table do not depend on it.
func Workers[T Row](n int) TableOption[T] {
	return func(o *options[T]) { o.workers = max(n, 1) }
}

// Memory limits the row groups that are encoded at the same time by the memory that they take. If not even one fits,
// rows are encoded as they come. The bytes of the table do not depend on it.
func Memory[T Row](bytes int64) TableOption[T] {
	return func(o *options[T]) {
		o.workers = int(max(1, min(int64(o.workers), bytes/groupMemory)))
		o.alone = bytes < groupMemory
	}
}

// CreateTable starts to write the table path under the temporary name path+".tmp".
func CreateTable[T Row](path string, opts ...TableOption[T]) (*TableWriter[T], error) {
	return createTable(path, createFile, opts...)
}

// createTable is CreateTable with the function that creates files.
func createTable[T Row](path string, create func(path string) (file, error), opts ...TableOption[T]) (*TableWriter[T], error) {
	o := options[T]{workers: min(runtime.GOMAXPROCS(0), 4)}
	for _, opt := range opts {
		opt(&o)
	}
	f, err := create(path + tempSuffix)
	if err != nil {
		return nil, err
	}
	return &TableWriter[T]{path: path, opts: o, enc: newEncoder(f, o)}, nil
}

// Write appends rows.
func (w *TableWriter[T]) Write(rows ...T) error {
	if w.done && w.err == nil {
		w.err = fmt.Errorf("%s: write after close", w.path)
	}
	for i := range rows {
		if w.err != nil {
			break
		}
		if w.batch == nil {
			w.batch = w.enc.newBatch()
		}
		w.batch = withRow(w.batch, rows[i])
		w.bytes += rows[i].size()
		w.group++
		w.rows++
		if w.group == rowGroupRows || w.bytes >= rowGroupBytes {
			w.flush(true)
		} else if w.opts.alone && len(w.batch) == writeRows {
			w.flush(false)
		}
	}
	return w.err
}

// flush passes the batch on to be encoded. end says that it is the last of its row group.
func (w *TableWriter[T]) flush(end bool) {
	if len(w.batch) == 0 && w.group == 0 {
		return
	}
	if w.opts.alone {
		w.err = w.wrap(w.enc.stream(w.batch, end))
		clear(w.batch)
		w.batch = w.batch[:0]
	} else {
		w.err = w.wrap(w.enc.encode(w.batch))
		w.batch = nil
	}
	if end {
		w.group, w.bytes = 0, 0
	}
}

// Rows returns the number of rows written so far.
func (w *TableWriter[T]) Rows() int64 { return w.rows }

// Close writes the remaining rows and the footer, and gives the table its final name. It does not sync the table, as
// Dir.Finish does. After an error it leaves no file behind.
func (w *TableWriter[T]) Close() error {
	if w.done {
		return w.err
	}
	w.done = true
	if w.err == nil {
		w.flush(true)
	}
	err := w.wrap(w.enc.close(w.err == nil))
	if w.err == nil {
		w.err = err
	}
	if w.err == nil {
		w.err = os.Rename(w.path+tempSuffix, w.path)
	}
	if w.err != nil {
		os.Remove(w.path + tempSuffix)
	}
	return w.err
}

// Abort removes the temporary file. After Close it does nothing, so it may be deferred.
func (w *TableWriter[T]) Abort() {
	if !w.done {
		w.err = errors.Join(w.err, fmt.Errorf("%s: aborted", w.path))
		w.Close()
	}
}

func (w *TableWriter[T]) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", w.path, err)
}

// parquetOptions returns the options with which all tables are written.
func (o options[T]) parquetOptions() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.CreatedBy("lshclust", "1", "parquet-go"),
		parquet.Compression(compression),
		parquet.PageBufferSize(pageBytes),
		parquet.DataPageVersion(1),
	}
}

// compression is the codec of all tables. On pairs of URLs the fastest level of zstd is 1.3 times as fast as the
// default level, and its output is 5 % smaller. Snappy is 1.3 times as fast again, but its output is half as large
// again.
var compression = &zstd.Codec{Level: zstd.SpeedFastest}

// pageBytes is the approximate size of a page before compression.
const pageBytes = 1 << 20
