package dedup

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/shingles"
)

// file is an input.
type file struct {
	input
	shard     func() (*shard.File, error)
	stretches []*stretch
}

// title is the name of a file in the reports.
func (f *file) title() string {
	if f.Name == "" {
		return f.Path
	}
	return f.Name
}

// stretch is a file or, if it is large, a piece of it.
type stretch struct {
	file  *file
	part  *part
	piece shard.Part
	none  bool // its records are only counted
	first int  // number of its first record among those of all files
	line  int64
	stretchStats
}

// stretchStats are kept beside the rows.
type stretchStats struct {
	Records int               `json:"records"` // those with rows
	Lines   int64             `json:"lines"`
	Unread  map[string]int64  `json:"unread,omitempty"` // records by reason
	Damage  []string          `json:"damage,omitempty"` // places
	First   map[string]string `json:"first,omitempty"`  // an example for each reason
}

// part is what one goroutine reads at once: a stretch, or several short ones.
type part struct {
	partTable
	number    int
	stretches []*stretch
	first     int // number of its first record
	opened    func() error
	sets      storedSets
}

// partTable holds a row of rowSize numbers and a signature for each record of a part, its name, and its value of Options.By.
type partTable struct {
	samples mapped.Numbers[uint32] `lsh:"samples,stream"` // of all records; only for containment
	stats   mapped.Numbers[byte]   `lsh:"stats,stream"`   // of the stretches, as JSON
	rows    mapped.Numbers[uint64] `lsh:"rows"`
	signs   mapped.Numbers[byte]   `lsh:"signs"`
	names   mapped.Texts           `lsh:"names"`
	by      mapped.Texts           `lsh:"by"`
	begins  mapped.Starts          `lsh:"begins"`  // of the samples of each record
	leakers mapped.Numbers[uint32] `lsh:"leakers"` // the record of each leak
	leaks   mapped.Texts           `lsh:"leaks"`
}

// The numbers of a row.
const (
	rowDigest = iota // of the words, and the sum of the shingles
	_
	rowText   // hash of the text
	rowOffset // of the record in the stream
	rowLength
	rowWords  // number of words and, in the upper half, of those that count
	rowNumber // of the record in its stretch
	rowOrder  // by which records are put in order of preference
	rowSize
)

func words(row []uint64) int   { return int(uint32(row[rowWords])) }
func counted(row []uint64) int { return int(row[rowWords] >> 32) }

// fileCost is for how many bytes of it a file counts that is empty.
const fileCost = 1 << 10

// layout divides the inputs into parts: large files into several, and many short ones into one.
func (j *job) layout() {
	total, room := int64(0), int64(-1)
	for _, in := range j.plan.Inputs {
		total += in.Size
	}
	size := min(max(total/partsWanted, leastPart), mostPart)
	for _, in := range j.plan.Inputs {
		f := &file{input: in, shard: sync.OnceValues(func() (*shard.File, error) { return shard.Open(in.Path, j.reading(j.work)) })}
		pieces := []shard.Part{{}}
		if in.Lines {
			pieces = shard.Divide(in.Size, size)
		}
		for _, piece := range pieces {
			if room -= in.Size + fileCost; room < 0 {
				p := &part{number: len(j.parts)}
				p.opened = sync.OnceValue(func() error { return p.open(j) })
				j.parts, room = append(j.parts, p), size-in.Size-fileCost
			}
			p := j.parts[len(j.parts)-1]
			s := &stretch{file: f, part: p, piece: piece}
			f.stretches, p.stretches = append(f.stretches, s), append(p.stretches, s)
		}
		j.files = append(j.files, f)
	}
}

// open opens the table of a part.
func (p *part) open(j *job) error {
	if err := j.load(j.file("scan", p.number), &p.partTable); err != nil {
		return err
	}
	var list []stretchStats
	if err := json.Unmarshal(p.stats.All(), &list); err != nil || len(list) != len(p.stretches) {
		return fmt.Errorf("%s: %d stretches of files, not %d: %w", j.file("scan", p.number), len(list), len(p.stretches), err)
	}
	for i, s := range list {
		p.stretches[i].stretchStats = s
	}
	return nil
}

// openAll opens the tables of all parts.
func (j *job) openAll() error {
	for _, p := range j.parts {
		if err := p.opened(); err != nil {
			return err
		}
	}
	return nil
}

// number numbers the records of all stretches.
func (j *job) number() {
	for _, f := range j.files {
		line := int64(0)
		for _, s := range f.stretches {
			s.first, s.line = j.docs, line
			j.docs += s.Records
			line += s.Lines
		}
		if f.Name == "" {
			j.seen = j.docs
		}
	}
	for _, p := range j.parts {
		p.first = p.stretches[0].first
	}
}

func (p *part) count() int { return p.rows.Len() / rowSize }

// row returns the row of a record of the part.
func (p *part) row(i int) []uint64 { return p.rows.Slice(i*rowSize, (i+1)*rowSize) }

// sign returns the signature of a record of the part.
func (p *part) sign(i int) []byte { return p.signs.Slice(i*bins, (i+1)*bins) }

// sample returns the samples of a record of the part, in ascending order.
func (p *part) sample(i int) []uint32 {
	return p.samples.Slice(p.begins.Span(i, p.samples.Len()))
}

// stretchOf returns the stretch of a record of the part.
func (p *part) stretchOf(i int) *stretch {
	k := sort.Search(len(p.stretches), func(k int) bool { return p.stretches[k].first > p.first+i })
	return p.stretches[k-1]
}

// place returns the name of the file of a record of the part, and its number there.
func (p *part) place(i int) (file string, number int64) {
	s := p.stretchOf(i)
	return s.file.title(), s.line + int64(p.row(i)[rowNumber])
}

// at returns the part of a record and its place there.
func (j *job) at(doc uint32) (*part, int) {
	k := sort.Search(len(j.parts), func(k int) bool { return j.parts[k].first > int(doc) }) - 1
	return j.parts[k], int(doc) - j.parts[k].first
}

// storedSets holds the sets of shingles of some records of a part.
type storedSets struct {
	values mapped.Numbers[uint64] `lsh:"values,stream"`
	docs   mapped.Numbers[uint32] `lsh:"docs" of:"record"` // of the part, in ascending order
	begins mapped.Starts          `lsh:"begins" of:"record"`
}

// findSets writes the sets of those records of part i that are candidates. Their texts are read again.
func (j *job) findSets(e *engine, i int) error {
	m, err := j.matches()
	if err != nil {
		return err
	}
	p, wanted := j.parts[i], m.wanted.Slice(m.begins.Span(i, m.wanted.Len()))
	e.set = shingles.NewSet()
	return j.create(j.file("sets", i), func(w *mapped.Writer) error {
		var s storedSets
		w.Declare("", &s)
		return j.again(p, wanted, func(i uint32, r *shard.Record) error {
			e.set.Reset()
			if w, _, _, _ := e.signature(r); w.Digest != p.row(int(i))[rowDigest] {
				return p.changed(int(i))
			}
			s.values.AddAll(e.set.Values())
			s.docs.Add(i)
			s.begins.Add(e.set.Len())
			return nil
		})
	})
}

// changed returns the error for a record that is not what it was.
func (p *part) changed(i int) error {
	file, number := p.place(i)
	return fmt.Errorf("%s: record %d is not what it was when it was read: the file was changed", file, number)
}

// again reads records of a part again.
func (j *job) again(p *part, docs []uint32, yield func(i uint32, r *shard.Record) error) error {
	if len(docs) == 0 {
		return nil
	}
	if err := p.opened(); err != nil {
		return err
	}
	for len(docs) > 0 {
		s := p.stretchOf(int(docs[0]))
		n, _ := slices.BinarySearch(docs, uint32(s.first-p.first+s.Records))
		if err := j.stretchAgain(p, s, docs[:n], yield); err != nil {
			return err
		}
		docs = docs[n:]
	}
	return nil
}

// stretchAgain reads records of a stretch again.
func (j *job) stretchAgain(p *part, s *stretch, docs []uint32, yield func(i uint32, r *shard.Record) error) error {
	f, err := s.file.shard()
	if err != nil {
		return err
	}
	ranges := func(yield func(shard.Range) bool) {
		for _, i := range docs {
			if !yield(p.rangeOf(int(i))) {
				return
			}
		}
	}
	left := docs
	err = f.Again(j.ctx, s.piece, ranges, func(r *shard.Record) error {
		for len(left) > 0 && p.rangeOf(int(left[0])).Offset == r.Offset {
			i := left[0]
			left = left[1:]
			if err := yield(i, r); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && len(left) > 0 {
		err = p.changed(int(left[0]))
	}
	return err
}

// rangeOf returns where a record of the part is in its file.
func (p *part) rangeOf(i int) shard.Range {
	row := p.row(i)
	return shard.Range{Offset: int64(row[rowOffset]), Length: int64(row[rowLength])}
}

// openSets opens the sets of all parts.
func (j *job) openSets() error {
	for _, p := range j.parts {
		if err := j.load(j.file("sets", p.number), &p.sets); err != nil {
			return err
		}
	}
	return nil
}

// of returns the set of a record of the part, in ascending order.
func (s *storedSets) of(i int) []uint64 {
	at, ok := slices.BinarySearch(s.docs.All(), uint32(i))
	if !ok {
		return nil
	}
	return s.values.Slice(s.begins.Span(at, s.values.Len()))
}
