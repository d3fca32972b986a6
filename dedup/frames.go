package dedup

import (
	"errors"
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

// frames holds the shingles of the frame of each value, in ascending order.
type frames map[string][]uint64

// findFrames writes the frames.
func (j *job) findFrames(e *engine, i int) error {
	found, err := j.countFrames(e)
	if err != nil {
		return err
	}
	return j.writeJSON(j.file("frames", i), found)
}

// countFrames finds the frames.
func (j *job) countFrames(e *engine) (frames, error) {
	found, set, size := frames{}, shingles.NewSet(), 0
	texts, counts := map[string]map[uint64]bool{}, map[string]map[uint64]int{} // by value: digests, and texts by shingle
	end := func(by string) {
		for v, n := range counts[by] {
			if len(texts[by]) >= leastFramed && 2*n > len(texts[by]) {
				found[by] = append(found[by], v)
			}
		}
		slices.Sort(found[by])
		delete(counts, by)
	}
	add := func(r *shard.Record) error {
		by := byOf(r)
		if texts[by] == nil {
			texts[by], counts[by] = map[uint64]bool{}, map[uint64]int{}
		}
		set.Reset()
		if r.Skip != nil || counts[by] == nil {
			return nil
		}
		if w, _ := e.read(set, r); w.Words >= shortText && !texts[by][w.Digest] {
			texts[by][w.Digest] = true
			size -= len(counts[by])
			for _, v := range set.Values() {
				counts[by][v]++
			}
			size += len(counts[by])
			if len(texts[by]) == framedTexts {
				size -= len(counts[by])
				end(by)
			}
		}
		if int64(size+len(texts)) > j.Memory/4/framedBytes {
			return errors.New("too many values of --by, or too large texts, to find what is common: give more --memory")
		}
		return nil
	}
	for _, f := range j.files {
		if err := f.each(j, add); err != nil {
			return nil, err
		}
	}
	for by := range counts {
		end(by)
	}
	return found, nil
}

// each reads all records of a file.
func (f *file) each(j *job, yield func(*shard.Record) error) error {
	s, err := f.shard()
	if err == nil {
		_, err = s.Read(j.ctx, shard.Part{}, yield)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	return nil
}

// byOf returns the value of Options.By of a record.
func byOf(r *shard.Record) string {
	if len(r.Columns) == 0 {
		return ""
	}
	return record.Clip(string(r.Columns[0]), 200)
}
