package tables

import (
	"cmp"
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
//	5  the values are those of version 6 of shingles.lsh
const SketchFileVersion = 5

var sketchFileTable = kind{"sketches", SketchFileVersion}

// equalPrefix is put before the names of the columns of equal.lsh.
const equalPrefix = "equal."

type sketchFileColumns struct {
	config octets       `lsh:"config,stream"`
	hash   numbers64    `lsh:"hash" of:"page"`
	time   numbers64    `lsh:"time" of:"page"`
	label  octets       `lsh:"label" of:"page"`
	url    mapped.Texts `lsh:"url" of:"page"`
}

// ErrNoSketchFile is wrapped by the error of OpenSketchFile for a file that is not a file of sketches.
var ErrNoSketchFile = errors.New("neither a run nor a file of sketches; lshclust cluster -o RUN FILE makes a run of a crawl, and lshclust export RUN sketches the sketches of one")

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
	sketchFileColumns
	pages ShinglesWriter
	n     uint32 // pages so far
}

// CreateSketchFile starts a file of sketches. config is the configuration with which they were made, as JSON.
func CreateSketchFile(path string, s shingles.Sketcher, config []byte) *SketchFileWriter {
	f := new(SketchFileWriter)
	f.writer = sketchFileTable.create(path, &f.sketchFileColumns)
	f.config.AddAll(config)
	f.pages.writer = f.writer
	f.pages.declare(s)
	return f
}

// Add appends a page. It sets Document.
func (f *SketchFileWriter) Add(p SketchPage) {
	p.Document = f.n
	f.n++
	f.hash.Add(Hash(p.URL))
	f.time.Add(uint64(p.Time))
	f.label.Add(byte(p.Label))
	f.url.Add(p.URL)
	f.pages.Add(p.ShinglePage)
}

// Close adds which pages are equal and the boilerplate of the hosts, and publishes the file.
func (f *SketchFileWriter) Close(e *resemble.Equal, strip *resemble.Boilerplate) error {
	f.pages.pad()
	var c equalColumns
	f.w.Declare(equalPrefix, &c)
	c.add(e, strip)
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
	s := &SketchFile{Documents: &Documents{allCrawled: true}, Pages: new(Shingles), Equal: new(Equal)}
	var c sketchFileColumns
	if err := sketchFileTable.open(path, &s.file, &c, nil); err != nil {
		return nil, explained(err, path)
	}
	s.Documents.file, s.Pages.file, s.Equal.file = s.file, s.file, s.file
	d := &s.Documents.documentColumns
	d.hash, d.time, d.label, d.url, s.Config = c.hash, c.time, c.label, c.url, c.config.All()
	err := cmp.Or(s.f.Load("", &s.Pages.shingleColumns), s.f.Load(equalPrefix, &s.Equal.equalColumns))
	return s, s.opened(err, func() bool {
		n := s.Pages.Len()
		return s.Pages.fits() && s.Pages.Sketched() && s.Equal.Len() == n && s.Documents.Len() == n
	})
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
