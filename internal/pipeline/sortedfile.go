package pipeline

import (
	"context"
	"encoding/binary"
	"sort"

	"github.com/lshclust/lshclust/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
)

// A part that produces records which other parts need in another order sorts them and writes them to a mapped file. A
// part of a later step reads its range of every such file, which it finds by binary search.

const (
	sortedKind    = "sorted"
	sortedVersion = 1
)

// sortRecords sorts the records that fill passes to the appenders, one for each worker, and writes them to a file.
func sortRecords(ctx context.Context, path, dir string, size, workers int, memory int64, fill func(to []*extsort.Appender) error) error {
	return sortFilled(ctx, dir, size, workers, memory, fill, func(sorter *extsort.Sorter) error {
		w, err := mapped.Create(path, sortedKind, sortedVersion)
		if err != nil {
			return err
		}
		defer w.Abort()
		s := w.Section("record", size)
		err = records(ctx, sorter, func(rec []byte) error {
			s.Bytes(rec)
			return nil
		})
		if err != nil {
			return err
		}
		return w.Close()
	})
}

// sortFilled sorts the records that fill passes to the appenders, one for each worker. write reads them from the sorter.
func sortFilled(ctx context.Context, dir string, size, workers int, memory int64, fill func(to []*extsort.Appender) error, write func(*extsort.Sorter) error) error {
	sorter, err := extsort.New(extsort.Config{Size: size, Memory: memory, Dir: dir, Workers: workers})
	if err != nil {
		return err
	}
	defer sorter.Close()
	to := make([]*extsort.Appender, workers)
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
	return write(sorter)
}

// sortedFiles are the files of sorted records of all parts of a step.
type sortedFiles []sortedFile

type sortedFile struct {
	*mapped.File
	size    int
	records mapped.Column[byte]
}

// openSorted opens the files that the parts of a step of a stage have sorted.
func (b *build) openSorted(from *opened, stage, step string, size int) (files sortedFiles) {
	for _, p := range b.partsOfStep(stage, b.stage(stage).index(step)) {
		files = append(files, workFile(from, p.Files[0], func(path string) (sortedFile, error) { return openSorted(path, size) }))
	}
	return files
}

func openSorted(path string, size int) (f sortedFile, err error) {
	f.size = size
	if f.File, err = mapped.Open(path, sortedKind, sortedVersion); err != nil {
		return f, err
	}
	if f.records, err = f.Bytes("record"); err != nil {
		f.Close()
	}
	return f, err
}

// len returns the number of records of all files.
func (s sortedFiles) len() (n int) {
	for _, f := range s {
		n += f.len()
	}
	return n
}

// len returns the number of records.
func (f sortedFile) len() int { return f.records.Len() / f.size }

// slice returns the records with the numbers from, …, to-1.
func (f sortedFile) slice(from, to int) []byte { return f.records.Slice(from*f.size, to*f.size) }

// search returns the number of the first record, among those with the numbers from, …, to-1, whose first eight bytes are
// at least a number.
func (f sortedFile) search(least uint64, from, to int) int {
	return from + sort.Search(to-from, func(i int) bool {
		return binary.BigEndian.Uint64(f.slice(from+i, from+i+1)) >= least
	})
}
