package record

import (
	"errors"
	"slices"
	"strings"
	"syscall"

	"github.com/lshclust/lshclust/crawl/urls"
)

// Reason says in one word why something was left out. It is itself an error, so that the URL functions return it
// without allocating memory. Test for it with errors.Is or errors.As.
type Reason string

// Reasons for damage: the input could not be read.
const (
	ReasonTruncatedGzip     Reason = "truncated-gzip"     // the compressed stream stops in the middle
	ReasonBadGzip           Reason = "bad-gzip"           // invalid compressed data or wrong checksum
	ReasonBadZstd           Reason = "bad-zstd"           // invalid or truncated zstd data
	ReasonBadCompression    Reason = "bad-compression"    // invalid or truncated bzip2, xz, lz4, snappy or brotli data
	ReasonBadRecord         Reason = "bad-record"         // no WARC or ARC record where one should begin
	ReasonTruncatedRecord   Reason = "truncated-record"   // a record is shorter than its Content-Length
	ReasonBadJSON           Reason = "bad-json"           // something that is not a JSON object where one should be
	ReasonLineTooLong       Reason = "line-too-long"      // a line longer than Options.MaxLine
	ReasonBadRow            Reason = "bad-row"            // a table row without the columns of the table
	ReasonBadParquet        Reason = "bad-parquet"        // invalid Parquet data
	ReasonBadSitemap        Reason = "bad-sitemap"        // a sitemap that cannot be read as one
	ReasonUnknownColumns    Reason = "unknown-columns"    // a table without columns for pages or links
	ReasonBadEncoding       Reason = "bad-encoding"       // content encoding unknown or body not decodable
	ReasonTruncatedPayload  Reason = "truncated-payload"  // encoded payload breaks off; the start was kept
	ReasonBadIndex          Reason = "bad-index"          // a line that is neither CDX nor CDXJ
	ReasonNoArchive         Reason = "no-archive"         // an index names a record that is not there
	ReasonBadZip            Reason = "bad-zip"            // a zip archive or a file in it that cannot be read, or has a wrong size
	ReasonBadTar            Reason = "bad-tar"            // a tar archive that cannot be read to its end
	ReasonUnsafeName        Reason = "unsafe-name"        // a file in an archive whose path leads out of the archive
	ReasonUnreadableFile    Reason = "unreadable-file"    // an error of the operating system
	ReasonUnsupportedFormat Reason = "unsupported-format" // a whole file that no source reads
)

// Reasons of policy: the input was understood, but is not wanted.
const (
	ReasonNoURL       Reason = "no-url"              // record without a URL
	ReasonBadURL      Reason = "bad-url"             // URL without a host, or malformed
	ReasonNotHTTPURL  Reason = "not-http-url"        // ftp:, dns:, file:, urn: …
	ReasonURLTooLong  Reason = "url-too-long"        // canonical form longer than MaxURL
	ReasonJavaScript  Reason = "javascript"          // link to javascript:
	ReasonMailTo      Reason = "mailto"              // link to mailto:, tel: or sms:
	ReasonDataURL     Reason = "data-url"            // link to data:, blob: or about:
	ReasonNotHTML     Reason = "not-html"            // another media type
	ReasonNotLink     Reason = "not-link"            // link row about an image, a style sheet, a script
	ReasonNotResponse Reason = "not-response"        // WARC record of an unknown type
	ReasonHTTPStatus  Reason = "http-status"         // status other than 200
	ReasonRedirect    Reason = "redirect"            // redirects to another URL: see Skip.Redirect
	ReasonNotSelected Reason = "not-selected"        // time, status or media type that Options.Select does not want
	ReasonEmptyPage   Reason = "empty-page"          // no content
	ReasonEmptyFile   Reason = "empty-file"          // an input of no bytes
	ReasonRunDir      Reason = "run-directory"       // a folder made by lshclust cluster
	ReasonPageTooBig  Reason = "page-too-big"        // larger than Options.MaxPage; the page is kept, cut there
	ReasonTruncated   Reason = "warc-truncated"      // the crawler cut the record (WARC-Truncated); the page is kept
	ReasonOneMember   Reason = "one-member"          // a whole archive in one gzip member: read, but by one worker and only from the start
	ReasonRatio       Reason = "decompression-ratio" // a body grows too much when decoded; the start was kept
	ReasonNotDocument Reason = "not-document"        // loaded by a page: an image, or a fragment that a script fetched
	ReasonPost        Reason = "answer-to-post"      // the answer to a form, not the page of the URL
	ReasonCompanion   Reason = "companion-file"      // written beside the pages by an operating system, a browser or a mirroring tool
)

// Reasons of doubt: nothing is damaged, but what was left out may be wanted.
const (
	ReasonLooksHTML   Reason = "looks-like-html"  // left out because of its type, name or place, but it looks like HTML
	ReasonArchiveLeft Reason = "archive-left-out" // a crawl file that lies beside the pages of a site and was not read
)

// Notes about pages that are kept.
const (
	ReasonCharsetGuessed Reason = "charset-guessed" // the charset is not declared and was guessed from the bytes
	ReasonBadTime        Reason = "bad-time"        // a time that cannot be read; the page has none
	ReasonOddURL         Reason = "odd-url"         // a word in place of the URL, in a table whose other rows have addresses
)

var doubt = map[Reason]bool{ReasonLooksHTML: true, ReasonArchiveLeft: true}

var notes = map[Reason]bool{
	ReasonOneMember: true, ReasonPageTooBig: true, ReasonRatio: true, ReasonTruncated: true,
	ReasonCharsetGuessed: true, ReasonBadTime: true, ReasonOddURL: true,
}

var damage = map[Reason]bool{
	ReasonBadCompression: true, ReasonBadTar: true,
	ReasonTruncatedGzip: true, ReasonBadGzip: true, ReasonBadZstd: true, ReasonBadRecord: true,
	ReasonTruncatedRecord: true, ReasonBadJSON: true, ReasonLineTooLong: true, ReasonBadEncoding: true,
	ReasonBadIndex: true, ReasonNoArchive: true, ReasonBadZip: true, ReasonUnsafeName: true,
	ReasonTruncatedPayload: true, ReasonUnreadableFile: true, ReasonUnsupportedFormat: true,
	ReasonBadRow: true, ReasonBadParquet: true, ReasonBadSitemap: true, ReasonUnknownColumns: true,
}

// ReasonRecordType returns the reason for a record of a type that holds no page, such as "warc-request" or
// "arc-filedesc". Types that the standard does not define share ReasonNotResponse.
func ReasonRecordType(warcType string) Reason {
	switch warcType {
	case "filedesc":
		return "arc-filedesc"
	case "warcinfo", "request", "metadata", "revisit", "conversion", "continuation", "resource":
		return Reason("warc-" + warcType)
	}
	return ReasonNotResponse
}

// Damage reports whether the reason means unreadable input (exit code 3) rather than input that is not wanted.
func (r Reason) Damage() bool { return damage[r] }

// Doubt reports whether the reason means input that was understood and left out, but may be wanted. The verdict of doctor
// is then not "sound".
func (r Reason) Doubt() bool { return doubt[r] }

// Note reports whether what the reason is about is still read, perhaps in part.
func (r Reason) Note() bool { return notes[r] }

// Error implements error. It returns the word.
func (r Reason) Error() string { return string(r) }

// Skip says what was left out, where and why. It is an error.
type Skip struct {
	Pos    Position
	Reason Reason
	URL    string // cut to 200 bytes; empty if not known
	Err    error  // details; may be nil
	Passed int64  // bytes of the file that the source skipped because of damage; 0 if not known

	Redirect *urls.Redirect // set for ReasonRedirect and for a redirect with a damaged body
}

// Error returns "POSITION: REASON: URL: DETAIL".
func (s *Skip) Error() string {
	out := s.Pos.String() + ": " + string(s.Reason)
	if s.URL != "" {
		out += ": " + s.URL
	}
	if s.Err != nil {
		out += ": " + s.Err.Error()
	}
	return out
}

// Unwrap returns the reason and the details for errors.Is and errors.As.
func (s *Skip) Unwrap() []error {
	if s.Err == nil {
		return []error{s.Reason}
	}
	return []error{s.Reason, s.Err}
}

// Clip cuts a string from the input to n bytes for a message. It returns a copy, so that the input buffer can be freed.
func Clip(s string, n int) string {
	if len(s) > n {
		return strings.ToValidUTF8(s[:n], "") + "…"
	}
	return strings.ToValidUTF8(strings.Clone(s), "\uFFFD")
}

// Passing reports whether the operating system lacked something for a moment: files, memory, or a server that has the file.
// The input is then not damaged, and can be read later.
func (s *Skip) Passing() bool {
	return slices.ContainsFunc(passing, func(e syscall.Errno) bool { return errors.Is(s.Err, e) })
}

var passing = []syscall.Errno{
	syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.EINTR, syscall.ESTALE, syscall.ETIMEDOUT,
}

// Detail returns the text of Err, cut to 300 bytes.
func (s *Skip) Detail() string {
	if s.Err == nil {
		return ""
	}
	return Clip(s.Err.Error(), 300)
}
