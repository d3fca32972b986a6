package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"sort"

	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
)

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
	return n, create(path, func(w io.Writer) error {
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
