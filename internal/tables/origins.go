package tables

import (
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
)

// OriginsWriter writes origins.lsh in order of the documents.
type OriginsWriter struct {
	writer
	document, first      *mapped.Section
	term, title, content *mapped.Section
	n                    uint64
}

// CreateOrigins starts origins.lsh.
func CreateOrigins(path string) *OriginsWriter {
	w := mapped.Create(path, "origins", version)
	s := &OriginsWriter{
		writer: writer{w}, document: w.Side("document", 4), first: w.Side("first", 8),
		title: w.Side("title", 2), content: w.Side("content", 2), term: w.Section("term", 4),
	}
	s.first.U64(0)
	return s
}

// Add appends the origins of the bag of a document, unless the whole bag comes from links.
func (s *OriginsWriter) Add(document uint32, of bags.Origins) {
	if of.Len() == 0 {
		return
	}
	for i, t := range of.Terms {
		s.term.U32(t)
		s.title.U16(of.Title[i])
		s.content.U16(of.Content[i])
	}
	s.document.U32(document)
	s.n += uint64(of.Len())
	s.first.U64(s.n)
}

// Origins reads origins.lsh.
type Origins struct {
	file
	document       column32
	first          column64
	term           column32
	title, content column16
}

// OpenOrigins opens origins.lsh.
func OpenOrigins(path string) (*Origins, error) {
	r := open(path, "origins")
	s := &Origins{
		file: file{r.f}, document: r.u32("document"), first: r.u64("first"), term: r.u32("term"),
		title: r.u16("title"), content: r.u16("content"),
	}
	n := s.term.Len()
	return s, r.done(s.first.Len() == s.document.Len()+1 && s.title.Len() == n && s.content.Len() == n)
}

// Len returns the number of documents with origins other than links.
func (s *Origins) Len() int { return s.document.Len() }

// Document returns the i-th of these documents.
func (s *Origins) Document(i int) uint32 { return s.document.At(i) }

// At returns the origins of the bag of a document. They point into the table.
func (s *Origins) At(id uint32) bags.Origins {
	i, ok := search(s.document, id)
	if !ok {
		return bags.Origins{}
	}
	from, to := s.span("first", s.first, i, s.term.Len())
	return bags.Origins{Terms: s.term.Slice(from, to), Title: s.title.Slice(from, to), Content: s.content.Slice(from, to)}
}
