package tables

import (
	"fmt"

	"github.com/lshclust/lshclust/shingles"
)

// sketchColumns are the columns that shingles.lsh has in addition if a run keeps sketches. The column value then contains the
// samples of each page.
type sketchColumns struct {
	sketch   numbers64 `lsh:"sketch,stream"` // kind, m, s of the sketches
	distinct numbers32 `lsh:"distinct"`      // number of distinct shingles of each page
}

// CreateSketches starts shingles.lsh for a run that keeps only sketches of pages.
func CreateSketches(path string, s shingles.Sketcher) *ShinglesWriter {
	t := new(ShinglesWriter)
	t.writer = shinglesTable.create(path, new(struct{}))
	t.declare(s)
	return t
}

// declare starts the columns of a table of sketches.
func (t *ShinglesWriter) declare(s shingles.Sketcher) {
	var c sketchColumns
	t.w.Declare("", &c)
	c.sketch.AddAll([]uint64{uint64(s.Kind), s.M, uint64(s.S)})
	t.distinct = &c.distinct
	t.w.Declare("", &t.shingleColumns)
}

// openSketches opens the additional columns of a table of sketches.
func (s *Shingles) openSketches() bool {
	if !s.f.Has("sketch") {
		return true
	}
	s.sketches = new(sketchColumns)
	head := &s.sketches.sketch
	if s.f.Load("", s.sketches) != nil || head.Len() != 3 || s.sketches.distinct.Len() != s.doc.Len() {
		return false
	}
	s.sketcher = shingles.Sketcher{Kind: shingles.Kind(head.At(0)), M: head.At(1), S: int(head.At(2))}
	if s.sketcher.Kind > shingles.Var || s.sketcher.S < 0 {
		s.f.Report("sketch", 0, "%s", fmt.Sprint("sketches of ", s.sketcher.Kind))
		s.sketcher = shingles.Sketcher{}
	}
	return true
}

// Sketched reports whether the table contains sketches of the pages rather than whole sets of shingles. If so, it
// implements resemble.Sketches.
func (s *Shingles) Sketched() bool { return s.sketches != nil }

// Sketcher returns the sketcher that made the sketches.
func (s *Shingles) Sketcher() shingles.Sketcher { return s.sketcher }

// Size returns the number of distinct shingles of a page.
func (s *Shingles) Size(page uint32) int {
	if s.sketches == nil {
		return s.Stored(page)
	}
	return int(s.sketches.distinct.At(int(page)))
}
