package dedup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

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
