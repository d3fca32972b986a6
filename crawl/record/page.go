package record

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Page is one capture of one URL, decoded: content encoding and charset are undone, all text is valid UTF-8.
type Page struct {
	URL         string    // as the input has it, absolute; relative links are resolved against it or <base href>
	Canonical   string    // canonical form of URL: the identity of the page
	Alias       string    // canonical URL by which links may call the page too, as a redirect would; empty if there is none
	Time        time.Time // fetch time in UTC, zero if the input has none
	HTML        []byte    // markup, nil if the input has plain text
	Text        []byte    // plain text, nil if there is markup
	Features    []string  // features of a document without text; then HTML and Text are nil
	Links       []Link    // links that the input has without markup; HTML and Features are then nil, and often Text
	Part        bool      // Links may be incomplete, as in a link row: other records have more links of the page
	Title       string    // set if the input has a title and no markup that contains it
	Pos         Position  // start of the record
	Charset     string    // charset that was decoded, by its WHATWG name
	Status      int       // HTTP status, 0 if the input has none
	ContentType string    // media type from the server, empty if the input has none
	Rendered    Rendering // when the browser showed the text, for text that the crawler saved with the page
	Digest      string    // WARC-Payload-Digest from the crawler, empty if the input has none
	Robots      string    // X-Robots-Tag headers, joined by commas, in lower case
	Refresh     string    // Refresh header, in the format of the content of a <meta http-equiv=refresh>
	Warnings    []*Skip   // problems of a page that was kept nevertheless

	pool *scratch.Pool // the record's
}

// OnlyLinks reports whether the page has links, but no content.
func (p *Page) OnlyLinks() bool { return p.Links != nil && p.Text == nil }

// Link is a hyperlink from an input without the page around it. In Before, Anchor and After, a line feed marks the
// border of a block. If Before and After are empty, the window of the link is the anchor.
type Link struct {
	Target                string // as the input has it; a relative one is resolved against the URL of the page
	Anchor, Before, After string
	Rel                   string // value of the rel attribute
}

// Position is a place in an input.
type Position struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`           // bytes from the start of the file, or of its uncompressed stream for compressed JSON Lines
	Inner  int64  `json:"inner,omitempty"`  // bytes into the uncompressed member, if a gzip member of a WARC holds several records
	Record int64  `json:"record,omitempty"` // number of the record (line, file) in the input, from 1; 0 if no record is concerned
}

// String returns "FILE at byte N (record R)".
func (p Position) String() string {
	at := fmt.Sprintf("%s at byte %d", p.File, p.Offset)
	if p.Inner != 0 {
		at += fmt.Sprintf("+%d", p.Inner)
	}
	if p.Record == 0 {
		return at
	}
	return fmt.Sprintf("%s (record %d)", at, p.Record)
}

// Record is one undecoded part of an input.
type Record struct {
	Pos    Position
	Decode func(r *Record) (Page, error)
	Data   []byte // raw bytes, owned by the record
	Held   int    // bytes that Decode holds in addition to Data
	URL    string // from the container, if it names a URL (WARC header, folder)
	Time   time.Time
	Opts   *Options
	Notes  []*Skip      // warnings found while cutting
	Room   payload.Room // holds Data and what is decoded from it

	End       int64    // of a row: the offset at which the next line begins
	Columns   [][]byte // of a row: values of Options.Columns; nil for those that are missing
	Archive   Archived // set for a record of an archive
	Fetchable bool     // see Again
	Given     bool     // URL is that of the page and not made from the name of a file
}

// Again reports whether crawl.Fetcher can read the record again: the record is in a WARC or ARC file that can seek.
func (r *Record) Again() bool { return r.Fetchable }

// Page decodes the record. It has no side effects and may be called on any goroutine. The page may share memory with
// the record. The error is always a *Skip.
func (r *Record) Page() (Page, error) {
	p, err := r.Decode(r)
	if err == nil && !r.Opts.Select.WantsTime(p.Time) {
		err = r.Skip(ReasonNotSelected, p.URL, errors.New(p.Time.Format(time.RFC3339)))
	}
	if err != nil {
		return Page{}, err
	}
	p.pool = r.Room.Files()
	return p, nil
}

// Size returns the number of undecoded bytes that the record holds in memory.
func (r *Record) Size() int { return len(r.Data) + r.Held }

// Skip returns a skip for this record.
func (r *Record) Skip(reason Reason, url string, err error) *Skip {
	return &Skip{Pos: r.Pos, Reason: reason, URL: Clip(url, 200), Err: err}
}

// Compare orders positions by file, record and offset.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Record, q.Record),
		cmp.Compare(p.Offset, q.Offset), cmp.Compare(p.Inner, q.Inner))
}

// Release removes the temporary files of a record and of the page made from it. Neither may be used afterwards.
func (r *Record) Release() { r.Room.Free() }

// Release is Record.Release for a caller that has only the page. Neither may be used afterwards.
func (p *Page) Release() {
	p.pool.Free()
	p.pool = nil
}

// Rendering says when a browser showed the text of a page.
type Rendering int

// The moments at which browsertrix saves text. The text is a text/plain resource with the URL urn:text:URL for the page
// as loaded, and urn:textFinal:URL for the page after scripts have scrolled and clicked, if that text differs.
const (
	NotRendered Rendering = iota
	RenderedLoaded
	RenderedFinal
)

// TextPage returns the page for a text that a browser showed.
func (r *Record) TextPage(b []byte, contentType, digest string, at Rendering) (Page, error) {
	p, err := r.Identify(Page{Pos: r.Pos, URL: r.URL, Time: r.Time, ContentType: contentType, Digest: digest, Rendered: at, Warnings: r.Notes})
	if err != nil {
		return Page{}, err
	}
	if len(bytes.TrimSpace(b)) == 0 {
		return Page{}, r.Skip(ReasonEmptyPage, r.URL, nil)
	}
	p.Text = r.DecodeText(&p, b, contentType)
	return p, nil
}

// About is what a record says about itself before decoding. Unknown fields are empty.
type About struct {
	Type      string // WARC-Type in lower case
	URL       string
	Time      time.Time
	Status    int    // HTTP status
	MediaType string // media type of the response, without parameters
	Encoding  string // content and transfer encoding as the server names them, such as "gzip" or "chunked, br"
}

// Revisit is a capture of a URL whose content equals that of an earlier capture, its original, and is not stored again.
// The original may be a capture of another URL, precede or follow the revisit, or be in another file. A source
// therefore returns the revisit as it is. After reading all inputs, a caller can find the original with crawl.Fetcher.
type Revisit struct {
	URL       string    // as the input has it
	Canonical string    // identity of the page
	Time      time.Time // time of this capture
	Digest    string    // WARC-Payload-Digest, equal to the original's; may be empty
	RefersURL string    // canonical URL of the original, if the revisit names it
	RefersTo  time.Time // time of the original, if the revisit names it
}

// Archived is the part of a record that the reader of an archive provides. Its methods implement those of the same name
// of [Record].
type Archived interface {
	About(r *Record) About
	Original(r *Record) (Revisit, bool)
	Revisit(r *Record) (Revisit, bool)
}

// About returns what the record says about itself.
func (r *Record) About() About {
	if r.Archive == nil {
		return About{URL: r.URL, Time: r.Time}
	}
	return r.Archive.About(r)
}

// Original returns the URL, time and digest by which a revisit refers to this record. ok is false if no revisit can
// refer to the record.
func (r *Record) Original() (v Revisit, ok bool) {
	if r.Archive == nil {
		return v, false
	}
	return r.Archive.Original(r)
}

// Revisit returns the revisit of a revisit record, for which Page returns a *Skip with ReasonRecordType. ok is false if
// the record is not a revisit, if its time is not wanted, or if it revisits a redirect, which contains its target
// itself.
func (r *Record) Revisit() (v Revisit, ok bool) {
	if r.Archive == nil {
		return v, false
	}
	return r.Archive.Revisit(r)
}

// Source reads one input. Only Offset may be called by a goroutine other than the one that uses the source.
type Source interface {
	// Records cuts the input into records, in the order of the input. An error is a *Skip for something that was left
	// out, after which the iteration continues, or the error of the context, after which it ends. Records can be called
	// only once.
	Records(ctx context.Context) iter.Seq2[*Record, error]
	Name() string   // path as given to Open
	Format() string // "jsonl", "json", "har", "html", "warc", "arc", "cdx", "wacz", "zip", "tar", "mhtml", "csv", "parquet" or "text"
	Size() int64    // bytes on disk, -1 if not known
	Offset() int64  // bytes of Size that have been read, for progress
	Close() error
}

// Iterate implements Records by a function that returns the next record, a *Skip, io.EOF, or nothing if there is none yet.
func Iterate(ctx context.Context, next func() (*Record, error)) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			rec, err := next()
			if errors.Is(err, io.EOF) {
				return
			}
			if (rec != nil || err != nil) && !yield(rec, err) {
				return
			}
		}
	}
}

// Beginner is a Source that can begin at a record, so that a reader need not cut all records before it again.
type Beginner interface {
	Source
	// CanBegin reports whether another source of the same input can begin at the record that Records has yielded last,
	// given its position.
	CanBegin(at Position) bool
	// Begin makes Records begin at a record at which another source of the same input can begin, given the offset and the
	// number of the record. It is called before Records.
	Begin(at Position) error
}
