package tables

import (
	"bytes"
	"math"
	"math/bits"
	"sort"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/sets"
)

// Hash returns the hash of a canonical URL by which documents are numbered: [capture.Hash].
func Hash(url string) uint64 { return capture.Hash(url) }

// Document is a row of documents.lsh.
type Document struct {
	URL     string
	Seen    string // URL as it was crawled, if it is another one
	Title   string
	InLinks uint32 // number of pages that link to it
	InHosts uint32 // number of hosts of those pages
	Crawled bool   // whether the crawl has the page; if not, the fields below are zero
	Time    int64  // fetch time in milliseconds since 1970, 0 if unknown
	Digest  uint64 // digest of the decoded content
	Tokens  uint32 // number of words of visible text

	Language  uint8         // see text.LanguageNumber
	Label     anchors.Label // label of a page without content
	NoIndex   bool          // whether the page asks search engines not to index it
	NoSnippet bool          // whether the page asks not to show its text elsewhere
	Rendered  bool          // whether digest, words, language and label are those of the text that a browser showed
	Canonical string        // canonical URL that the page declares, if it is another URL
	Languages string        // versions in other languages that the page declares; see anchors.Page
	Opening   string        // beginning of what the page says; see anchors.Page
}

var (
	documentsTable = kind{"docs", 1}
	evidenceTable  = kind{"evidence", 1}
)

// Of most documents of a crawl, only links are known. What is known of a document itself is in columns that have rows for
// the others only.
type documentColumns struct {
	hash      numbers64    `lsh:"hash" of:"document"`
	url       mapped.Texts `lsh:"url,packed" of:"document"`
	inLinks   numbers32    `lsh:"inlinks" of:"document"`
	inHosts   numbers32    `lsh:"inhosts" of:"document"`
	hasRow    numbers64    `lsh:"has-row" of:"word"` // whether a document has a row, a bit for each
	before    numbers32    `lsh:"before" of:"word"`  // for each element of hasRow, the number of rows before it
	crawled   octets       `lsh:"crawled" of:"row"`
	seen      mapped.Texts `lsh:"seen,packed" of:"row"`
	title     mapped.Texts `lsh:"title,packed" of:"row"`
	time      numbers64    `lsh:"time" of:"row"`
	digest    numbers64    `lsh:"digest" of:"row"`
	tokens    numbers32    `lsh:"tokens" of:"row"`
	language  octets       `lsh:"language" of:"row"`
	label     octets       `lsh:"label" of:"row"`
	noindex   octets       `lsh:"noindex" of:"row"`
	canonical mapped.Texts `lsh:"canonical" of:"row"`
	languages mapped.Texts `lsh:"languages" of:"row"`
	opening   mapped.Texts `lsh:"opening,packed" of:"row"`
	// The texts and levels of all headings, and where those of each row begin.
	heading  mapped.Texts  `lsh:"heading,packed" of:"heading"`
	level    octets        `lsh:"heading-level" of:"heading"`
	headings mapped.Starts `lsh:"heading-first" of:"row"`
}

type evidenceColumns struct {
	first  mapped.Starts `lsh:"first"`
	source numbers64     `lsh:"source" of:"quote"`
	head   numbers16     `lsh:"head" of:"quote"`
	common numbers64     `lsh:"common"`
	ahead  mapped.Texts  `lsh:"before,packed" of:"quote"`
	anchor mapped.Texts  `lsh:"anchor,packed" of:"quote"`
	after  mapped.Texts  `lsh:"after,packed" of:"quote"`
}

// DocumentsWriter writes documents.lsh and evidence.lsh in order of ids.
type DocumentsWriter struct {
	docs, ev writer
	documentColumns
	quotes evidenceColumns
	word   uint64 // of hasRow, not yet written
	rows   uint32
	texts  texts
	n      int
}

// CreateDocuments starts both tables.
func CreateDocuments(docs, evidence string) *DocumentsWriter {
	w := new(DocumentsWriter)
	w.docs, w.ev = documentsTable.create(docs, &w.documentColumns), evidenceTable.create(evidence, &w.quotes)
	return w
}

// Add appends a document.
func (w *DocumentsWriter) Add(g *anchors.Group) {
	w.hash.Add(g.Hash)
	w.url.Add(string(g.URL))
	w.inLinks.Add(uint32(g.InLinks))
	w.inHosts.Add(uint32(g.InHosts))
	if g.Crawled || len(g.Page.Title) > 0 || g.Page.Time != 0 {
		w.row(g)
	}
	if w.n++; w.n%64 == 0 {
		w.endWord()
	}
	for _, q := range g.Evidence {
		w.quotes.source.Add(q.Source)
		w.quotes.head.Add(uint16(min(q.Head, math.MaxUint16))) // more than the headings that a page keeps
		w.quotes.ahead.Add(string(q.Before))
		w.quotes.anchor.Add(string(q.Anchor))
		w.quotes.after.Add(string(q.After))
	}
	w.texts.add(string(g.URL), string(g.Page.Title), g.Evidence)
	w.quotes.first.Add(len(g.Evidence))
}

// row adds a row for what is known of a document itself.
func (w *DocumentsWriter) row(g *anchors.Group) {
	w.word |= 1 << (w.n % 64)
	w.crawled.Add(byte(sets.One(g.Crawled)))
	w.seen.Add(string(g.Page.Seen))
	w.title.Add(string(g.Page.Title))
	w.language.Add(g.Page.Language)
	w.label.Add(byte(g.Page.Label))
	w.noindex.Add(g.Page.Flags())
	w.canonical.Add(string(g.Page.Canonical))
	w.languages.Add(string(g.Page.Languages))
	w.opening.Add(string(g.Page.Opening))
	n := 0
	for line := range bytes.Lines(g.Page.Heads) { // as text.Doc.Headings returns them
		w.level.Add(line[0])
		w.heading.Add(string(bytes.TrimSuffix(line[1:], []byte("\n"))))
		n++
	}
	w.headings.Add(n)
	w.time.Add(uint64(g.Page.Time))
	w.digest.Add(g.Page.Digest)
	w.tokens.Add(uint32(g.Page.Tokens))
}

// endWord writes which of 64 documents have a row, and how many do before them.
func (w *DocumentsWriter) endWord() {
	w.hasRow.Add(w.word)
	w.before.Add(w.rows)
	w.rows += uint32(bits.OnesCount64(w.word))
	w.word = 0
}

// Len returns the number of documents added so far.
func (w *DocumentsWriter) Len() int { return w.n }

// Close publishes both tables.
func (w *DocumentsWriter) Close() error {
	if w.n%64 > 0 {
		w.endWord()
	}
	w.quotes.common.AddAll(w.texts.common())
	if err := w.docs.Close(); err != nil {
		w.ev.Abort()
		return err
	}
	return w.ev.Close()
}

// Abort removes what was written.
func (w *DocumentsWriter) Abort() {
	w.docs.Abort()
	w.ev.Abort()
}

// Documents reads documents.lsh.
type Documents struct {
	file
	documentColumns
	allCrawled bool // whether the documents are pages of a file of sketches, which all have rows
}

// OpenDocuments opens documents.lsh.
func OpenDocuments(path string) (*Documents, error) {
	d := new(Documents)
	return d, documentsTable.open(path, &d.file, &d.documentColumns, func() bool { return d.hasRow.Len() == (d.hash.Len()+63)/64 })
}

// row returns the number of the row of a document, or -1 if it has none.
func (d *Documents) row(id uint32) int {
	if d.allCrawled {
		return int(id)
	}
	word, bit := d.hasRow.At(int(id/64)), uint64(1)<<(id%64)
	if word&bit == 0 {
		return -1
	}
	row := int64(d.before.At(int(id/64))) + int64(bits.OnesCount64(word&(bit-1)))
	if rows := d.crawled.Len(); row >= int64(rows) {
		d.f.Report("before", int(id/64), "%d of %d", row, rows)
		return -1
	}
	return int(row)
}

// Len returns the number of documents.
func (d *Documents) Len() int { return d.hash.Len() }

// Hash returns the hash of the URL of a document, by which documents are numbered.
func (d *Documents) Hash(id uint32) uint64 { return d.hash.At(int(id)) }

// URL returns the canonical URL of a document. It may point into the table.
func (d *Documents) URL(id uint32) string { return d.url.At(int(id)) }

// Seen returns the URL at which a document was crawled, or "" if that is URL or it was not crawled.
func (d *Documents) Seen(id uint32) string { return d.seen.At(d.row(id)) }

// Title returns the title of a document, or "". It may point into the table.
func (d *Documents) Title(id uint32) string { return d.title.At(d.row(id)) }

// Crawled reports whether the crawl has the page of a document.
func (d *Documents) Crawled(id uint32) bool {
	if d.allCrawled {
		return int64(id) < int64(d.Len())
	}
	return d.crawled.At(d.row(id)) != 0
}

// Labelled reports whether the page of a document is not content.
func (d *Documents) Labelled(id uint32) bool {
	return anchors.Label(d.label.At(d.row(id))) != anchors.Content
}

// Time returns when the page of a document was fetched, in milliseconds since 1970, or 0 if that is unknown.
func (d *Documents) Time(id uint32) int64 { return int64(d.time.At(d.row(id))) }

// InLinks returns the number of pages that link to a document.
func (d *Documents) InLinks(id uint32) uint32 { return d.inLinks.At(int(id)) }

// InHosts returns the number of hosts of the pages that link to a document.
func (d *Documents) InHosts(id uint32) uint32 { return d.inHosts.At(int(id)) }

// Language returns the number of the language of a document; see text.LanguageNumber.
func (d *Documents) Language(id uint32) uint8 { return d.language.At(d.row(id)) }

// At returns a document, or the zero Document if the id is out of range. Its strings may point into the table.
func (d *Documents) At(id uint32) Document {
	i := int(id)
	if int64(id) >= int64(d.hash.Len()) {
		return Document{}
	}
	row, flags := d.row(id), d.flags(id)
	return Document{
		URL: d.url.At(i), Seen: d.seen.At(row), Title: d.title.At(row), InLinks: d.inLinks.At(i), InHosts: d.inHosts.At(i),
		Crawled: d.Crawled(id), Time: int64(d.time.At(row)), Digest: d.digest.At(row), Tokens: d.tokens.At(row),
		Language: d.language.At(row), Label: anchors.Label(d.label.At(row)), NoIndex: flags.NoIndex, NoSnippet: flags.NoSnippet, Rendered: flags.Rendered, Canonical: d.canonical.At(row),
		Languages: d.languages.At(row), Opening: d.opening.At(row),
	}
}

// Tokens returns the number of words of the page of a document.
func (d *Documents) Tokens(id uint32) uint32 { return d.tokens.At(d.row(id)) }

// NoIndex reports whether the page of a document asks that it not be found.
func (d *Documents) NoIndex(id uint32) bool { return d.flags(id).NoIndex }

// Hidden reports whether the page of a document asks that its text not be shown.
func (d *Documents) Hidden(id uint32) bool {
	flags := d.flags(id)
	return flags.NoIndex || flags.NoSnippet
}

func (d *Documents) flags(id uint32) (flags anchors.Page) {
	flags.SetFlags(d.noindex.At(d.row(id)))
	return flags
}

// Find returns the id of the document with a canonical URL.
func (d *Documents) Find(url string) (uint32, bool) {
	h := Hash(url)
	for i, _ := d.search(h); i < d.hash.Len() && d.hash.At(i) == h; i++ {
		if d.url.At(i) == url {
			return uint32(i), true
		}
	}
	return None, false
}

// ByHash returns the first document whose URL has the given hash.
func (d *Documents) ByHash(h uint64) (uint32, bool) {
	if i, ok := d.search(h); ok {
		return uint32(i), true
	}
	return None, false
}

// search returns the index of the first document whose URL has a hash of at least h, and whether it equals h. Hashes
// are uniformly distributed. So search starts where h is expected and takes steps of doubling length, which stay on a
// few pages of the table: for 20 million documents, the first guess is off by 2,000 on average.
func (d *Documents) search(h uint64) (int, bool) {
	n := d.hash.Len()
	place, _ := bits.Mul64(h, uint64(n))
	low, high := int(place), int(place) // all hashes before low are less than h, none from high on is
	for step := 1; low > 0 && d.hash.At(low-1) >= h; step *= 2 {
		low = max(0, low-step)
	}
	for step := 1; high < n && d.hash.At(high) < h; step *= 2 {
		high = min(n, high+step)
	}
	i := low + sort.Search(high-low, func(i int) bool { return d.hash.At(low+i) >= h })
	return i, i < n && d.hash.At(i) == h
}

// Trail returns the headings of a page under which a link is, from the nearest up, given the heading of its quote. It returns
// none if they are not known.
func (d *Documents) Trail(id uint32, head int) (trail []string) {
	from, to := d.headings.Span(d.row(id), d.heading.Len())
	if head < 1 || head > to-from {
		return nil
	}
	level := byte('7')
	for i := from + head - 1; i >= from && level > '1'; i-- {
		if l := d.level.At(i); l < level {
			trail, level = append(trail, d.heading.At(i)), l
		}
	}
	return trail
}

// Evidence reads evidence.lsh.
type Evidence struct {
	file
	evidenceColumns
}

// OpenEvidence opens evidence.lsh.
func OpenEvidence(path string) (*Evidence, error) {
	e := new(Evidence)
	return e, evidenceTable.open(path, &e.file, &e.evidenceColumns, nil)
}

// Of returns the sentences that link to a document. They may point into the table.
func (e *Evidence) Of(id uint32) []anchors.Quote {
	from, to := e.first.Span(int(id), e.source.Len())
	quotes := make([]anchors.Quote, 0, to-from)
	for i := from; i < to; i++ {
		q := anchors.Quote{Source: e.source.At(i), Before: e.ahead.Bytes(i), Anchor: e.anchor.Bytes(i), After: e.after.Bytes(i), Head: int(e.head.At(i))}
		quotes = append(quotes, q)
	}
	return quotes
}

// Common reports whether links to many documents have a text with a name, made by names.Of, or whether most titles of a host
// end like it, made by names.TitleEnd.
func (e *Evidence) Common(name string) bool {
	_, ok := search(e.common.Column, Hash(name))
	return ok
}
