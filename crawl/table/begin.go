package table

import (
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// CanBegin implements [record.Beginner]. The links of a row of lists share one position. What follows an object may
// depend on its indentation and on what surrounds it.
func (s *jsonlSource) CanBegin(at record.Position) bool {
	simple := s.known && !s.lists.on && len(s.around.open) == 0 && len(s.ready) == 0
	return simple && s.began == 0 && at.Offset >= s.far && s.Lines.CanBegin()
}

// Begin implements [record.Beginner].
func (s *jsonlSource) Begin(at record.Position) error {
	head, _ := s.Buf.Peek(payload.SniffLen)
	s.first, s.known, s.begun, s.inside = firstOf(head), true, true, nil
	s.number = at.Record
	return s.BeginAt(at)
}

// CanBegin implements [record.Beginner]. A line that is read again as a row does not begin one for another source.
func (s *tableSource) CanBegin(record.Position) bool {
	return s.Lines.CanBegin() && len(s.queue) == 0 && s.again == 0
}

// Begin implements [record.Beginner]. It reads the names of the columns first.
func (s *tableSource) Begin(at record.Position) error {
	s.begun = true
	if err := s.header(); err != nil {
		return err
	}
	for _, l := range s.queue {
		l.room.Free()
	}
	s.queue = nil
	return s.BeginAt(at)
}
