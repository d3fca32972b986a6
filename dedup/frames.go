package dedup

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/shingles"
)

// With Options.IgnoreCommon, shingles that more than half of the first framedTexts texts with a value of Options.By have
// are its frame, such as a menu or a licence. They do not count in any record with that value. Only texts of at least
// shortText words that differ are looked at, and a value with fewer than leastFramed of them has no frame.

const (
	framedTexts = 100
	leastFramed = 20
	framedBytes = 64 // of memory for a shingle that is counted
)

// frames holds the frame of each value, in ascending order.
type frames map[string][]uint64

// framing counts the shingles of the first texts with a value.
type framing struct {
	texts map[uint64]bool // by digest
	count map[uint64]int  // texts that have a shingle
	frame []uint64
}

// end finds the frame and drops the counts.
func (f *framing) end() {
	for v, n := range f.count {
		if len(f.texts) >= leastFramed && 2*n > len(f.texts) {
			f.frame = append(f.frame, v)
		}
	}
	slices.Sort(f.frame)
	f.count = nil
}

func (j *job) partsOfFrames() int { return one(j.IgnoreCommon) }

// findFrames writes the frames.
func (j *job) findFrames(e *engine, i int) error {
	found, err := j.countFrames(e)
	return cmp.Or(err, j.writeJSON(j.file("frames", i), found))
}

// countFrames finds the frames.
func (j *job) countFrames(e *engine) (frames, error) {
	values, set, size := map[string]*framing{}, shingles.NewSet(), 0
	add := func(r *shard.Record) error {
		by := byOf(r)
		if values[by] == nil {
			values[by] = &framing{texts: map[uint64]bool{}, count: map[uint64]int{}}
		}
		f := values[by]
		if r.Skip != nil || len(f.texts) == framedTexts {
			return nil
		}
		set.Reset()
		if w, _ := e.read(set, r); w.Words >= shortText && !f.texts[w.Digest] {
			f.texts[w.Digest] = true
			size -= len(f.count)
			for _, v := range set.Values() {
				f.count[v]++
			}
			if len(f.texts) == framedTexts {
				f.end()
			}
			size += len(f.count)
		}
		if int64(size+len(values)) > j.Memory/4/framedBytes {
			return fmt.Errorf("%d values of %q are too many to find what is common in each: give more --memory", len(values), j.By)
		}
		return nil
	}
	for _, f := range j.files {
		s, err := f.shard()
		if err == nil {
			_, err = s.Read(j.ctx, shard.Part{}, add)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	found := frames{}
	for by, f := range values {
		if f.end(); len(f.frame) > 0 {
			found[by] = f.frame
		}
	}
	return found, nil
}

// readFrames reads what findFrames has written.
func (j *job) readFrames() (found frames, err error) {
	if j.IgnoreCommon {
		err = readJSON(j.file("frames", 0), &found)
	}
	return found, err
}

// byOf returns the value of Options.By of a record.
func byOf(r *shard.Record) string {
	if len(r.Columns) == 0 {
		return ""
	}
	return record.Clip(string(r.Columns[0]), 200)
}
