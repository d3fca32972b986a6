package record

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Page is one capture of one URL, decoded: content encoding and charset are undone, all text is valid UTF-8.
type Page struct {
	URL         string    // as the input gave it, absolute; relative links resolve against it or <base href>
	Canonical   string    // canonical form of URL: the page's identity
	Time        time.Time // fetch time in UTC, zero if the input has none
	HTML        []byte    // markup, nil when the input gives plain text
	Text        []byte    // plain text, nil when there is markup
	Features    []string  // of a document that is no text: a set given as it is, then there is neither of the two
	Links       []Link    // of a page of which the input gives the links alone; then there is none of the three
	Part        bool      // Links may be only some of the page's, as in a row of a links table: other records hold more
	Title       string    // where the input gives one and there is no markup to read it from
	Pos         Position  // where the record begins
	Charset     string    // the charset that was decoded, by its WHATWG name
	Status      int       // HTTP status, 0 if the input has none
	ContentType string    // media type as the server gave it, empty if the input has none
	Rendered    Rendering // of text that a browser showed, which the crawler saved beside the page
	Digest      string    // WARC-Payload-Digest, as the crawler wrote it; empty if the input has none
	Robots      string    // X-Robots-Tag headers, joined by commas, in lower case
	Refresh     string    // Refresh header, as the content of a <meta http-equiv=refresh>
	Warnings    []*Skip   // what was wrong with a page that was kept all the same

	pool *scratch.Pool // of the record
}

// Link is a hyperlink that the input gives without the page that it stands on. What surrounds it is what is given: in
// Before, Anchor and After a line feed is the border of a block. Without Before and After its window is the anchor.
type Link struct {
	Target                string // as the input gave it; relative ones resolve against the URL of the page
	Anchor, Before, After string
	Rel                   string // as the attribute of the same name
}

// Position is a place in an input.
type Position struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`           // bytes from the start: of the file, or of its uncompressed stream for compressed JSONL
	Inner  int64  `json:"inner,omitempty"`  // where a gzip member of a WARC holds several records: bytes into the uncompressed member
	Record int64  `json:"record,omitempty"` // number of the record (line, file) in the input, from 1; 0 when it concerns no record
}

// String is "FILE at byte N (record R)".
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

// Record is one undecoded piece of an input.
type Record struct {
	Pos    Position
	Decode func(r *Record) (Page, error)
	Data   []byte // the raw bytes, owned by the record
	Held   int    // of what decode holds beside them
	Url    string // where the container names it (WARC header, folder)
	Time   time.Time
	Opts   *Options
	Notes  []*Skip      // warnings found while cutting
	Room   payload.Room // of data, and of what is decoded

	Archive   Archived // of a record of an archive
	Fetchable bool     // see Again
}

// Again reports whether crawl.Fetcher can read the record again: it is in a WARC or ARC file that can seek.
func (r *Record) Again() bool { return r.Fetchable }

// Page decodes the record. It is pure and may be called on any goroutine. The page may share memory with the record. The
// error is always a *Skip.
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

// Size is the number of undecoded bytes that the record holds in memory.
func (r *Record) Size() int { return len(r.Data) + r.Held }

// Skip returns the skip of this record.
func (r *Record) Skip(reason Reason, url string, err error) *Skip {
	return &Skip{Pos: r.Pos, Reason: reason, URL: Clip(url, 200), Err: err}
}

// Compare orders positions by file, record and offset.
func (p Position) Compare(q Position) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Record, q.Record),
		cmp.Compare(p.Offset, q.Offset), cmp.Compare(p.Inner, q.Inner))
}
