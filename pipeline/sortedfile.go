package pipeline

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
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
func (b *build) sortRecords(ctx context.Context, path, dir string, size, workers int, memory int64, fill func(to []*extsort.Appender) error) error {
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
		err = cmp.Or(err, a.Close())
	}
	if err != nil {
		return err
	}
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
	return cmp.Or(err, w.Close())
}

// sortedFiles are the files of sorted records of all parts of a step.
type sortedFiles []sortedFile

type sortedFile struct {
	file    *mapped.File
	size    int
	records mapped.Column[byte]
}

// openSorted opens the files that the parts of a step of a stage have sorted.
func (b *build) openSorted(stage, step string, size int) (files sortedFiles, err error) {
	parts, err := b.recorded(stage, step)
	for i := range parts {
		var f sortedFile
		if f, err = openSorted(b.dir.Path(stepFile(step, "", i)), size); err != nil {
			break
		}
		files = append(files, f)
	}
	if err != nil {
		files.close()
	}
	return files, err
}

func openSorted(path string, size int) (f sortedFile, err error) {
	f.size = size
	if f.file, err = mapped.Open(path, sortedKind, sortedVersion); err != nil {
		return f, err
	}
	if f.records, err = f.file.Bytes("record"); err != nil {
		f.file.Close()
	}
	return f, err
}

func (s sortedFiles) close() {
	for _, f := range s {
		f.file.Close()
	}
}

// err returns the first damage in what was read.
func (s sortedFiles) err() error {
	for _, f := range s {
		if err := f.file.Err(); err != nil {
			return err
		}
	}
	return nil
}

// len returns the number of records.
func (s sortedFiles) len() (n int) {
	for _, f := range s {
		n += f.records.Len() / f.size
	}
	return n
}

// all returns the records of each file.
func (s sortedFiles) all() [][]byte {
	out := make([][]byte, len(s))
	for i, f := range s {
		out[i] = f.records.All()
	}
	return out
}

// between returns the records of each file whose first eight bytes, as a number, are at least low and at most high.
func (s sortedFiles) between(low, high uint64) [][]byte {
	out := make([][]byte, len(s))
	for i, f := range s {
		from, to := f.search(low), f.records.Len()
		if high < math.MaxUint64 {
			to = f.search(high + 1)
		}
		out[i] = f.records.Slice(from, to)
	}
	return out
}

// search returns where the records begin whose first eight bytes are at least a number.
func (f sortedFile) search(least uint64) int {
	return f.size * sort.Search(f.records.Len()/f.size, func(i int) bool {
		return binary.BigEndian.Uint64(f.records.Slice(i*f.size, i*f.size+8)) >= least
	})
}

// merge calls do with the records of several sorted sequences in their order. Records are compared by their first eight
// bytes; those of records that differ must differ too.
func merge(sequences [][]byte, size int, do func(rec []byte) error) error {
	var h heads
	for _, s := range sequences {
		if len(s) > 0 {
			h = append(h, head{binary.BigEndian.Uint64(s), s})
		}
	}
	for i := len(h) / 2; i >= 0; i-- {
		h.down(i)
	}
	for len(h) > 0 {
		if err := do(h[0].rest[:size]); err != nil {
			return err
		}
		if h[0].rest = h[0].rest[size:]; len(h[0].rest) > 0 {
			h[0].key = binary.BigEndian.Uint64(h[0].rest)
		} else {
			h[0] = h[len(h)-1]
			h = h[:len(h)-1]
		}
		h.down(0)
	}
	return nil
}

// head is the first record of what is left of a sequence.
type head struct {
	key  uint64
	rest []byte
}

// heads are a heap.
type heads []head

func (h heads) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].key < h[least].key {
				least = child
			}
		}
		if least == i {
			return
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
}
