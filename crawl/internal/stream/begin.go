package stream

import "github.com/lshclust/lshclust/crawl/record"

// CanBegin reports whether BeginAt can begin with the line at any position. It can in a file that is neither compressed
// nor decoded.
func (s *Lines) CanBegin() bool { return s.Kind == Plain && s.utf16 == nil && s.CanSeek() }

// BeginAt makes NextLine continue with the line at a position.
func (s *Lines) BeginAt(at record.Position) error {
	s.seen, s.Pos = at.Record-1, at.Offset
	return s.GoTo(at.Offset)
}
