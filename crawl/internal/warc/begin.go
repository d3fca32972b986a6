package warc

import (
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

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
