package tables

import (
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/mapped"
)

// SourcesWriter writes sources.lsh in the order of the documents.
type SourcesWriter struct {
	w                    *mapped.Writer
	document, first      *mapped.Section
	term, title, content *mapped.Section
	n                    uint64
}

// CreateSources starts sources.lsh.
func CreateSources(path string) (*SourcesWriter, error) {
	w, err := mapped.Create(path, "sources", version)
	if err != nil {
		return nil, err
	}
	s := &SourcesWriter{
		w: w, document: w.Side("document", 4), first: w.Side("first", 8),
		title: w.Side("title", 2), content: w.Side("content", 2), term: w.Section("term", 4),
	}
	s.first.U64(0)
	return s, nil
}

// Add appends the sources of the bag of a document, unless all of it comes from links.
func (s *SourcesWriter) Add(document uint32, of bags.Sources) {
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

// Close publishes the table.
func (s *SourcesWriter) Close() error { return s.w.Close() }

// Abort removes what was written.
func (s *SourcesWriter) Abort() { s.w.Abort() }

// Sources reads sources.lsh.
type Sources struct {
	file
	document       column32
	first          column64
	term           column32
	title, content column16
}

// OpenSources opens sources.lsh.
func OpenSources(path string) (*Sources, error) {
	r := open(path, "sources")
	s := &Sources{
		file: file{r.f}, document: r.u32("document"), first: r.u64("first"), term: r.u32("term"),
		title: r.u16("title"), content: r.u16("content"),
	}
	n := s.term.Len()
	return s, r.done(s.first.Len() == s.document.Len()+1 && s.title.Len() == n && s.content.Len() == n)
}

// Len returns the number of documents that have sources other than links.
func (s *Sources) Len() int { return s.document.Len() }

// Document returns the i-th of these documents.
func (s *Sources) Document(i int) uint32 { return s.document.At(i) }

// At returns the sources of the bag of a document. They point into the table.
func (s *Sources) At(id uint32) bags.Sources {
	i, ok := search(s.document, id)
	if !ok {
		return bags.Sources{}
	}
	from, to := s.span("first", s.first, i, s.term.Len())
	return bags.Sources{Terms: s.term.Slice(from, to), Title: s.title.Slice(from, to), Content: s.content.Slice(from, to)}
}
