package anchors

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/record"
)

// Kind tells what a record says of its target.
type Kind uint8

// The kinds of records.
const (
	OfPage   Kind = 1 // by the page itself: its title's words, and what is known of it
	OfLink   Kind = 2 // by a page that links to it, or to a URL that leads to it
	OfSource Kind = 3 // by an input that gives the links of the page without the page: what it knows of it all the same
	OfGiven  Kind = 4 // by a link that is given without the page that it stands on
)

// IsLink tells the records of links from those of what a page or an input says of itself.
func (k Kind) IsLink() bool { return k == OfLink || k == OfGiven }

// Record is a fragment on its way to the bucket of its target. Slices of a decoded record point into the buffer.
//
// On disk a record is a uvarint of the length of the rest, then: hash of the target (8 bytes), kind (1), capture
// (8), source (8), host of the source (8), and as uvarint-led strings the target, before, anchor and after; then a
// uvarint of the number of terms, each of 8 bytes hash and a uvarint weight. A record OfPage or OfSource goes on with the title,
// fetch time (8, milliseconds since 1970, 0 unknown), digest (8), uvarints of words and of bytes of the page, language (1),
// label (1), whether it is to be left out of indexes (1), and as strings its canonical URL and itself in other languages.
type Record struct {
	TargetHash uint64
	Kind       Kind
	Capture    uint64 // number of the capture that says so
	Source     uint64 // hash of its canonical URL
	Host       uint64 // hash of its host
	Target     []byte
	Before     []byte
	Anchor     []byte
	After      []byte
	Terms      []bags.Weighted
	Page       Page
}

// Page is what the crawl knows of a page that it holds.
type Page struct {
	Title  []byte
	Time   int64  // fetch time in milliseconds since 1970; 0 when unknown
	Digest uint64 // of the decoded content
	Tokens uint64 // words of visible text
	Bytes  uint64 // of decoded content

	Language  uint8  // number of the language that it seems to be in, 0 unknown: see text.LanguageNumber
	Label     Label  // what it is instead of content
	NoIndex   bool   // it asks to be left out of indexes
	Canonical []byte // canonical URL of what it names as its canonical form, if that is another URL
	Languages []byte // what it names as itself in other languages: lines of language, blank, canonical URL
}

// Label says that a page is no content of its own.
type Label uint8

// The labels.
const (
	Content    Label = iota // no label
	NotFound                // says that there is nothing here, with status 200
	Consent                 // asks for consent to cookies
	JavaScript              // says that it shows nothing without JavaScript
	Repeated                // one short text that stands under many URLs of the host
	labels
)

// String is the name of a label in tables, empty for content.
func (l Label) String() string {
	if l >= labels {
		return ""
	}
	return [labels]string{"", "not-found", "consent", "javascript", "repeated"}[l]
}

// ErrRecord is the error for bytes that are not the records of a bucket.
var ErrRecord = record.ErrMalformed

// Bound is no less than the number of bytes that Append appends.
func (r *Record) Bound() int {
	n := 128 + len(r.Target) + len(r.Before) + len(r.Anchor) + len(r.After) + (8+binary.MaxVarintLen64)*len(r.Terms)
	return n + len(r.Page.Title) + len(r.Page.Canonical) + len(r.Page.Languages)
}

// Append appends the record's bytes to dst.
func (r *Record) Append(dst []byte) []byte {
	start := len(dst)
	dst = append(dst, make([]byte, binary.MaxVarintLen32)...)
	body := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, r.TargetHash)
	dst = append(dst, byte(r.Kind))
	dst = binary.LittleEndian.AppendUint64(dst, r.Capture)
	dst = binary.LittleEndian.AppendUint64(dst, r.Source)
	dst = binary.LittleEndian.AppendUint64(dst, r.Host)
	for _, s := range [...][]byte{r.Target, r.Before, r.Anchor, r.After} {
		dst = record.AppendBytes(dst, s)
	}
	dst = bags.AppendTerms(dst, r.Terms)
	if r.Kind == OfPage || r.Kind == OfSource {
		dst = appendPage(dst, &r.Page)
	}
	n := len(dst) - body
	head := binary.AppendUvarint(dst[start:start], uint64(n))
	copy(dst[start+len(head):], dst[body:])
	return dst[:start+len(head)+n]
}

func appendPage(dst []byte, p *Page) []byte {
	dst = record.AppendBytes(dst, p.Title)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.Time))
	dst = binary.LittleEndian.AppendUint64(dst, p.Digest)
	dst = binary.AppendUvarint(dst, p.Tokens)
	dst = binary.AppendUvarint(dst, p.Bytes)
	noindex := byte(0)
	if p.NoIndex {
		noindex = 1
	}
	dst = record.AppendBytes(append(dst, p.Language, byte(p.Label), noindex), p.Canonical)
	return record.AppendBytes(dst, p.Languages)
}

// TargetHash reads the hash of the target from the body of a record.
func TargetHash(body []byte) uint64 { return binary.LittleEndian.Uint64(body) }

// Decode reads the body of a record. Terms are appended to r.Terms[:0].
func (r *Record) Decode(body []byte) error {
	d := record.Decoder{B: body}
	r.TargetHash, r.Kind = d.U64(), Kind(d.U8())
	r.Capture, r.Source, r.Host = d.U64(), d.U64(), d.U64()
	r.Target, r.Before, r.Anchor, r.After = d.Bytes(), d.Bytes(), d.Bytes(), d.Bytes()
	if d.Err != nil {
		return d.Err
	}
	var err error
	if r.Terms, d.B, err = bags.DecodeTerms(r.Terms[:0], d.B); err != nil {
		return err
	}
	r.Page = Page{}
	if r.Kind == OfPage || r.Kind == OfSource {
		r.Page = decodePage(&d)
	}
	return d.Err
}

// decodePage reads what appendPage wrote.
func decodePage(d *record.Decoder) Page {
	return Page{
		Title: d.Bytes(), Time: int64(d.U64()), Digest: d.U64(), Tokens: d.Uvarint(), Bytes: d.Uvarint(),
		Language: d.U8(), Label: Label(d.U8()), NoIndex: d.U8() != 0, Canonical: d.Bytes(), Languages: d.Bytes(),
	}
}
