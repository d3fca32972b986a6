package dedup

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/shingles"
)

// engine turns records into words, shingles and signatures. Each goroutine has its own.
type engine struct {
	scanner *shingles.Scanner
	signer  *shingles.Signer
	sampler *sampler       // nil unless samples are wanted
	list    *shingles.List // nil unless there are evaluation sets
	frames  frames
	frame   []uint64      // of the record: shingles that do not count
	set     *shingles.Set // instead of the signer and the sampler, unless it is nil
	counted []uint64
	count   int // shingles that count
	parser  text.Parser
	plain   []byte // the text without escapes
	sign    []byte
}

func (j *job) newEngine() (*engine, error) {
	e := &engine{}
	var err error
	if e.scanner, err = shingles.NewScanner(shingleWords); err == nil {
		e.signer, err = shingles.NewSigner(bins)
	}
	if path := j.file("frames", 0); err == nil && exists(path) {
		err = readJSON(path, &e.frames)
	}
	return e, err
}

// text returns the text of a record, which is valid until the next call.
func (e *engine) text(r *shard.Record) []byte {
	switch {
	case r.HTML != nil:
		return e.parser.HTML(r.HTML).Text
	case r.Escaped && bytes.IndexByte(r.Text, '\\') >= 0:
		e.plain, _ = shingles.AppendUnescaped(e.plain[:0], r.Text)
		return e.plain
	}
	return r.Text
}

// read gives the shingles of a record to a sink. It returns what is known about the words, and a hash of the text as it is
// written.
func (e *engine) read(sink shingles.Sink, r *shard.Record) (shingles.Scanned, uint64) {
	if r.Escaped {
		return e.scanner.ScanJSON(sink, r.Text), xxh3.Hash(r.Text)
	}
	t := e.text(r)
	return e.scanner.Scan(sink, t), xxh3.Hash(t)
}

// signature returns what read returns, how many words count, and the signature, which is valid until the next call.
func (e *engine) signature(r *shard.Record) (w shingles.Scanned, hash uint64, counted int, sign []byte) {
	e.signer.Reset()
	if e.count, e.frame = 0, nil; len(e.frames) > 0 {
		e.frame = e.frames[byOf(r)]
	}
	w, hash = e.read(e, r)
	e.sign = e.signer.AppendSignature(e.sign[:0])
	counted = w.Words
	if e.frame != nil {
		counted = min(counted, e.count+shingleWords-1)
	}
	return w, hash, counted, e.sign
}

// AddAll implements shingles.Sink: it passes the shingles to the list, and those that count to the others.
func (e *engine) AddAll(values []uint64) {
	if e.list != nil {
		e.list.AddAll(values)
	}
	if e.frame != nil {
		e.counted = slices.DeleteFunc(append(e.counted[:0], values...), func(v uint64) bool {
			_, common := slices.BinarySearch(e.frame, v)
			return common
		})
		values = e.counted
	}
	e.count += len(values)
	if e.set != nil {
		e.set.AddAll(values)
		return
	}
	e.signer.AddAll(values)
	if e.sampler != nil {
		e.sampler.AddAll(values)
	}
}

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
