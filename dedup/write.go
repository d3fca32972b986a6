package dedup

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
)

// removals is the list of the records that go, in their order.
type removals struct {
	file *mapped.File
	list mapped.Column[uint32]
}

func (j *job) removals() (r removals, err error) {
	if r.file, err = mapped.Open(j.file("removals"), kindPart, version); err != nil {
		return r, err
	}
	r.list, err = mapped.View[uint32](r.file, "removals")
	return r, err
}

func (r *removals) len() int { return r.list.Len() / removalFields }

func (r *removals) at(i int) removal {
	return removalOf(r.list.Slice(i*removalFields, (i+1)*removalFields))
}

func removalOf(v []uint32) removal {
	return removal{doc: v[0], kept: v[1], relation: Relation(v[2]), shared: v[3], a: v[4], b: v[5]}
}

// from returns the index of the first removal of a record that is doc or comes after it.
func (r *removals) from(doc int) int {
	from, to := 0, r.len()
	for from < to {
		if mid := (from + to) / 2; int(r.list.At(mid*removalFields)) < doc {
			from = mid + 1
		} else {
			to = mid
		}
	}
	return from
}

// Removed is a line of removed.jsonl.
type Removed struct {
	File        string  `json:"file"`
	Record      int64   `json:"record"`
	ID          string  `json:"id,omitempty"`
	KeptFile    string  `json:"kept_file"`
	KeptRecord  int64   `json:"kept_record"`
	KeptID      string  `json:"kept_id,omitempty"`
	Relation    string  `json:"relation"`
	Resemblance float64 `json:"resemblance"`
	Contained   float64 `json:"contained"` // the share of the record that the kept one contains
	Contains    float64 `json:"contains"`  // the share of the kept one that the record contains
	Shared      uint32  `json:"shared,omitempty"`
	Shingles    uint32  `json:"shingles,omitempty"`
	KeptOf      uint32  `json:"kept_shingles,omitempty"`
}

// describe returns a removal with the names of its records.
func (j *job) describe(r removal) Removed {
	p, i := j.at(r.doc)
	if r.relation == Leaks {
		l, _ := p.leak(int(r.kept)) // examine has read it
		return Removed{File: l.File, Record: l.Record, ID: l.ID, KeptFile: l.Set, KeptRecord: l.Item, KeptID: l.ItemID, Relation: r.relation.String(), Shared: uint32(l.Words)}
	}
	q, k := j.at(r.kept)
	x := Removed{File: p.file.title(), Record: p.number(i), ID: strings.Clone(p.names.At(i)), KeptFile: q.file.title(), KeptRecord: q.number(k), KeptID: strings.Clone(q.names.At(k)),
		Relation: r.relation.String(), Resemblance: r.resemblance(), Shared: r.shared, Shingles: r.a, KeptOf: r.b}
	x.Contained, x.Contains = r.of()
	return x
}

// title is the name of a file in the reports.
func (f *file) title() string {
	if f.name == "" {
		return f.Path
	}
	return f.name
}

// tell writes removed.jsonl and makes the report.
func (j *job) tell() error {
	list, err := j.removals()
	if err != nil {
		return err
	}
	defer list.file.Close()
	if err := j.count(&list); err != nil {
		return err
	}
	if path := filepath.Join(j.out, RemovedName); !exists(path) {
		err := j.writeFile(path, func(f *os.File) error {
			w := bufio.NewWriterSize(f, 1<<16)
			lines := json.NewEncoder(w)
			lines.SetEscapeHTML(false)
			for i := range list.len() {
				if err := lines.Encode(j.describe(list.at(i))); err != nil {
					return err
				}
			}
			return w.Flush()
		})
		if err != nil {
			return err
		}
	}
	return list.file.Err()
}

// write copies the files without the records that go.
func (j *job) write() error {
	if j.DryRun || len(j.report.Lost) > 0 {
		return nil
	}
	list, err := j.removals()
	if err != nil {
		return err
	}
	defer list.file.Close()
	var total, done atomic.Int64
	files := slices.DeleteFunc(slices.Clone(j.files), func(f *file) bool { return f.name == "" })
	for _, f := range files {
		total.Add(f.Size)
	}
	err = parallel.Each(j.ctx, len(files), j.Workers, func(_, i int) error {
		f := files[i]
		path := filepath.Join(j.out, filepath.FromSlash(f.output()))
		if !exists(path) {
			if err := j.writeShard(f, path, &list); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		j.progress("write", done.Add(f.Size), total.Load())
		return nil
	})
	if err == nil {
		err = list.file.Err()
	}
	j.report.Written = err == nil
	return err
}

// output returns the name of the file in the output.
func (f *file) output() string {
	if suffix, same := f.Packing(); !same {
		return f.name[:len(f.name)-len(filepath.Ext(f.name))] + suffix
	}
	return f.name
}

// writeShard copies a file.
func (j *job) writeShard(f *file, path string, list *removals) error {
	from, to := list.from(f.from), list.from(f.to)
	if f.Format == "text" && to > from {
		return nil // the file is the record
	}
	return j.writeFile(path, func(out *os.File) error {
		return f.Copy(j.ctx, out, func(yield func(shard.Range) bool) {
			for i := from; i < to; i++ {
				p, k := j.at(list.at(i).doc)
				row := p.row(k)
				if !yield(shard.Range{Offset: int64(row[rowOffset]), Length: int64(row[rowLength])}) {
					return
				}
			}
		})
	})
}
