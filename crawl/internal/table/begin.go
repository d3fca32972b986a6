package table

import (
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// CanBegin implements [record.Beginner]. What follows an object may
// depend on its indentation and on what surrounds it.
func (s *jsonlSource) CanBegin(at record.Position) bool {
	simple := s.known && len(s.around.open) == 0 && len(s.ready) == 0
	return simple && s.began == 0 && at.Offset >= s.far && s.Lines.CanBegin()
}

// Begin implements [record.Beginner].
func (s *jsonlSource) Begin(at record.Position) error {
	head, _ := s.Buf.Peek(payload.SniffLen)
	s.first, s.known, s.begun, s.inside = firstOf(head), true, true, nil
	s.number = at.Record
	return s.BeginAt(at)
}

// CanBegin implements [record.Beginner]. What a quote means may depend on lines before the row.
func (s *tableSource) CanBegin(at record.Position) bool {
	return s.Lines.CanBegin() && at.Offset >= s.searched
}

// Begin implements [record.Beginner]. It reads the names of the columns first.
func (s *tableSource) Begin(at record.Position) error {
	s.begun, s.useful = true, true
	if err := s.header(); err != nil {
		return err
	}
	s.ahead.room.Free()
	s.ahead = ahead{room: s.Opts.NewRoom()}
	return s.BeginAt(at)
}
