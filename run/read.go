package run

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/parquet-go/parquet-go"
)

// readBatch is how many rows are decoded at once.
const readBatch = 1024

// ReadTable yields the rows of the Parquet table at path in their order. An error
// is yielded once, with a zero row, as the last.
func ReadTable[T Row](path string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		r, err := openTable[T](path)
		if err != nil {
			yield(zero, err)
			return
		}
		defer r.close()
		for {
			rows, err := r.next()
			for i := range rows {
				if !yield(rows[i], nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(zero, fmt.Errorf("%s: after row %d: %w", path, r.rows, err))
				return
			}
		}
	}
}

// tableReader reads batches of rows.
type tableReader[T Row] struct {
	file   *os.File
	reader *parquet.GenericReader[T]
	rows   int64
}

func openTable[T Row](path string) (*tableReader[T], error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkSchema(pf.Schema(), parquet.SchemaOf(new(T))), checkCodecs(pf)); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &tableReader[T]{file: f, reader: parquet.NewGenericReader[T](pf)}, nil
}

// next returns the next rows, with io.EOF beside or after the last ones.
func (r *tableReader[T]) next() (rows []T, err error) {
	defer recovered(&err)
	buf := make([]T, readBatch) // a new one each time: rows hold slices
	n, err := r.reader.Read(buf)
	r.rows += int64(n)
	if n == 0 && err == nil {
		err = io.ErrNoProgress
	}
	return buf[:n], err
}

func (r *tableReader[T]) close() {
	r.reader.Close()
	r.file.Close()
}

// openParquet opens a Parquet file and reads its footer.
func openParquet(path string) (f *os.File, pf *parquet.File, err error) {
	f, err = os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			f.Close()
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	defer recovered(&err)
	st, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	pf, err = parquet.OpenFile(f, st.Size())
	return f, pf, err
}

// CountRows returns the rows of a Parquet file as its footer says.
func CountRows(path string) (int64, error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return 0, err
	}
	return pf.NumRows(), f.Close()
}

// checkSchema refuses a file whose columns are not those of the row type.
func checkSchema(have, want *parquet.Schema) error {
	if h, w := schemaText(have), schemaText(want); h != w {
		return fmt.Errorf("%w: columns are\n%sand not\n%s", ErrFormat, h, w)
	}
	return nil
}

// checkCodecs refuses a file that is compressed in a way this package does not
// write: given damaged input, parquet-go's LZ4 takes memory without bound.
func checkCodecs(pf *parquet.File) error {
	for _, g := range pf.Metadata().RowGroups {
		for _, c := range g.Columns {
			if c.MetaData.Codec != compression.CompressionCodec() {
				return fmt.Errorf("%w: compressed with %s", ErrFormat, c.MetaData.Codec)
			}
		}
	}
	return nil
}
