package dedup

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/shingles"
)

// maxDamage is the number of places of damage that are kept.
const maxDamage = 20

// errAnew says that a part must be scanned anew, without the records of a Parquet file that is damaged: such a file cannot
// be written again, so it is copied.
var errAnew = errors.New("a damaged Parquet file")

// scan reads part i and writes its table.
func (j *job) scan(e *engine, i int) error {
	err := errAnew
	for errors.Is(err, errAnew) {
		err = j.create(j.file("scan", i), func(w *mapped.Writer) error { return j.scanPart(e, j.parts[i], w) })
	}
	return err
}

// scanner writes the rows of a part.
type scanner struct {
	partTable
	job     *job
	stretch *stretch
	engine  *engine
	sampler sampler
	exam    *exam // nil without evaluation sets
	count   uint32
}

func (j *job) scanPart(e *engine, p *part, w *mapped.Writer) (err error) {
	s := scanner{job: j, engine: e}
	w.Declare("", &s.partTable)
	if j.Contained > 0 {
		e.sampler = &s.sampler
	}
	if j.exam != nil {
		if s.exam, err = j.exam(); err != nil {
			return err
		}
	}
	var stats []stretchStats
	for _, s.stretch = range p.stretches {
		if err := s.read(); err != nil {
			return err
		}
		stats = append(stats, s.stretch.stretchStats)
	}
	b, err := json.Marshal(stats)
	s.stats.AddAll(b)
	return err
}

// read reads the current stretch.
func (s *scanner) read() error {
	st := s.stretch
	st.stretchStats = stretchStats{Unread: map[string]int64{}, First: map[string]string{}}
	s.engine.list = nil
	if s.exam != nil && st.file.Name != "" {
		s.engine.list = new(shingles.List)
	}
	f, err := st.file.shard()
	if err != nil {
		return err
	}
	if f.Format == "" {
		if s.job.Strict && f.Why != nil {
			return fmt.Errorf("%s: %w", f.Path, f.Why)
		}
		reason, skip := f.Why.Error(), (*record.Skip)(nil)
		if errors.As(f.Why, &skip) {
			reason = string(skip.Reason)
			st.lose(skip)
		}
		s.unread("not read: "+reason, fmt.Errorf("%s: %w", f.Path, f.Why))
	}
	st.Lines, err = f.Read(s.job.ctx, st.piece, s.record)
	if skip := (*record.Skip)(nil); errors.As(err, &skip) {
		return skip // it names the file
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Path, err)
	}
	if !st.none && f.Format == "parquet" && len(st.Damage) > 0 {
		st.none = true
		return errAnew
	}
	return nil
}

// record adds a record.
func (s *scanner) record(r *shard.Record) error {
	if r.Skip != nil && (r.Length == 0 || r.Skip.Reason != record.ReasonEmptyPage) {
		if s.job.Strict && r.Skip.Reason.Damage() {
			return r.Skip
		}
		s.unread(string(r.Skip.Reason), r.Skip)
		s.stretch.lose(r.Skip)
		return nil
	}
	if s.stretch.none {
		s.unread("in a damaged file", errors.New(s.stretch.file.Path))
		return nil
	}
	if s.engine.list != nil {
		*s.engine.list = (*s.engine.list)[:0]
	}
	w, hash, counted, sign := s.engine.signature(r)
	if s.engine.list != nil {
		if err := s.leak(r); err != nil {
			return err
		}
	}
	s.count++
	s.stretch.Records++
	words, order := uint64(w.Words)|uint64(counted)<<32, s.job.orderOf(r, w.Words)
	s.rows.AddAll([]uint64{w.Digest, w.Sum, hash, uint64(r.Offset), uint64(r.Length), words, uint64(r.Number), order})
	s.signs.AddAll(sign)
	if s.job.Contained > 0 {
		slices.Sort(s.sampler.values)
		s.sampler.values = slices.Compact(s.sampler.values)
		s.begins.Add(len(s.sampler.values))
		s.samples.AddAll(s.sampler.values)
		s.sampler.values = s.sampler.values[:0]
	}
	s.names.Add(string(r.Name))
	s.by.Add(byOf(r))
	return nil
}

// lose notes what could not be read, if it is not a record that is copied.
func (s *stretch) lose(skip *record.Skip) {
	switch skip.Reason {
	case record.ReasonTruncatedGzip, record.ReasonBadGzip, record.ReasonBadZstd, record.ReasonBadCompression, record.ReasonUnreadableFile, record.ReasonBadParquet:
		if len(s.Damage) < maxDamage {
			s.Damage = append(s.Damage, skip.Error())
		}
	}
}

// unread counts a record that is kept because it cannot be read.
func (s *scanner) unread(reason string, err error) {
	st := s.stretch
	if st.Unread[reason]++; st.Unread[reason] == 1 {
		st.First[reason] = err.Error()
	}
}

// orderOf returns the number by which a record is put in order of preference: the least is preferred.
func (o *Options) orderOf(r *shard.Record, words int) uint64 {
	switch o.Keep {
	case "first":
		return 0
	case "longest":
		return ^(uint64(words) + 1)
	}
	value := ""
	if o.Keep == "newest" && !r.Time.IsZero() {
		value = r.Time.Format(time.RFC3339)
	}
	for _, v := range r.Columns[min(1, len(r.Columns)):] {
		value = cmp.Or(value, string(v))
	}
	if value == "" {
		return unordered
	}
	order := orderOfValue(value)
	if o.Keep == "newest" || o.Keep[0] == '-' {
		order = ^order
	}
	return min(order, unordered-1)
}

// unordered is the place of a record without the value by which records are put in order.
const unordered = math.MaxUint64

// orderOfValue returns the place of a value: numbers and times by their size, other strings by their first bytes.
func orderOfValue(v string) uint64 {
	if x, err := strconv.ParseFloat(v, 64); err == nil {
		return sortable(x)
	}
	if at := record.ParseTime(v); !at.IsZero() {
		return sortable(float64(at.UnixMilli()))
	}
	var begins [8]byte
	copy(begins[:], v)
	return binary.BigEndian.Uint64(begins[:])
}

// sortable returns a number that is in the order of x.
func sortable(x float64) uint64 {
	b := math.Float64bits(x)
	if b>>63 == 1 {
		return ^b
	}
	return b | 1<<63
}
