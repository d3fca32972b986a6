package run

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// readBatch is the number of rows that are decoded at a time.
const readBatch = 1024

// ReadTable returns the rows of the Parquet table at path in order. It yields an error with a zero row and stops.
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

// next returns the next rows. It returns io.EOF with the last rows or after them.
func (r *tableReader[T]) next() (rows []T, err error) {
	defer recovered(&err)
	buf := make([]T, readBatch) // a new buffer each time, because rows contain slices
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

// CountRows returns the number of rows that the footer of a Parquet file states.
func CountRows(path string) (int64, error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return 0, err
	}
	return pf.NumRows(), f.Close()
}

// checkSchema refuses a file whose columns differ from those of the row type.
func checkSchema(have, want *parquet.Schema) error {
	if h, w := schemaText(have), schemaText(want); h != w {
		return fmt.Errorf("%w: the columns are\n%sinstead of\n%s", ErrFormat, h, w)
	}
	return nil
}

// checkCodecs refuses a file with a compression that this package does not write: on damaged input, the LZ4 decoder of
// parquet-go takes unlimited memory.
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

// HasColumn reports whether the Parquet file at path has a column of this name.
func HasColumn(path, name string) (bool, error) {
	f, pf, err := openParquet(path)
	if err != nil {
		return false, err
	}
	_, ok := pf.Schema().Lookup(name)
	return ok, f.Close()
}

// schemaText lists the columns of a schema, one per line: the name, the type, and whether it may be null.
func schemaText(s *parquet.Schema) string {
	var b strings.Builder
	for _, path := range s.Columns() {
		leaf, _ := s.Lookup(path...)
		fmt.Fprintf(&b, "%s %s%s\n", strings.Join(path, "."), leaf.Node.Type(), nullable(leaf))
	}
	return b.String()
}

func nullable(leaf parquet.LeafColumn) string {
	switch {
	case leaf.MaxRepetitionLevel > 0:
		return " repeated"
	case leaf.MaxDefinitionLevel > 0:
		return " optional"
	}
	return ""
}
