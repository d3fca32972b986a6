package run

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// rowGroupRows is the most rows that a row group has: what readers such as DuckDB
// hand to one thread. rowGroupBytes is about the most memory that they take before
// they are encoded, so that a few can be held; it ends the groups of wide rows.
const (
	rowGroupRows  = 1 << 17
	rowGroupBytes = 16 << 20
)

// groupMemory is an estimate of the memory that a row group takes while it is
// encoded: its rows, the columns, and the pages that come out.
const groupMemory = 3 * rowGroupBytes

// TableWriter writes a Parquet table. Row groups are encoded by several
// goroutines and written in order; where they end depends on the rows alone, so
// equal rows give equal bytes whatever the number of workers and the memory.
//
// It is not safe for concurrent use. The strings of a row must stay valid until
// Close: rows are copied, their strings are not.
type TableWriter[T Row] struct {
	path  string
	opts  options[T]
	enc   *encoder[T]
	batch []T
	group int // rows of the row group so far
	bytes int // about what they take
	last  *T  // the row before, when the order is checked
	rows  int64
	err   error // sticky
	done  bool
}

// TableOption changes how a table is written.
type TableOption[T Row] func(*options[T])

type options[T Row] struct {
	workers int
	alone   bool // rows are encoded as they come, by the caller
	columns []string
	compare func(a, b *T) int
}

// Workers sets how many row groups are encoded at once. The default is the number
// of CPUs, at most 4. The bytes do not depend on it.
func Workers[T Row](n int) TableOption[T] {
	return func(o *options[T]) { o.workers = max(n, 1) }
}

// Memory bounds the row groups that are encoded at once by the bytes that they may
// take together. If that is less than one takes, rows are encoded as they come. The
// bytes of the table do not depend on it.
func Memory[T Row](bytes int64) TableOption[T] {
	return func(o *options[T]) {
		o.workers = int(max(1, min(int64(o.workers), bytes/groupMemory)))
		o.alone = bytes < groupMemory
	}
}

// Ordered declares in the file that rows ascend by columns, and makes Write fail
// when they do not by compare.
func Ordered[T Row](compare func(a, b *T) int, columns ...string) TableOption[T] {
	return func(o *options[T]) { o.compare, o.columns = compare, columns }
}

// CreateTable starts the table path under the temporary name path+".tmp".
func CreateTable[T Row](path string, opts ...TableOption[T]) (*TableWriter[T], error) {
	o := options[T]{workers: min(runtime.GOMAXPROCS(0), 4)}
	for _, opt := range opts {
		opt(&o)
	}
	f, err := createFile(path + tempSuffix)
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
	if w.err == nil && w.opts.compare != nil {
		w.err = w.checkOrder(rows)
	}
	for i := range rows {
		if w.err != nil {
			break
		}
		if w.batch == nil {
			w.batch = w.enc.newBatch()
		}
		w.batch = append(w.batch, rows[i])
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

// flush hands the batch to the encoders; end says that it is the last of a row group.
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

// checkOrder compares every row with the one before it.
func (w *TableWriter[T]) checkOrder(rows []T) error {
	last := w.last
	for i := range rows {
		if last != nil && w.opts.compare(last, &rows[i]) > 0 {
			return fmt.Errorf("%s: row %d is out of order by %v", w.path, w.rows+int64(i), w.opts.columns)
		}
		last = &rows[i]
	}
	if last != nil {
		kept := *last
		w.last = &kept
	}
	return nil
}

// Rows returns the number of rows written.
func (w *TableWriter[T]) Rows() int64 { return w.rows }

// Close writes the rest and the footer, syncs, and gives the table its final
// name. After an error no file is left behind.
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
	if w.err == nil {
		w.err = syncPath(filepath.Dir(w.path))
	} else {
		os.Remove(w.path + tempSuffix)
	}
	return w.err
}

// Abort gives up and removes the temporary file. After Close it does nothing, so
// it may be deferred.
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

// parquetOptions is how all tables are written.
func (o options[T]) parquetOptions() []parquet.WriterOption {
	list := []parquet.WriterOption{
		parquet.CreatedBy("lshclust", "1", "parquet-go"),
		parquet.Compression(compression),
		parquet.PageBufferSize(pageBytes),
		parquet.DataPageVersion(1),
	}
	if len(o.columns) == 0 {
		return list
	}
	var columns []parquet.SortingColumn
	for _, c := range o.columns {
		columns = append(columns, parquet.Ascending(c))
	}
	return append(list, parquet.SortingWriterConfig(parquet.SortingColumns(columns...)))
}

// compression is that of all tables. On pairs of URLs the fastest level is 1.3
// times as fast as the default one and 5 % smaller; Snappy is 1.3 times as fast
// again and half as large again.
var compression = &zstd.Codec{Level: zstd.SpeedFastest}

// pageBytes is about the size of a page before compression.
const pageBytes = 1 << 20
