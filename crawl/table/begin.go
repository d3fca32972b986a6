package table

import "github.com/lshclust/lshclust/crawl/record"

// CanBegin implements [record.Beginner]. The links of a row of lists share one position.
func (s *jsonlSource) CanBegin(record.Position) bool { return s.Lines.CanBegin() && !s.lists.on }

// Begin implements [record.Beginner].
func (s *jsonlSource) Begin(at record.Position) error {
	s.first = true
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
