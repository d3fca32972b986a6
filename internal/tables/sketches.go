package tables

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/shingles"
)

// In a run that keeps sketches, shingles.lsh has two more sections, and value contains the samples of each page:
//
//	sketch    8  kind, m, s of the sketches, as numbers
//	distinct  4  number of distinct shingles of each page
const (
	sketchSection   = "sketch"
	distinctSection = "distinct"
)

// CreateSketches starts shingles.lsh for a run that keeps only sketches of pages.
func CreateSketches(path string, s shingles.Sketcher) *ShinglesWriter {
	w := mapped.Create(path, "shingles", shinglesVersion)
	return newSketchesWriter(w, s)
}

func newSketchesWriter(w *mapped.Writer, s shingles.Sketcher) *ShinglesWriter {
	head := w.Section(sketchSection, 8)
	for _, n := range []uint64{uint64(s.Kind), s.M, uint64(s.S)} {
		head.U64(n)
	}
	distinct := w.Side(distinctSection, 4)
	t := newShinglesWriter(w)
	t.distinct = distinct
	return t
}

// openSketches opens the additional sections of a table of sketches.
func (s *Shingles) openSketches(r *reader) (fits bool) {
	if r.err != nil || !r.f.Has(sketchSection) {
		return true
	}
	head := r.u64(sketchSection)
	s.distinct = r.u32(distinctSection)
	if head.Len() != 3 || s.distinct.Len() != s.doc.Len() {
		return false
	}
	s.sketched = true
	s.sketcher = shingles.Sketcher{Kind: shingles.Kind(head.At(0)), M: head.At(1), S: int(head.At(2))}
	if s.sketcher.Kind > shingles.Var || s.sketcher.S < 0 {
		s.f.Report(sketchSection, 0, "%s", fmt.Sprint("sketches of ", s.sketcher.Kind))
		s.sketcher = shingles.Sketcher{}
	}
	return true
}

// Sketched reports whether the table contains sketches of the pages rather than whole sets of shingles. If so, it
// implements resemble.Sketches.
func (s *Shingles) Sketched() bool { return s.sketched }

// Sketcher returns the sketcher that made the sketches.
func (s *Shingles) Sketcher() shingles.Sketcher { return s.sketcher }

// Size returns the number of distinct shingles of a page.
func (s *Shingles) Size(page uint32) int {
	if !s.sketched {
		return s.Stored(page)
	}
	return int(s.distinct.At(int(page)))
}
