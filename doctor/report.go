package doctor

import "github.com/lshclust/lshclust/crawl"

// Report describes one input. Its maps count by name.
type Report struct {
	File        string        `json:"file"`
	Format      string        `json:"format,omitempty"`  // as crawl.Source names it; empty if the input cannot be opened
	Version     string        `json:"version,omitempty"` // of WARC
	Compression crawl.Packing `json:"compression"`
	Bytes       int64         `json:"bytes,omitempty"` // of the file, 0 if not known
	Verdict     Verdict       `json:"verdict"`

	Records   int64            `json:"records"`
	Types     map[string]int64 `json:"record_types,omitempty"` // of WARC and ARC
	Status    map[string]int64 `json:"http_status,omitempty"`
	Mime      map[string]int64 `json:"media_types,omitempty"` // of all responses, pages or not
	Encodings map[string]int64 `json:"encodings,omitempty"`   // of content and transfer, as responses name them

	Pages     int64            `json:"pages"`                                 // captures that can be read
	URLs      int64            `json:"distinct_urls"`                         // of the pages
	Estimated bool             `json:"distinct_urls_are_estimated,omitempty"` // too many to count
	Sources   int64            `json:"pages_given_by_links_alone,omitempty"`  // rows of links tables, records of WAT
	Charsets  map[string]int64 `json:"charsets,omitempty"`                    // of the pages
	Content   int64            `json:"content_bytes"`                         // of the pages, decoded
	Links     int64            `json:"links"`                                 // on pages and in link rows
	FirstTime string           `json:"first_capture,omitempty"`               // RFC 3339
	LastTime  string           `json:"last_capture,omitempty"`

	Findings []Finding `json:"findings,omitempty"` // damage first
}

// Verdict sums up a report.
type Verdict string

// Verdicts: what can be read of the input.
const (
	Sound   Verdict = "sound"   // all of it, and it holds pages or links
	Nothing Verdict = "nothing" // all of it, and it holds no page and no link
	Damaged Verdict = "damaged" // a part, or nothing
)

// Finding is one reason for which parts of the input are left out or kept in part.
type Finding struct {
	crawl.Tally
	Kept   bool   `json:"kept,omitempty"` // the record is read in spite of it, at least in part
	Advice string `json:"advice"`
}
