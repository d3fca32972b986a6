package tables

import (
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// SketchFileVersion is the version of the files of sketches that archives exchange.
//
//	1  url, time, label, the sections of shingles.lsh with sketches, those of equal.lsh, config
//	2  the values are packed
//	3  the values are packed as in version 4 of shingles.lsh
//	4  the digests are those of version 5 of shingles.lsh
const SketchFileVersion = 4

const (
	sketchFileKind = "sketches"
	equalPrefix    = "equal."
	configSection  = "config"
)

// ErrNoSketchFile is wrapped by the error of OpenSketchFile for a file that is not a file of sketches.
var ErrNoSketchFile = errors.New("not a file of sketches, which lshclust export RUN sketches writes")

// SketchPage is a page of a file of sketches. The number of its document is that of the page.
type SketchPage struct {
	ShinglePage
	URL   string
	Time  int64 // when it was fetched, in milliseconds since 1970; 0 if unknown
	Label anchors.Label
}

// SketchFileWriter writes a file of sketches in order of the ids of the documents.
type SketchFileWriter struct {
	writer
	pages       *ShinglesWriter
	hash, time  *mapped.Section
	label       *mapped.Section
	url         *mapped.StringsWriter
	pagesBefore uint32
}

// CreateSketchFile starts a file of sketches. config is the configuration with which they were made, as JSON.
func CreateSketchFile(path string, s shingles.Sketcher, config []byte) *SketchFileWriter {
	w := mapped.Create(path, sketchFileKind, SketchFileVersion)
	w.Section(configSection, 1).Bytes(config)
	f := &SketchFileWriter{writer: writer{w}, hash: w.Side("hash", 8), time: w.Side("time", 8), label: w.Side("label", 1), url: w.Strings("url")}
	f.pages = newSketchesWriter(w, s)
	return f
}

// Add appends a page. It sets Document.
func (f *SketchFileWriter) Add(p SketchPage) {
	p.Document = f.pagesBefore
	f.pagesBefore++
	f.hash.U64(Hash(p.URL))
	f.time.U64(uint64(p.Time))
	f.label.Bytes([]byte{byte(p.Label)})
	f.url.Add(p.URL)
	f.pages.Add(p.ShinglePage)
}

// Close adds which pages are equal and the boilerplate of the hosts, and publishes the file.
func (f *SketchFileWriter) Close(e *resemble.Equal, strip *resemble.Boilerplate) error {
	f.pages.pad()
	writeEqual(f.w, equalPrefix, e, strip)
	return f.w.Close()
}

// SketchFile reads a file of sketches. Closing it closes its tables.
type SketchFile struct {
	file
	Config    []byte // points into the file
	Documents *Documents
	Pages     *Shingles
	Equal     *Equal
}

// OpenSketchFile opens a file of sketches. It reads only the ends of the file.
func OpenSketchFile(path string) (*SketchFile, error) {
	f, err := mapped.Open(path, sketchFileKind, SketchFileVersion)
	if err != nil {
		return nil, explained(err, path)
	}
	r := reader{f, nil}
	s := &SketchFile{file: file{f}, Config: r.u8(configSection).All()}
	pages, pagesFit := newShingles(&r)
	equal, equalFit := newEqual(&r, equalPrefix)
	docs := &Documents{file: file{f}, allCrawled: true, hash: r.u64("hash"), time: r.u64("time"), label: r.u8("label"), url: r.strings("url")}
	s.Documents, s.Pages, s.Equal = docs, pages, equal
	n := pages.Len()
	return s, r.done(pagesFit && equalFit && pages.Sketched() && equal.Len() == n && docs.url.Len() == n &&
		docs.hash.Len() == n && docs.time.Len() == n && docs.label.Len() == n)
}

// explained explains an error about a file that is not a file of sketches, or one of another version.
func explained(err error, path string) error {
	switch {
	case errors.Is(err, mapped.ErrMagic), errors.Is(err, mapped.ErrKind):
		return fmt.Errorf("%s: %w", path, ErrNoSketchFile)
	case errors.Is(err, mapped.ErrVersion), errors.Is(err, mapped.ErrContainer):
		return fmt.Errorf("%w; another version of lshclust wrote this file of sketches", err)
	}
	return err
}
