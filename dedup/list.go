package dedup

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Removed is a line or row of the list of the removals.
type Removed struct {
	File        string  `json:"file" parquet:"file"`
	Record      int64   `json:"record" parquet:"record"`
	ID          string  `json:"id,omitempty" parquet:"id"`
	KeptFile    string  `json:"kept_file" parquet:"kept_file"`
	KeptRecord  int64   `json:"kept_record" parquet:"kept_record"`
	KeptID      string  `json:"kept_id,omitempty" parquet:"kept_id"`
	Relation    string  `json:"relation" parquet:"relation"`
	Resemblance float64 `json:"resemblance" parquet:"resemblance"`
	Contained   float64 `json:"contained" parquet:"contained"` // the share of the record that the kept one contains
	Contains    float64 `json:"contains" parquet:"contains"`   // the share of the kept one that the record contains
	Shared      uint32  `json:"shared,omitempty" parquet:"shared"`
	Shingles    uint32  `json:"shingles,omitempty" parquet:"shingles"`
	KeptOf      uint32  `json:"kept_shingles,omitempty" parquet:"kept_shingles"`
}

// describe returns a removal with the names of its records.
func (j *job) describe(r removal) Removed {
	p, i := j.at(r.doc)
	if r.relation == Leaks {
		l, _ := p.leak(int(r.kept)) // tellLeaks has read it
		return Removed{File: l.File, Record: l.Record, ID: l.ID, KeptFile: l.Set, KeptRecord: l.Item, KeptID: l.ItemID, Relation: r.relation.String(), Shared: uint32(l.Words)}
	}
	q, k := j.at(r.kept)
	x := Removed{ID: strings.Clone(p.names.At(i)), KeptID: strings.Clone(q.names.At(k)),
		Relation: r.relation.String(), Resemblance: r.resemblance(), Shared: r.shared, Shingles: r.a, KeptOf: r.b}
	x.File, x.Record = p.place(i)
	x.KeptFile, x.KeptRecord = q.place(k)
	x.Contained, x.Contains = r.of()
	return x
}

// List returns the name of the list of the removals.
func (r *Report) List() string { return r.Plan.Options.list() }

func (o *Options) list() string {
	if o.Format == formatParquet {
		return removedTable
	}
	return RemovedName
}

// writeRemoved writes the list of the removals.
func (j *job) writeRemoved(list *removals) error {
	each := func(row func(any) error) error {
		for i := range list.len() {
			if err := row(j.describe(list.at(i))); err != nil {
				return err
			}
		}
		return nil
	}
	if j.Format != formatParquet {
		return j.writeLines(RemovedName, each)
	}
	return j.writeFile(filepath.Join(j.out, removedTable), func(f *os.File) error {
		w := parquet.NewGenericWriter[Removed](f, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lshclust", "1", "parquet-go"))
		n := 0
		err := each(func(row any) error {
			if n++; n%groupRows == 0 {
				if err := w.Flush(); err != nil {
					return err
				}
			}
			_, err := w.Write([]Removed{row.(Removed)})
			return err
		})
		return cmp.Or(err, w.Close())
	})
}

// groupRows is the number of rows in a row group.
const groupRows = 1 << 16

// eachRemoved reads the list of the removals of an output.
func eachRemoved(path string, yield func(*Removed) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	defer func() {
		if p := recover(); p != nil { // of parquet-go
			err = fmt.Errorf("%s: damaged: %v", path, p)
		}
	}()
	lines, rows := json.NewDecoder(bufio.NewReader(f)), [1]Removed{}
	read := func() error { return lines.Decode(&rows[0]) }
	if filepath.Base(path) == removedTable {
		table := parquet.NewGenericReader[Removed](f)
		defer table.Close()
		read = func() error {
			n, err := table.Read(rows[:])
			if n > 0 {
				err = nil
			}
			return err
		}
	}
	for {
		rows[0] = Removed{}
		if err = read(); err == nil {
			err = yield(&rows[0])
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// writeLines writes a file of JSON Lines to the output.
func (j *job) writeLines(name string, write func(line func(any) error) error) error {
	return j.writeFile(filepath.Join(j.out, name), func(f *os.File) error {
		w := bufio.NewWriterSize(f, 1<<16)
		lines := json.NewEncoder(w)
		lines.SetEscapeHTML(false)
		if err := write(lines.Encode); err != nil {
			return err
		}
		return w.Flush()
	})
}
