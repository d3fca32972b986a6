package record

import (
	"time"
)

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
