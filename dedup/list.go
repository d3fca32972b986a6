package dedup

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/shard"
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

// figures sets what a removal says about the two texts.
func (x *Removed) figures(r removal) {
	x.Relation, x.Resemblance, x.Shared, x.Shingles, x.KeptOf = r.relation.String(), r.resemblance(), r.shared, r.a, r.b
	x.Contained, x.Contains = r.of()
}

// describe returns a removal with the names of its records.
func (j *job) describe(r removal) Removed {
	p, i := j.at(r.doc)
	if r.relation == Leaks {
		l, _ := p.leak(int(r.kept)) // tellLeaks has read it
		return Removed{File: l.File, Record: l.Record, ID: l.ID, KeptFile: l.Set, KeptRecord: l.Item, KeptID: l.ItemID, Relation: r.relation.String(), Shared: uint32(l.Words)}
	}
	q, k := j.at(r.kept)
	x := Removed{ID: strings.Clone(p.names.At(i)), KeptID: strings.Clone(q.names.At(k))}
	x.File, x.Record = p.place(i)
	x.KeptFile, x.KeptRecord = q.place(k)
	x.figures(r)
	return x
}

// List returns the name of the list of the removals.
func (o *Options) List() string {
	if o.Parquet {
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
	if !j.Parquet {
		return j.writeLines(RemovedName, each)
	}
	return j.writeFile(filepath.Join(j.out, removedTable), func(f *os.File) error {
		w := parquet.NewGenericWriter[Removed](f, parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(1<<16), parquet.CreatedBy("lshclust", "1", "parquet-go"))
		err := each(func(row any) error {
			_, err := w.Write([]Removed{row.(Removed)})
			return err
		})
		return errors.Join(err, w.Close())
	})
}

// eachRemoved reads the list of the removals, but for records that leak items.
func (j *job) eachRemoved(yield func(Removed)) error {
	path := filepath.Join(j.out, j.List())
	f, err := shard.Open(path, j.reading(j.out))
	if err == nil {
		err = f.Items(func(item any) error {
			b, err := json.Marshal(item)
			x := Removed{}
			if err == nil {
				err = json.Unmarshal(b, &x)
			}
			if err == nil && x.Relation != Leaks.String() {
				yield(x)
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
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
