package warc

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"math"
	"sync"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// rangesSource reads one archive with several goroutines and returns exactly what a Source returns.
//
// The file is cut every step bytes. A goroutine looks for the first member (in an uncompressed file, the first record)
// that begins after its cut and reads until the first one that begins after the next cut. The place where it begins is
// a guess: a payload can contain a whole archive, and damage can hide a member. Between two members the only state of a
// reader is its offset, so a guess was right if the preceding range ended exactly there. Otherwise the range is read
// again from where the preceding range ended. Ranges are assigned in order, at most one per worker at a time, and each
// keeps at most rangeAhead batches waiting.
type rangesSource struct {
	*stream.Input
	*syntax
	opts    *record.Options
	like    *stream.Members // the members of the whole file
	step    int64
	given   atomic.Int64 // offset of the last record returned, for progress
	idle    chan *Source
	first   int64 // offset at which the first range begins
	records int64
	begun   int64
}

const (
	minRange   = 512 << 10 // a shorter range costs more to locate than it saves
	maxRange   = 2 << 20   // at the usual compression ratio of 5, its content should fit into the waiting batches
	rangeAhead = 32
	batchSize  = 512 << 10
)

// InRanges returns a source that reads the file with several goroutines, or s itself if the options ask for one worker,
// the file is small, or it cannot be opened more than once.
func (s *Source) InRanges() record.Source {
	if s.opts.Workers < 2 || !s.Kind.Splits() {
		return s
	}
	step := cmp.Or(s.opts.Range, min(max(s.Size()/int64(4*s.opts.Workers), minRange), maxRange))
	if !s.CanSeek() || s.Reopen == nil || s.Size() < 2*step {
		return s
	}
	return &rangesSource{Input: s.Input, syntax: s.syntax, opts: s.opts, like: s.Members, step: step,
		idle: make(chan *Source, s.opts.Workers+1)}
}

// Format and Offset implement record.Source.

func (s *rangesSource) Format() string { return s.format }
func (s *rangesSource) Offset() int64  { return s.given.Load() }

// aheadOf returns the number of batches that a range may keep waiting.
func aheadOf(o *record.Options) int {
	if o.Memory <= 0 {
		return rangeAhead
	}
	return int(min(max(o.Memory/16/batchSize, 1), rangeAhead))
}

// heard is an item that a range yields: a record or an error.
type heard struct {
	rec *record.Record
	err error
}

// span is the state of a range that is being read.
type span struct {
	limit   int64      // the reader stops at the first member that begins at this offset or after it
	begin   chan int64 // receives the offset at which the reader began, -1 if no member begins in the range
	items   chan []heard
	stopped int64 // the offset at which the reader ended; it and the fields below are valid once items is closed
	records int64
	begun   int64
	stop    context.CancelFunc
}

// Records implements record.Source.
func (s *rangesSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		var running sync.WaitGroup
		defer s.closeIdle()
		defer running.Wait()
		defer stop()
		var ahead []*span
		next, at := s.first, s.first
		for at < s.Size() {
			for ; len(ahead) < s.opts.Workers && next < s.Size(); next += s.step {
				ahead = append(ahead, s.start(ctx, &running, next, next, next == s.first))
			}
			r := ahead[0]
			ahead = ahead[1:]
			if at < r.limit && <-r.begin != at {
				r.stop()
				r = s.start(ctx, &running, at, r.limit-s.step, true)
				<-r.begin
			} else if at >= r.limit {
				r.stop()
				continue
			}
			if !s.give(r, yield) {
				return
			}
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			at = r.stopped
		}
		if skip := oneMember(s.Name(), s.like.Kind, s.begun, s.records); skip != nil {
			yield(nil, skip)
		}
	}
}

// give yields the items of one range. It returns false if the consumer stopped.
func (s *rangesSource) give(r *span, yield func(*record.Record, error) bool) bool {
	for items := range r.items {
		for _, h := range items {
			h.number(s.records)
			if h.rec != nil {
				s.given.Store(h.rec.Pos.Offset)
			}
			if !yield(h.rec, h.err) {
				return false
			}
		}
	}
	s.records += r.records
	s.begun += r.begun
	s.given.Store(min(r.stopped, s.Size()))
	return true
}

// number makes the record numbers, which a range counts from its own start, count from the start of the file.
func (h heard) number(before int64) {
	if h.rec == nil {
		if skip := (*record.Skip)(nil); errors.As(h.err, &skip) {
			skip.Pos.Record += before
		}
		return
	}
	h.rec.Pos.Record += before
	for _, note := range h.rec.Notes {
		note.Pos.Record += before
	}
}

// start begins reading a range. If known is set, a member begins at from; otherwise the reader first looks for the
// first member at or after from.
func (s *rangesSource) start(ctx context.Context, running *sync.WaitGroup, from, cut int64, known bool) *span {
	ctx, stop := context.WithCancel(ctx)
	r := &span{limit: cut + s.step, begin: make(chan int64, 1), items: make(chan []heard, aheadOf(s.opts)), stop: stop}
	running.Go(func() {
		defer close(r.items)
		defer stop()
		src, err := s.reader()
		if err != nil {
			r.begin <- from
			r.items <- []heard{{err: err}}
			r.stopped = s.Size()
			return
		}
		defer s.put(src)
		if !known {
			if from = src.seekMember(from, r.limit); from < 0 {
				r.begin <- -1
				return
			}
		}
		r.begin <- from
		src.readRange(ctx, r, from)
	})
	return r
}

// reader returns a reader that has its own file handle.
func (s *rangesSource) reader() (*Source, error) {
	select {
	case src := <-s.idle:
		return src, nil
	default:
	}
	in, err := s.Reopen()
	if err != nil {
		return nil, err
	}
	m := stream.NewMembersLike(in, s.like, s.opts.Memory)
	return &Source{Members: m, syntax: s.syntax, opts: s.opts, room: s.opts.NewRoom()}, nil
}

func (s *rangesSource) put(src *Source) {
	select {
	case s.idle <- src:
	default:
		src.Close()
	}
}

func (s *rangesSource) closeIdle() {
	for {
		select {
		case src := <-s.idle:
			src.Close()
		default:
			return
		}
	}
}

// seekMember returns the offset of the first member between from and limit that begins with a record, or -1 if there is
// none.
func (s *Source) seekMember(from, limit int64) int64 {
	if s.Rewind(from) != nil {
		return -1
	}
	if s.Kind != stream.Plain {
		if s.FindMember(s.fits, limit) != nil {
			return -1
		}
		return s.RawOffset()
	}
	for s.RawOffset() < limit {
		b, err := s.Raw.Peek(stream.RawSize)
		if i := s.find(b); i >= 0 && s.RawOffset()+int64(i) < limit {
			return s.RawOffset() + int64(i)
		}
		if err != nil {
			break
		}
		_, _ = s.Raw.Discard(len(b) - s.keep)
	}
	return -1
}

// readRange reads records from the member at offset from up to the limit of the range, and records where it stopped.
func (s *Source) readRange(ctx context.Context, r *span, from int64) {
	s.records, s.begun, s.pending, s.posted, s.limit = 0, 0, nil, "", r.limit
	_ = s.GoTo(from) // reading the first byte returns the same error
	var batch []heard
	size := 0
	flush := func() {
		select {
		case r.items <- batch:
		case <-ctx.Done():
		}
		batch, size = nil, 0
	}
	r.stopped = math.MaxInt64
	for ctx.Err() == nil {
		rec, err := s.record()
		if errors.Is(err, io.EOF) {
			break
		}
		batch = append(batch, heard{rec, err})
		if rec != nil {
			size += len(rec.Data)
		}
		if size >= batchSize || len(batch) == 1024 {
			flush()
		}
	}
	if s.limited {
		r.stopped = s.here().Offset
	}
	flush()
	r.records, r.begun = s.records, s.begun
}

// atLimit reports whether the next member belongs to the next range. An answer stays with the request before it.
func (s *Source) atLimit() bool {
	pos := s.here()
	s.limited = s.limit > 0 && pos.Offset >= s.limit && (s.Kind == stream.Plain || s.fresh) && s.posted == ""
	return s.limited
}

// ErrNotThere reports a position at which no record begins.
var ErrNotThere = errors.New("no record there")

// RecordAt reads the record at a position that this source, or another source of the same file, returned for it.
func (s *Source) RecordAt(pos record.Position) (*record.Record, error) {
	if err := s.goToRecord(pos); err != nil {
		return nil, err
	}
	rec, err := s.record()
	if err == nil && (rec.Pos.Offset != pos.Offset || rec.Pos.Inner != pos.Inner) {
		err = ErrNotThere
	}
	if err != nil {
		return nil, err
	}
	rec.Pos.Record = pos.Record
	return rec, nil
}

func (s *Source) goToRecord(pos record.Position) error {
	s.pending = nil
	if s.Kind == stream.Plain || s.Start != pos.Offset || s.At() > pos.Inner {
		if err := s.GoTo(pos.Offset); err != nil {
			return err
		}
	}
	if s.Kind == stream.Plain {
		return nil
	}
	if n := pos.Inner - s.At(); n > 0 {
		return s.Discard(n)
	}
	return nil
}

// CanBegin implements [record.Beginner]. Where a member begins, the only state of a reader is its offset, the number of
// records, and whether several members began before it (see oneMember).
func (s *Source) CanBegin(at record.Position) bool {
	return s.CanSeek() && at.Inner == 0 && at.Record > 1 && (s.Kind == stream.Plain || s.begun > 1)
}

// Begin implements [record.Beginner].
func (s *Source) Begin(at record.Position) error {
	s.records, s.begun = at.Record-1, 1
	return s.GoTo(at.Offset)
}

// CanBegin implements [record.Beginner].
func (s *rangesSource) CanBegin(at record.Position) bool {
	return at.Inner == 0 && at.Record > 1 && (s.like.Kind == stream.Plain || s.begun > 1)
}

// Begin implements [record.Beginner].
func (s *rangesSource) Begin(at record.Position) error {
	s.records, s.begun, s.first = at.Record-1, 1, at.Offset
	return nil
}
