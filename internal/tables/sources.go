package tables

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/mapped"
)

var sourcesTable = kind{"sources", 1}

type sourceColumns struct {
	first  mapped.Starts `lsh:"first"`
	source numbers64     `lsh:"source,stream"`
}

// SourcesWriter writes sources.lsh.
type SourcesWriter struct {
	writer
	sourceColumns
	want, have uint64 // linking pages announced by Add, and those whose hashes were added
}

// CreateSources starts sources.lsh. For each document, in order of ids, the caller calls Add with the number of
// linking pages, and Sources with their hashes. Calls of Sources may lag behind those of Add.
func CreateSources(path string) *SourcesWriter {
	w := new(SourcesWriter)
	w.writer = sourcesTable.create(path, &w.sourceColumns)
	return w
}

// Add appends a document with the number of pages that link to it.
func (w *SourcesWriter) Add(pages uint64) {
	w.want += pages
	w.first.Add(int(pages))
}

// Sources appends the hashes of the canonical URLs of linking pages, 8 bytes each, little-endian. Those of one
// document must be distinct and ascending.
func (w *SourcesWriter) Sources(hashes []byte) {
	w.have += uint64(len(hashes) / 8)
	w.source.AddBytes(hashes)
}

// Close publishes the table.
func (w *SourcesWriter) Close() error {
	if w.have != w.want {
		w.w.Abort()
		return fmt.Errorf("the documents have %d linking pages, but %d were written", w.want, w.have)
	}
	return w.w.Close()
}

// Sources reads sources.lsh.
type Sources struct {
	file
	sourceColumns
}

// OpenSources opens sources.lsh.
func OpenSources(path string) (*Sources, error) {
	s := new(Sources)
	return s, sourcesTable.open(path, &s.file, &s.sourceColumns, nil)
}

// Len returns the number of documents.
func (s *Sources) Len() int { return s.first.Len() - 1 }

// Of returns the hashes of the canonical URLs of the pages that link to a document, distinct and ascending. The slice
// points into the table.
func (s *Sources) Of(id uint32) []uint64 {
	from, to := s.first.Span(int(id), s.source.Len())
	return s.source.Slice(from, to)
}
