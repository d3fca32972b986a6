package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sort"

	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/tables"
)

// Intermediate files are mapped files. Most have one section, which contains records preceded by their lengths,
// records of a fixed size, or JSON.

const (
	workKind    = "work"
	workVersion = 1
)

// createColumns starts an intermediate file with some columns; see mapped.Writer.Declare.
func createColumns(path string, columns any) *mapped.Writer {
	w := mapped.Create(path, workKind, workVersion)
	w.Declare("", columns)
	return w
}

// work is an open intermediate file with some columns.
type work[C any] struct {
	*mapped.File
	of C
}

func openWork[C any](path string) (w work[C], err error) {
	w.File, err = mapped.Open(path, workKind, workVersion)
	if err != nil {
		return w, err
	}
	if err := w.Load("", &w.of); err != nil {
		w.Close()
		return w, err
	}
	return w, nil
}

// stepFiles opens the only file of each part of a step.
func stepFiles[T tables.Table](from *opened, stage, step string, open func(path string) (T, error)) (files []T) {
	for _, p := range from.b.partsOfStep(stage, from.b.stage(stage).index(step)) {
		files = append(files, workFile(from, p.Files[0], open))
	}
	return files
}

// create writes an intermediate file.
func create(path string, write func(w io.Writer) error) error {
	return createAll([]string{path}, func(w []io.Writer) error { return write(w[0]) })
}

// createAll writes several intermediate files.
func createAll(paths []string, write func(w []io.Writer) error) error {
	files, sections := make([]*mapped.Writer, len(paths)), make([]io.Writer, len(paths))
	for i, path := range paths {
		files[i] = mapped.Create(path, workKind, workVersion)
		defer files[i].Abort()
		sections[i] = files[i].Section("data", 1)
	}
	if err := write(sections); err != nil {
		return err
	}
	for _, f := range files {
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// dataColumn is the only section of most intermediate files.
type dataColumn struct {
	data mapped.Numbers[byte] `lsh:"data,stream"`
}

// readWork calls do with the verified contents of an intermediate file.
func readWork(ctx context.Context, path string, do func(data []byte) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := openWork[dataColumn](path)
	if err != nil {
		return err
	}
	defer f.Close()
	data := f.of.data.All()
	if err := f.Err(); err != nil {
		return err
	}
	if err := do(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// eachFile calls do with the contents of the files of a kind that the parts of a step wrote, in order.
func (b *build) eachFile(ctx context.Context, stage, step, kind string, do func(data []byte) error) error {
	for _, p := range b.partsOfStep(stage, b.stage(stage).index(step)) {
		if err := readWork(ctx, b.dir.Path(stepFile(step, kind, p.Number%stepParts)), do); err != nil {
			return err
		}
	}
	return nil
}

// writeRecord writes a record, preceded by its length.
func writeRecord(w io.Writer, body []byte) error {
	var head [binary.MaxVarintLen64]byte
	if _, err := w.Write(binary.AppendUvarint(head[:0], uint64(len(body)))); err != nil {
		return err
	}
	_, err := w.Write(body)
	return err
}

// bodies returns a function that calls do with the body of each record that writeRecord wrote.
func bodies(ctx context.Context, do func(body []byte) error) func(data []byte) error {
	return func(data []byte) error {
		for n := 0; len(data) > 0; n++ {
			if n%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			body, rest, err := codec.Next(data)
			if err == nil {
				err = do(body)
			}
			if err != nil {
				return err
			}
			data = rest
		}
		return nil
	}
}

func writeJSON(path string, v any) error {
	return create(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(v) })
}

func readJSON(path string, v any) error {
	return readWork(context.Background(), path, func(data []byte) error { return json.Unmarshal(data, v) })
}

// eachRecordFunc calls do with records in order. A record is valid until the next one.
type eachRecordFunc func(do func(rec []byte) error) error

// sortFilled sorts the records that fill passes to some appenders, and calls use to read them.
func sortFilled(ctx context.Context, c extsort.Config, appenders int, fill func(to []*extsort.Appender) error, use func(each eachRecordFunc) error) error {
	sorter, err := extsort.New(c)
	if err != nil {
		return err
	}
	defer sorter.Close()
	to := make([]*extsort.Appender, appenders)
	for i := range to {
		to[i] = sorter.Appender()
	}
	err = fill(to)
	for _, a := range to {
		if err == nil {
			err = a.Close()
		}
	}
	if err != nil {
		return err
	}
	return use(func(do func(rec []byte) error) error { return sorter.Each(ctx, do) })
}

// sortOne is sortFilled with one appender.
func sortOne(ctx context.Context, c extsort.Config, fill func(to *extsort.Appender) error, use func(each eachRecordFunc) error) error {
	return sortFilled(ctx, c, 1, func(to []*extsort.Appender) error { return fill(to[0]) }, use)
}

// A part that produces records which other parts need in another order sorts them and writes them to a file. A part
// of a later step reads its range of every such file, which it finds by binary search.

// sortRecords sorts the records that fill passes to the appenders, and writes them to a file.
func sortRecords(ctx context.Context, path string, c extsort.Config, appenders int, fill func(to []*extsort.Appender) error) error {
	return sortFilled(ctx, c, appenders, fill, func(each eachRecordFunc) error {
		return writeRecords(path, each)
	})
}

// writeRecords writes records to a file.
func writeRecords(path string, each eachRecordFunc) error {
	return create(path, func(w io.Writer) error {
		return each(func(rec []byte) error {
			_, err := w.Write(rec)
			return err
		})
	})
}

// writeSums writes sorted records that begin with a key and end with a big-endian count. It writes one record for
// each key, with the sum of its counts, and returns their number.
func writeSums(path string, each eachRecordFunc, key, size int) (n int64, err error) {
	err = create(path, func(w io.Writer) error {
		last, sum := make([]byte, 0, size), uint64(0)
		put := func() error {
			if len(last) == 0 {
				return nil
			}
			n++
			for i := size; i > key; i, sum = i-1, sum>>8 {
				last[i-1] = byte(sum)
			}
			_, err := w.Write(last)
			return err
		}
		err := each(func(rec []byte) error {
			if !bytes.HasPrefix(last, rec[:key]) {
				if err := put(); err != nil {
					return err
				}
				last, sum = append(last[:0], rec...), 0
			}
			count := uint64(0)
			for _, b := range rec[key:size] {
				count = count<<8 | uint64(b)
			}
			sum += count
			return nil
		})
		if err != nil {
			return err
		}
		return put()
	})
	return n, err
}

// sortedFiles are the files of sorted records of all parts of a step.
type sortedFiles []sortedFile

type sortedFile struct {
	data mapped.Numbers[byte]
	size int // bytes of a record
}

// openSorted opens the files that the parts of a step of a stage have sorted.
func openSorted(from *opened, stage, step string, size int) (files sortedFiles) {
	for _, f := range stepFiles(from, stage, step, openWork[dataColumn]) {
		files = append(files, sortedFile{f.of.data, size})
	}
	return files
}

// len returns the number of records of all files.
func (s sortedFiles) len() (n int) {
	for _, f := range s {
		n += f.len()
	}
	return n
}

// len returns the number of records.
func (f sortedFile) len() int { return f.data.Len() / f.size }

// slice returns records from to to-1.
func (f sortedFile) slice(from, to int) []byte { return f.data.Slice(from*f.size, to*f.size) }

// search returns the index of the first of the records from to to-1 whose first eight bytes are at least least.
func (f sortedFile) search(least uint64, from, to int) int {
	return from + sort.Search(to-from, func(i int) bool {
		return binary.BigEndian.Uint64(f.slice(from+i, from+i+1)) >= least
	})
}
