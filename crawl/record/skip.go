package record

import (
	"strings"

	"github.com/lshclust/lshclust/urls"
)

// Reason says in one word why something was left out. It is an error itself, so that the URL functions
// can return it without allocating; test with errors.Is or errors.As.
type Reason string

// Reasons for damage: the input could not be read there.
const (
	ReasonTruncatedGzip     Reason = "truncated-gzip"     // the compressed stream stops in the middle
	ReasonBadGzip           Reason = "bad-gzip"           // invalid compressed data or wrong checksum
	ReasonBadZstd           Reason = "bad-zstd"           // invalid or truncated zstd data
	ReasonBadRecord         Reason = "bad-record"         // not a WARC or ARC record where one should begin
	ReasonTruncatedRecord   Reason = "truncated-record"   // a record ends before its Content-Length
	ReasonBadJSON           Reason = "bad-json"           // a line that is not a JSON object
	ReasonLineTooLong       Reason = "line-too-long"      // a line above Options.MaxLine
	ReasonBadRow            Reason = "bad-row"            // a row of a table that has not the columns of the table
	ReasonBadParquet        Reason = "bad-parquet"        // invalid Parquet data
	ReasonBadSitemap        Reason = "bad-sitemap"        // a sitemap that is no sitemap
	ReasonUnknownColumns    Reason = "unknown-columns"    // a table whose columns say nothing of pages or links
	ReasonBadEncoding       Reason = "bad-encoding"       // content encoding unknown or undecodable
	ReasonTruncatedPayload  Reason = "truncated-payload"  // encoded payload stops early; the start was kept
	ReasonBadIndex          Reason = "bad-index"          // a line of CDX or CDXJ that is none
	ReasonNoArchive         Reason = "no-archive"         // an index names a record that is not there
	ReasonBadZip            Reason = "bad-zip"            // a zip archive or a file in it that cannot be read, or lies about its size
	ReasonUnsafeName        Reason = "unsafe-name"        // a file in a zip archive with a path that leads out of it
	ReasonUnreadableFile    Reason = "unreadable-file"    // the operating system said no
	ReasonUnsupportedFormat Reason = "unsupported-format" // a whole file that no source reads
)

// Reasons of policy: the input was understood, but not wanted.
const (
	ReasonNoURL       Reason = "no-url"              // record without a URL
	ReasonBadURL      Reason = "bad-url"             // URL without a host, or malformed
	ReasonNotHTTPURL  Reason = "not-http-url"        // ftp:, dns:, file:, urn: …
	ReasonURLTooLong  Reason = "url-too-long"        // canonical form above MaxURL
	ReasonJavaScript  Reason = "javascript"          // link to javascript:
	ReasonMailTo      Reason = "mailto"              // link to mailto:, tel: or sms:
	ReasonDataURL     Reason = "data-url"            // link to data:, blob: or about:
	ReasonNotHTML     Reason = "not-html"            // another media type
	ReasonNotLink     Reason = "not-link"            // row of a links table about an image, a style sheet, a script
	ReasonNotResponse Reason = "not-response"        // WARC record of an unknown type
	ReasonHTTPStatus  Reason = "http-status"         // status other than 200
	ReasonRedirect    Reason = "redirect"            // redirects to another URL: see Skip.Redirect
	ReasonNotSelected Reason = "not-selected"        // another time, status or media type than Options.Select wants
	ReasonEmptyPage   Reason = "empty-page"          // nothing in it
	ReasonEmptyFile   Reason = "empty-file"          // an input of no bytes
	ReasonRunDir      Reason = "run-directory"       // a folder made by lshclust cluster
	ReasonPageTooBig  Reason = "page-too-big"        // above Options.MaxPage; the page is kept, cut there
	ReasonTruncated   Reason = "warc-truncated"      // the crawler says that it cut the record (WARC-Truncated); the page is kept
	ReasonOneMember   Reason = "one-member"          // a whole archive in one gzip member: read, but by one worker and only from the start
	ReasonRatio       Reason = "decompression-ratio" // a body swells too much when decoded; the start was kept
)

var damage = map[Reason]bool{
	ReasonTruncatedGzip: true, ReasonBadGzip: true, ReasonBadZstd: true, ReasonBadRecord: true,
	ReasonTruncatedRecord: true, ReasonBadJSON: true, ReasonLineTooLong: true, ReasonBadEncoding: true,
	ReasonBadIndex: true, ReasonNoArchive: true, ReasonBadZip: true, ReasonUnsafeName: true,
	ReasonTruncatedPayload: true, ReasonUnreadableFile: true, ReasonUnsupportedFormat: true,
	ReasonBadRow: true, ReasonBadParquet: true, ReasonBadSitemap: true, ReasonUnknownColumns: true,
}

// ReasonRecordType is the reason for a record of a type that holds no page, such as "warc-request" or "arc-filedesc".
// Types that the standard does not know share ReasonNotResponse.
func ReasonRecordType(warcType string) Reason {
	switch warcType {
	case "filedesc":
		return "arc-filedesc"
	case "warcinfo", "request", "metadata", "revisit", "conversion", "continuation", "resource":
		return Reason("warc-" + warcType)
	}
	return ReasonNotResponse
}

// Damage reports whether the input was unreadable there (exit code 3), as opposed to not wanted.
func (r Reason) Damage() bool { return damage[r] }

// Error makes a Reason an error.
func (r Reason) Error() string { return string(r) }

// Skip says what was left out, where and why. It is an error.
type Skip struct {
	Pos    Position
	Reason Reason
	URL    string // when known, cut to 200 bytes
	Err    error  // detail, may be nil
	Passed int64  // bytes of the file that damage made the source pass over, when known

	Redirect *urls.Redirect // of ReasonRedirect, and of one that is damaged behind its head: where to
}

// Error is "POSITION: REASON: URL: DETAIL".
func (s *Skip) Error() string {
	var b strings.Builder
	b.WriteString(s.Pos.String())
	b.WriteString(": ")
	b.WriteString(string(s.Reason))
	if s.URL != "" {
		b.WriteString(": ")
		b.WriteString(s.URL)
	}
	if s.Err != nil {
		b.WriteString(": ")
		b.WriteString(s.Err.Error())
	}
	return b.String()
}

// Unwrap returns the reason and the detail to errors.Is and errors.As.
func (s *Skip) Unwrap() []error {
	if s.Err == nil {
		return []error{s.Reason}
	}
	return []error{s.Reason, s.Err}
}

// Clip cuts a string from the input to n bytes for a message, and copies it so that it holds no buffer.
func Clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return strings.ToValidUTF8(strings.Clone(s), "\uFFFD")
}

// Detail is what Err says, cut to 300 bytes.
func (s *Skip) Detail() string {
	if s.Err == nil {
		return ""
	}
	return Clip(s.Err.Error(), 300)
}
