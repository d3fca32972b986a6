package anchors

import (
	"encoding/binary"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/codec"
)

// Kind says what a record describes.
type Kind uint8

// The kinds of records.
const (
	OfPage    Kind = 1 // the target itself: the words of its title, and the fields of Page
	OfLink    Kind = 2 // a page that links to the target, or to a URL that redirects to it
	OfSource  Kind = 3 // a page that a table of links describes without holding it: its title, time and terms
	OfLinkRow Kind = 4 // a link that a table of links holds without the page around it
)

// IsLink reports whether a record is about a link, on a page or in a table.
func (k Kind) IsLink() bool { return k == OfLink || k == OfLinkRow }

// Record is a fragment as it is stored in a partition. The slices of a decoded record point into the buffer.
//
// An encoded record begins with a uvarint of the length of the rest. Then follow the hash of the target (8 bytes), the
// kind (1), the capture (8), the source (8) and the host of the source (8); the target, before, anchor and after, each
// a string with its length as a uvarint in front; the heading as a uvarint; and the terms (see bags.AppendTerms). A record
// OfPage or OfSource continues with the title, a string; the fetch time (8, milliseconds since 1970, 0 if unknown); the digest (8);
// uvarints of the number of words and of bytes of the page; language (1), label (1) and NoIndex (1); the canonical URL,
// the languages, the opening and the headings as strings; the content as terms; the
// number of likely languages (1), and for each its number (1), terms and content.
type Record struct {
	TargetHash uint64
	Kind       Kind
	Capture    uint64 // number of the capture that the record comes from
	Source     uint64 // hash of its canonical URL
	Host       uint64 // hash of its host
	Target     []byte
	Before     []byte
	Anchor     []byte
	After      []byte
	Head       int // see Fragment
	Terms      []bags.Weighted
	Page       Page
	Content    []bags.Weighted // of a record OfPage; see Extractor.Content
	Likely     []Likely        // if the language of the page is unknown
}

// Likely is what a page of unknown language has if most pages of its host are in this language.
type Likely struct {
	Language       uint8
	Terms, Content []bags.Weighted
}

// Page holds what the crawl knows about a page.
type Page struct {
	Title  []byte
	Seen   []byte // URL as it was crawled, if it is not the canonical one
	Time   int64  // fetch time in milliseconds since 1970; 0 if unknown
	Digest uint64 // of the decoded content
	Tokens uint64 // words of visible text
	Bytes  uint64 // of decoded content

	Language  uint8  // number of the language of the page, 0 if unknown; see text.LanguageNumber
	Label     Label  // Content, or why the page is not content
	NoIndex   bool   // the page asks to be left out of indexes
	NoSnippet bool   // the page asks others not to show its text
	Rendered  bool   // of a group: words, language, label and digest are those of the text that a browser showed
	Canonical []byte // canonical form of the page's canonical link, if that is another URL
	Languages []byte // versions in other languages that the page names: lines of language, blank, canonical URL
	Opening   []byte // beginning of what the page says; empty if it asks not to be indexed or quoted
	Heads     []byte // its headings, likewise; see text.Doc.Headings
}

// Label says why a page is not content.
type Label uint8

// The labels.
const (
	Content    Label = iota // no label
	NotFound                // the page reports that it was not found, although the status is 200
	Consent                 // the page asks for consent to cookies
	JavaScript              // the page shows only that it needs JavaScript
	Repeated                // a short text that many URLs of the host share
	labels
)

// String returns the name of a label in tables, which is empty for Content.
func (l Label) String() string {
	if l >= labels {
		return ""
	}
	return [labels]string{"", "not-found", "consent", "javascript", "repeated"}[l]
}

// ErrRecord reports bytes that are not records of a partition.
var ErrRecord = codec.ErrMalformed

// Bound returns an upper bound of the number of bytes that Append appends.
func (r *Record) Bound() int {
	terms := len(r.Terms) + len(r.Content)
	for _, l := range r.Likely {
		terms += 2 + len(l.Terms) + len(l.Content)
	}
	n := 128 + len(r.Target) + len(r.Before) + len(r.Anchor) + len(r.After) + (8+binary.MaxVarintLen64)*terms
	return n + len(r.Page.Title) + len(r.Page.Canonical) + len(r.Page.Languages) + len(r.Page.Opening) + len(r.Page.Heads) + len(r.Page.Seen)
}

// Append appends the encoding of the record to dst.
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
		dst = codec.AppendBytes(dst, s)
	}
	dst = bags.AppendTerms(binary.AppendUvarint(dst, uint64(r.Head)), r.Terms)
	if r.Kind == OfPage || r.Kind == OfSource {
		dst = bags.AppendTerms(appendPage(dst, &r.Page), r.Content)
		dst = append(dst, byte(len(r.Likely)))
		for _, l := range r.Likely {
			dst = bags.AppendTerms(bags.AppendTerms(append(dst, l.Language), l.Terms), l.Content)
		}
	}
	n := len(dst) - body
	head := binary.AppendUvarint(dst[start:start], uint64(n))
	copy(dst[start+len(head):], dst[body:])
	return dst[:start+len(head)+n]
}

func appendPage(dst []byte, p *Page) []byte {
	dst = codec.AppendBytes(codec.AppendBytes(dst, p.Title), p.Seen)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(p.Time))
	dst = binary.LittleEndian.AppendUint64(dst, p.Digest)
	dst = binary.AppendUvarint(dst, p.Tokens)
	dst = binary.AppendUvarint(dst, p.Bytes)
	dst = codec.AppendBytes(append(dst, p.Language, byte(p.Label), p.Flags()), p.Canonical)
	return codec.AppendBytes(codec.AppendBytes(codec.AppendBytes(dst, p.Languages), p.Opening), p.Heads)
}

// TargetHash returns the hash of the target in the body of a record.
func TargetHash(body []byte) uint64 { return binary.LittleEndian.Uint64(body) }

// Decode reads the body of a record. It reuses the memory of r.Terms and r.Content.
func (r *Record) Decode(body []byte) error {
	d := codec.Decoder{B: body}
	r.TargetHash, r.Kind = d.U64(), Kind(d.U8())
	r.Capture, r.Source, r.Host = d.U64(), d.U64(), d.U64()
	r.Target, r.Before, r.Anchor, r.After, r.Head = d.Bytes(), d.Bytes(), d.Bytes(), d.Bytes(), int(d.Uvarint())
	if d.Err != nil {
		return d.Err
	}
	var err error
	if r.Terms, d.B, err = bags.DecodeTerms(r.Terms[:0], d.B); err != nil {
		return err
	}
	r.Page, r.Content = Page{}, r.Content[:0]
	r.Likely = r.Likely[:0]
	if r.Kind != OfPage && r.Kind != OfSource {
		return d.Err
	}
	r.Page = decodePage(&d)
	if d.Err != nil {
		return d.Err
	}
	r.Content, d.B, err = bags.DecodeTerms(r.Content, d.B)
	d.Err = err
	if err != nil {
		return err
	}
	for n := d.U8(); n > 0 && d.Err == nil; n-- {
		l := Likely{Language: d.U8()}
		if l.Terms, d.B, err = bags.DecodeTerms(nil, d.B); err == nil {
			l.Content, d.B, err = bags.DecodeTerms(nil, d.B)
		}
		if err != nil {
			return err
		}
		r.Likely = append(r.Likely, l)
	}
	return d.Err
}

// decodePage reads what appendPage wrote.
func decodePage(d *codec.Decoder) Page {
	p := Page{
		Title: d.Bytes(), Seen: d.Bytes(), Time: int64(d.U64()), Digest: d.U64(), Tokens: d.Uvarint(), Bytes: d.Uvarint(),
		Language: d.U8(), Label: Label(d.U8()),
	}
	p.SetFlags(d.U8())
	p.Canonical, p.Languages, p.Opening, p.Heads = d.Bytes(), d.Bytes(), d.Bytes(), d.Bytes()
	return p
}

// Flags encodes 1 for NoIndex plus 2 for NoSnippet plus 4 for Rendered.
func (p *Page) Flags() (n byte) {
	if p.NoIndex {
		n |= 1
	}
	if p.NoSnippet {
		n |= 2
	}
	if p.Rendered {
		n |= 4
	}
	return n
}

// SetFlags decodes the number that [Page.Flags] returns.
func (p *Page) SetFlags(n byte) { p.NoIndex, p.NoSnippet, p.Rendered = n&1 != 0, n&2 != 0, n&4 != 0 }
