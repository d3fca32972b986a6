package dedup

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
)

// removals is the list of the records that go, in their order.
type removals struct {
	list    mapped.Numbers[byte] `lsh:"removals,stream"`
	near    mapped.Numbers[byte] `lsh:"closest"`
	closest []removal            // what near holds
}

// removals opens what the step decide has written.
func (j *job) removals() (*removals, error) {
	r := &removals{}
	err := j.load(j.file("decide", 0), r)
	for b := range slices.Chunk(r.near.All(), removalSize) {
		r.closest = append(r.closest, removalOf(b))
	}
	return r, err
}

func (r *removals) len() int { return r.list.Len() / removalSize }

func (r *removals) at(i int) removal {
	return removalOf(r.list.Slice(i*removalSize, (i+1)*removalSize))
}

// from returns the index of the first removal of a record that is doc or comes after it.
func (r *removals) from(doc int) int {
	return sort.Search(r.len(), func(i int) bool { return int(r.at(i).doc) >= doc })
}

// partsToWrite is the number of parts of the step write: none if the files are not to be written.
func (j *job) partsToWrite() int {
	if r, err := j.told(); err == nil && !r.Written {
		return 0
	}
	return len(j.parts)
}

// write copies the files that begin in part i without the records that go.
func (j *job) write(_ *engine, i int) error {
	if _, err := j.matches(); err != nil {
		return err
	}
	list, err := j.removed()
	if err != nil {
		return err
	}
	for _, s := range j.parts[i].stretches {
		if s.file.Name == "" || s != s.file.stretches[0] {
			continue
		}
		if err := j.writeShard(s.file, list); err != nil {
			return fmt.Errorf("%s: %w", s.file.Name, err)
		}
	}
	return j.writeFile(j.file("write", i), func(*os.File) error { return nil })
}

// output returns the name of the file in the output.
func (f *file) output() (string, error) {
	ext := filepath.Ext(f.Name)
	if !shard.Repacks(ext) {
		return f.Name, nil
	}
	s, err := f.shard()
	if err != nil {
		return "", err
	}
	suffix, same := s.Packing()
	if same {
		return f.Name, nil
	}
	return strings.TrimSuffix(f.Name, ext) + suffix, nil
}

// writeShard copies a file, unless it has been.
func (j *job) writeShard(f *file, list *removals) error {
	name, err := f.output()
	if err != nil {
		return err
	}
	path := filepath.Join(j.out, filepath.FromSlash(name))
	if exists(path) {
		return nil
	}
	s, err := f.shard()
	if err != nil {
		return err
	}
	for _, st := range f.stretches {
		if err := st.part.opened(); err != nil {
			return err
		}
		s.Damaged = s.Damaged || len(st.Damage) > 0
	}
	last := f.stretches[len(f.stretches)-1]
	from, to := list.from(f.stretches[0].first), list.from(last.first+last.Records)
	if s.Format == "text" && to > from {
		return nil // the file is the record
	}
	return j.writeFile(path, func(out *os.File) error {
		return s.Copy(j.ctx, out, func(yield func(shard.Range) bool) {
			for i := from; i < to; i++ {
				if p, k := j.at(list.at(i).doc); !yield(p.rangeOf(k)) {
					return
				}
			}
		})
	})
}

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
