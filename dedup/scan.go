package dedup

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
)

// part is a part of a file with the rows of its records.
//
// The file of a part holds a row of rowWords numbers and a signature for each record, and its name and value of Options.By
// as strings. It is written when the whole part has been read.
type part struct {
	file *file
	shard.Part
	path  string
	first int // number of the first record among those of all parts
	line  int64
	partStats
	table   *mapped.File
	rows    mapped.Column[uint64]
	signs   mapped.Column[byte]
	names   mapped.Strings
	by      mapped.Strings
	ends    mapped.Column[uint64] // of the samples of each record; only for containment
	samples mapped.Column[uint32]
	sets    *storedSets

	leakers mapped.Column[uint32] // of each leak the record
	leaks   mapped.Strings
}

// partStats are kept beside the rows.
type partStats struct {
	Lines  int64             `json:"lines"`
	Unread map[string]int64  `json:"unread,omitempty"` // records by reason
	Damage []string          `json:"damage,omitempty"` // places
	First  map[string]string `json:"first,omitempty"`  // an example for each reason
}

// The numbers of a row.
const (
	rowDigest = iota // of the words, and the sum of the shingles
	_
	rowText   // hash of the text
	rowOffset // of the record in the stream
	rowLength
	rowWords  // number of words
	rowNumber // of the record in its part
	rowOrder  // by which records are put in order of preference
	rowSize
)

const kindPart = "dedup"

// maxDamage is the number of places of damage that are kept.
const maxDamage = 20

// scan reads all parts that no earlier process has read.
func (j *job) scan() error {
	var total, done atomic.Int64
	for _, f := range j.files {
		total.Add(f.Size)
	}
	engines := make([]*engine, j.Workers)
	return parallel.Each(j.ctx, len(j.parts), j.Workers, func(worker, i int) (err error) {
		p := j.parts[i]
		if engines[worker] == nil {
			if engines[worker], err = newEngine(); err != nil {
				return err
			}
		}
		if !exists(p.path) {
			if err := j.scanPart(engines[worker], p); err != nil {
				return err
			}
		}
		size := p.file.Size / int64(len(p.file.parts))
		j.progress("scan", done.Add(size), total.Load())
		return nil
	})
}

// scanPart reads a part and writes its rows. Parquet that is damaged cannot be written again, so it is copied and has none.
func (j *job) scanPart(e *engine, p *part) error {
	damaged, err := j.scanRecords(e, p, true)
	if err == nil && damaged {
		_, err = j.scanRecords(e, p, false)
	}
	return err
}

// scanRecords reads a part and writes the rows of its records, or counts them as unread.
func (j *job) scanRecords(e *engine, p *part, rows bool) (damaged bool, err error) {
	w := mapped.Create(p.path, kindPart, version)
	defer w.Abort()
	s := scanner{job: j, part: p, engine: e, none: !rows, signs: w.Side("signs", 1), names: w.Strings("names"), by: w.Strings("by"), ends: w.Side("ends", 8),
		stats: partStats{Unread: map[string]int64{}, First: map[string]string{}}}
	if j.Contained > 0 {
		s.samples, s.rows, e.sampler = w.Section("samples", 4), w.Side("rows", 8), &s.sampler // the larger one is streamed
	} else {
		s.rows, s.samples = w.Section("rows", 8), w.Side("samples", 4)
	}
	if s.leakers, s.leaks, e.list = w.Side("leakers", 4), w.Strings("leaks"), nil; j.exam != nil && p.file.name != "" {
		e.list = new(shingleList)
	}
	lines, err := p.file.Read(j.ctx, p.Part, s.record)
	if skip := (*record.Skip)(nil); errors.As(err, &skip) {
		return false, skip // it names the file
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", p.file.Path, err)
	}
	if p.file.Format == "" {
		s.unread("not read: "+p.file.Why.Error(), p.file.Why)
	}
	if rows && p.file.Format == "parquet" && len(s.stats.Damage) > 0 {
		return true, nil
	}
	s.stats.Lines = lines
	b, err := json.Marshal(s.stats)
	if err != nil {
		return false, err
	}
	w.Section("stats", 1).Bytes(b)
	return false, w.Close()
}

// scanner writes the rows of a part.
type scanner struct {
	job     *job
	part    *part
	engine  *engine
	none    bool // records are only counted
	rows    *mapped.Section
	signs   *mapped.Section
	names   *mapped.StringsWriter
	by      *mapped.StringsWriter
	ends    *mapped.Section
	samples *mapped.Section
	sampler sampler
	end     uint64

	leakers *mapped.Section
	leaks   *mapped.StringsWriter
	count   uint32
	stats   partStats
}

// record adds a record.
func (s *scanner) record(r *shard.Record) error {
	if r.Skip != nil && r.Length == 0 || r.Skip != nil && r.Skip.Reason != record.ReasonEmptyPage {
		if s.job.Strict && r.Skip.Reason.Damage() {
			return r.Skip
		}
		s.unread(string(r.Skip.Reason), r.Skip)
		if loses(r.Skip.Reason) && len(s.stats.Damage) < maxDamage {
			s.stats.Damage = append(s.stats.Damage, r.Skip.Error())
		}
		return nil
	}
	if s.none {
		s.unread("in a damaged file", errors.New(s.part.file.Path))
		return nil
	}
	if s.engine.list != nil {
		*s.engine.list = (*s.engine.list)[:0]
	}
	w, hash, sign := s.engine.signature(r)
	if s.engine.list != nil {
		if err := s.leak(r); err != nil {
			return err
		}
	}
	s.count++
	order, by := s.job.orderOf(r, w.Words), ""
	if len(r.Columns) > 0 {
		by = string(r.Columns[0])
	}
	s.rows.U64s([]uint64{w.Digest, w.Sum, hash, uint64(r.Offset), uint64(r.Length), uint64(w.Words), uint64(r.Number), order})
	s.signs.Bytes(sign)
	if s.job.Contained > 0 {
		slices.Sort(s.sampler.values)
		s.sampler.values = slices.Compact(s.sampler.values)
		s.end += uint64(len(s.sampler.values))
		s.ends.U64(s.end)
		for _, v := range s.sampler.values {
			s.samples.U32(v)
		}
		s.sampler.values = s.sampler.values[:0]
	}
	s.names.Add(string(r.Name))
	s.by.Add(record.Clip(by, 200))
	return nil
}

// loses reports whether something for a reason is not in the copy of the file.
func loses(r record.Reason) bool {
	switch r {
	case record.ReasonTruncatedGzip, record.ReasonBadGzip, record.ReasonBadZstd, record.ReasonBadCompression, record.ReasonUnreadableFile, record.ReasonBadParquet:
		return true
	}
	return false
}

// unread counts a record that is kept because it cannot be read.
func (s *scanner) unread(reason string, err error) {
	if s.stats.Unread[reason]++; s.stats.Unread[reason] == 1 {
		s.stats.First[reason] = err.Error()
	}
}

// orderOf returns the number by which a record is put in order of preference: the least is preferred.
func (o *Options) orderOf(r *shard.Record, words int) uint64 {
	switch o.Keep {
	case "first":
		return 0
	case "longest":
		return ^uint64(words)
	case "newest":
		at := r.Time
		for _, v := range r.Columns[1:] {
			if at.IsZero() && v != nil {
				at = record.ParseTime(string(v))
			}
		}
		if at.IsZero() {
			return math.MaxUint64
		}
		return ^sortable(float64(at.UnixMilli()))
	}
	if len(r.Columns) < 2 || len(r.Columns[1]) == 0 {
		return math.MaxUint64
	}
	order := orderOfValue(string(r.Columns[1]))
	if o.Keep[0] == '-' {
		order = ^order
	}
	return min(order, math.MaxUint64-1)
}

// orderOfValue returns the place of a value: numbers and times by their size, other strings by their first bytes.
func orderOfValue(v string) (n uint64) {
	if x, err := strconv.ParseFloat(v, 64); err == nil {
		return sortable(x)
	}
	if at := record.ParseTime(v); !at.IsZero() {
		return sortable(float64(at.UnixMilli()))
	}
	for i := range 8 {
		if n <<= 8; i < len(v) {
			n |= uint64(v[i])
		}
	}
	return n
}

// sortable returns a number that is in the order of x.
func sortable(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}

// index opens the rows of all parts and numbers the records.
func (j *job) index() error {
	for _, f := range j.files {
		f.from = j.docs
		line := int64(0)
		for _, p := range f.parts {
			if err := p.open(); err != nil {
				return err
			}
			p.first, p.line = j.docs, line
			line += p.Lines
			j.docs += p.count()
		}
		if f.to = j.docs; f.name == "" {
			j.seen = f.to
		}
	}
	if int64(j.docs) > math.MaxUint32 {
		return fmt.Errorf("%d records are more than can be compared at once; %d can", j.docs, uint32(math.MaxUint32))
	}
	return nil
}

// open opens the file of a part.
func (p *part) open() (err error) {
	if p.table, err = mapped.Open(p.path, kindPart, version); err != nil {
		return errors.Join(err, os.Remove(p.path), errors.New("give the same command again: it reads that part anew"))
	}
	var stats mapped.Column[byte]
	for _, view := range []func() error{
		func() error { p.rows, err = mapped.View[uint64](p.table, "rows"); return err },
		func() error { p.signs, err = mapped.View[byte](p.table, "signs"); return err },
		func() error { stats, err = mapped.View[byte](p.table, "stats"); return err },
		func() error { p.ends, err = mapped.View[uint64](p.table, "ends"); return err },
		func() error { p.leakers, err = mapped.View[uint32](p.table, "leakers"); return err },
		func() error { p.leaks, err = p.table.Strings("leaks"); return err },
		func() error { p.samples, err = mapped.View[uint32](p.table, "samples"); return err },
		func() error { p.names, err = p.table.Strings("names"); return err },
		func() error { p.by, err = p.table.Strings("by"); return err },
	} {
		if err := view(); err != nil {
			return err
		}
	}
	return json.Unmarshal(stats.All(), &p.partStats)
}

func (p *part) close() error {
	if p.table == nil {
		return nil
	}
	err := errors.Join(p.table.Close(), p.table.Err())
	p.table = nil
	if p.sets != nil {
		err = errors.Join(err, p.sets.close())
	}
	return err
}

func (p *part) count() int { return p.rows.Len() / rowSize }

// row returns the row of a record of the part.
func (p *part) row(i int) []uint64 { return p.rows.Slice(i*rowSize, (i+1)*rowSize) }

// sign returns the signature of a record of the part.
func (p *part) sign(i int) []byte { return p.signs.Slice(i*bins, (i+1)*bins) }

// sample returns the samples of a record of the part, in ascending order.
func (p *part) sample(i int) []uint32 {
	from := 0
	if i > 0 {
		from = int(p.ends.At(i - 1))
	}
	return p.samples.Slice(from, int(p.ends.At(i)))
}

// number returns the number of a record in its file.
func (p *part) number(i int) int64 { return p.line + int64(p.row(i)[rowNumber]) }

// at returns the part of a record and its place there.
func (j *job) at(doc uint32) (*part, int) {
	from, to := 0, len(j.parts)
	for to-from > 1 {
		if mid := (from + to) / 2; j.parts[mid].first <= int(doc) {
			from = mid
		} else {
			to = mid
		}
	}
	return j.parts[from], int(doc) - j.parts[from].first
}
