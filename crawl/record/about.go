package record

import (
	"time"
)

// About is what a record says of itself before it is decoded, empty where it does not.
type About struct {
	Type      string // WARC-Type, lower case
	URL       string
	Time      time.Time
	Status    int    // of HTTP
	MediaType string // of the response, without parameters
	Encoding  string // of the content and of its transfer, as the server names them, such as "gzip" or "chunked, br"
}

// Revisit is a capture of a URL whose content equals that of an earlier capture, its original, and is not stored again.
// The original may be a capture of another URL, stand before or behind the revisit, or in another file; so a source
// returns the revisit as it is, and a caller that has read all inputs can join the two with crawl.Fetcher.
type Revisit struct {
	URL       string    // as the input gave it
	Canonical string    // the page's identity
	Time      time.Time // of this capture
	Digest    string    // WARC-Payload-Digest, which the original has as well; may be empty
	RefersURL string    // canonical URL of the original, if the revisit names it
	RefersTo  time.Time // when the original was fetched, if the revisit says so
}

// Archived is what the reader of an archive knows of a record. Its methods serve those of [Record].
type Archived interface {
	About(r *Record) About
	Original(r *Record) (Revisit, bool)
	Revisit(r *Record) (Revisit, bool)
}

// About looks at the head of a record.
func (r *Record) About() About {
	if r.Archive == nil {
		return About{URL: r.Url, Time: r.Time}
	}
	return r.Archive.About(r)
}

// Original returns the URL, time and digest by which a revisit refers to this record. ok is false for a record to which no
// revisit can refer.
func (r *Record) Original() (v Revisit, ok bool) {
	if r.Archive == nil {
		return v, false
	}
	return r.Archive.Original(r)
}

// Revisit reports whether the record is a revisit, and of what. For a revisit, Page returns a *Skip with ReasonRecordType.
// ok is false for a revisit of a time that is not wanted, and for one of a redirect, which holds its target itself.
func (r *Record) Revisit() (v Revisit, ok bool) {
	if r.Archive == nil {
		return v, false
	}
	return r.Archive.Revisit(r)
}
