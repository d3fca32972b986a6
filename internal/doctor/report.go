package doctor

import "github.com/lshclust/lshclust/crawl"

// Report describes one input. Its maps hold counts by name.
type Report struct {
	File        string        `json:"file"`
	Format      string        `json:"format,omitempty"`  // as crawl.Source returns it; empty if the input cannot be opened
	Version     string        `json:"version,omitempty"` // WARC version
	Compression crawl.Packing `json:"compression"`
	Bytes       int64         `json:"bytes,omitempty"` // size of the file, 0 if unknown
	Verdict     Verdict       `json:"verdict"`

	Records   int64            `json:"records"`
	Types     map[string]int64 `json:"record_types,omitempty"` // WARC and ARC record types
	Status    map[string]int64 `json:"http_status,omitempty"`
	Mime      map[string]int64 `json:"media_types,omitempty"` // media types of all responses, pages or not
	Encodings map[string]int64 `json:"encodings,omitempty"`   // content and transfer encodings of all responses, as written

	Pages   int64 `json:"pages"`                                // captures that can be read
	URLs    int64 `json:"distinct_urls"`                        // number of distinct URLs of the pages
	More    bool  `json:"more_urls_than_counted,omitempty"`     // whether counting stopped at URLs
	Sources int64 `json:"pages_given_by_links_alone,omitempty"` // pages known only by their links, from rows of links tables and WAT records
	// Pages that a run would supersede although they have another text, by the rule that makes their URLs one ("id": records
	// with one id, which is not a URL).
	OtherTexts map[string]int64 `json:"other_texts,omitempty"`

	Charsets  map[string]int64 `json:"charsets,omitempty"`      // charsets of the pages
	Content   int64            `json:"content_bytes"`           // decoded size of the pages
	Links     int64            `json:"links"`                   // links on the pages, and link rows
	FirstTime string           `json:"first_capture,omitempty"` // in RFC 3339 format
	LastTime  string           `json:"last_capture,omitempty"`

	Findings []Finding `json:"findings,omitempty"` // damage comes first
}

// Verdict summarizes a report.
type Verdict string

// Verdicts.
const (
	Sound    Verdict = "sound"    // all of it can be read, and it has pages or links
	Nothing  Verdict = "nothing"  // all of it can be read, but it has neither pages nor links
	Damaged  Verdict = "damaged"  // some of it cannot be read
	Doubtful Verdict = "doubtful" // all of it can be read, but something was left out that may be wanted
)

// Finding is a reason why parts of the input are left out or only partly kept.
type Finding struct {
	crawl.Tally
	Kept   bool   `json:"kept,omitempty"` // whether what it is about is read, perhaps in part
	Advice string `json:"advice"`
}
