package warc

import (
	"errors"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

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
