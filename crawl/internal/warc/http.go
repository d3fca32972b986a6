package warc

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/ascii"
)

// httpHead holds the parts of a response head that this package uses.
type httpHead struct {
	status           int
	contentType      string
	contentEncoding  string
	transferEncoding string
	robots           string
	location         string
	refresh          string
}

// parseHead splits a response into head and body. It passes over heads that precede that of the response: interim ones,
// such as 103 Early Hints, that of a proxy, and the same one again.
func parseHead(b []byte) (httpHead, []byte) {
	for {
		h, body := oneHead(b)
		line, _, _ := bytes.Cut(body, []byte("\n"))
		if h.status/100 > 2 || !bytes.HasPrefix(line, []byte("HTTP/")) || statusOf(line) <= 0 {
			return h, body
		}
		b = body
	}
}

// oneHead cuts the first head off a block. It accepts what servers and crawlers write: bare LF, status lines
// without a version or a reason, header lines without a colon, and a missing blank line before the body. If the block
// has nothing like a status line, all of it is the body and the status is 0.
func oneHead(b []byte) (httpHead, []byte) {
	var h httpHead
	line, rest, ok := payload.CutLine(b)
	status := statusOf(line)
	if status < 0 {
		return h, b
	}
	h.status = status
	var whole []byte // the last field, with the lines that continue it
	for ok {
		before := rest
		line, rest, ok = payload.CutLine(rest)
		if len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			line = slices.Concat(whole, []byte(" "), bytes.TrimSpace(line))
		}
		whole = line
		if len(line) == 0 {
			return h, rest
		}
		if line[0] == '<' && payload.SniffHTML(line) { // the blank line is missing
			return h, before
		}
		if len(b)-len(rest) <= maxHeader { // no server sends a longer head
			h.field(line)
		}
	}
	return h, nil
}

func (h *httpHead) field(line []byte) {
	i := bytes.IndexByte(line, ':')
	if i < 0 {
		return
	}
	name, value := bytes.TrimSpace(line[:i]), bytes.TrimSpace(line[i+1:])
	switch {
	case ascii.EqualFold(name, "content-type"):
		h.setType(string(value))
	case ascii.EqualFold(name, "content-encoding"):
		h.contentEncoding = joinList(h.contentEncoding, value)
	case ascii.EqualFold(name, "transfer-encoding"):
		h.transferEncoding = joinList(h.transferEncoding, value)
	case ascii.EqualFold(name, "x-robots-tag"):
		h.robots = joinList(h.robots, value)
	case ascii.EqualFold(name, "location"):
		h.location = cmp.Or(h.location, string(value))
	case ascii.EqualFold(name, "refresh"):
		h.refresh = cmp.Or(h.refresh, string(value))
	}
}

// setType sets the content type. If there are several, the last one that names a media type counts.
func (h *httpHead) setType(value string) {
	kind, before := record.MediaType(value), record.MediaType(h.contentType)
	if h.contentType == "" || kind != "" && (kind != before || strings.Contains(ascii.Lower(value), "charset")) {
		h.contentType = value
	}
}

func joinList(list string, value []byte) string {
	return strings.TrimPrefix(list+","+ascii.Lower(string(value)), ",")
}

// statusOf returns the status code of a status line such as "HTTP/1.1 200 OK" or "ICY 200", 0 for "HTTP/1.1" alone, and
// -1 if the line is not a status line.
func statusOf(line []byte) int {
	if len(line) > 8<<10 {
		return -1
	}
	version, rest, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	version = strings.ToUpper(version)
	if !strings.HasPrefix(version, "HTTP") && version != "ICY" {
		return -1
	}
	code, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if len(code) != 3 || !ascii.IsDigits(code) {
		return 0
	}
	return int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0')
}

// head splits the block of a record into the head of the response and its body. A block without a head is all body.
func (m *meta) head(r *record.Record) (head httpHead, body []byte) {
	if m.kind != "response" {
		return httpHead{contentType: m.contentType}, r.Data
	}
	if head, body = parseHead(r.Data); head.status == 0 && head.contentType == "" && !isHTTP(m.contentType) {
		head.contentType = m.contentType
	}
	return head, body
}

// page decodes the page of a record. Cheap tests come first.
func (m *meta) page(r *record.Record) (record.Page, error) {
	if m.kind == "metadata" {
		return decodeWAT(r)
	}
	head, body := m.head(r)
	p := record.Page{Pos: r.Pos, URL: r.URL, Time: r.Time, Status: head.status, ContentType: head.contentType, Digest: m.digest,
		Robots: head.robots, Refresh: head.refresh, Warnings: r.Notes}
	if !r.Opts.Select.WantsStatus(head.status) {
		return record.Page{}, r.Unwanted(&p, head.location)
	}
	kind := m.mediaType(&head)
	if !r.Opts.Select.WantsMime(kind) {
		return record.Page{}, r.Skip(record.ReasonNotSelected, r.URL, errors.New(record.Clip(kind, 80)))
	}
	wantText := m.kind == "conversion"
	if !wantText && kind != "" && !record.IsHTML(kind) || wantText && kind != "text/plain" {
		return record.Page{}, notHTML(r, head, body, kind)
	}
	if m.post || record.IsPost(r.URL) {
		return record.Page{}, r.Skip(record.ReasonPost, r.URL, nil)
	}
	if m.resource != "" && m.resource != "document" {
		return record.Page{}, r.Skip(record.ReasonNotDocument, r.URL, errors.New(record.Clip(m.resource, 40)))
	}
	p, err := r.Identify(p)
	if err != nil {
		return record.Page{}, err
	}
	if body, err = undoEncodings(r, &p, head, body); err != nil {
		return record.Page{}, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return record.Page{}, r.Skip(record.ReasonEmptyPage, r.URL, nil)
	}
	if kind == "" && !payload.SniffHTML(body[:min(len(body), payload.SniffLen)]) {
		return record.Page{}, r.Skip(record.ReasonNotHTML, r.URL, errors.New("neither a content type nor HTML"))
	}
	if err := r.CheckText(&p, body, kind); err != nil {
		return record.Page{}, err
	}
	text := r.DecodeText(&p, body, head.contentType)
	if wantText {
		p.Text = text
	} else {
		p.HTML = text
	}
	return p, nil
}

// mediaType returns the media type of a response. What the crawler identified counts if the server names none, or one that
// says nothing.
func (m *meta) mediaType(h *httpHead) string {
	kind := record.MediaType(h.contentType)
	if m.identified != "" && (kind == "" || kind == "application/octet-stream" || kind == "binary/octet-stream") {
		return record.MediaType(m.identified)
	}
	return kind
}

// notHTML returns the skip for a response of another media type. A body that looks like HTML is counted apart.
func notHTML(r *record.Record, h httpHead, body []byte, kind string) *record.Skip {
	var looks bool
	if record.MayBeHTML(kind) && len(body) > 0 {
		start, err := undoEncodings(r, new(record.Page), h, body)
		looks = err == nil && payload.SniffHTML(start[:min(len(start), payload.SniffLen)])
	} else {
		looks = payload.SniffPage(beginning(r, h, body))
	}
	reason := record.ReasonNotHTML
	if looks {
		reason = record.ReasonLooksHTML
	}
	return r.Skip(reason, r.URL, errors.New(record.Clip(kind, 80)))
}

// beginning returns the first bytes of a body, decoded if it is plain or gzip, as cheaply as they can be had.
func beginning(r *record.Record, h httpHead, body []byte) []byte {
	const enough = 512
	body = body[:min(len(body), 4*enough)]
	if strings.Contains(h.transferEncoding, "chunked") {
		_, body, _ = payload.CutLine(body)
	}
	if payload.IsGzip(body) {
		body, _ = r.Room.Gunzip(body, enough)
	}
	return body
}

func isHTTP(contentType string) bool { return record.MediaType(contentType) == "application/http" }

// headEnds reports whether b contains a complete response head.
func headEnds(b []byte) bool {
	return bytes.Contains(b, []byte("\n\r\n")) || bytes.Contains(b, []byte("\n\n"))
}

// undoEncodings undoes the transfer encoding and the content encodings of a body. If the body does not have the
// encoding that its header names, it ignores the header, because many crawlers decode the body and keep the header, and
// some servers name the wrong one. Data that begins like gzip or zstd is decoded whatever the header says, other data that
// is no text if HTML comes out. If the encoded data breaks off, or if it grows beyond maxRatio, undoEncodings keeps the
// part before that point with a warning.
func undoEncodings(r *record.Record, p *record.Page, h httpHead, body []byte) ([]byte, error) {
	if strings.Contains(h.transferEncoding, "chunked") {
		var err error
		if body, err = r.Room.Dechunk(body); err != nil {
			p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, err))
		}
	}
	codings := strings.Split(h.contentEncoding, ",")
	if te := strings.TrimSpace(h.transferEncoding); te == "gzip" || te == "deflate" || strings.HasPrefix(te, "gzip,") {
		codings = append(codings, strings.TrimSpace(strings.TrimSuffix(te, "chunked")))
	}
	for i := len(codings) - 1; i >= 0 && i >= len(codings)-4; i-- {
		coding := strings.Trim(codings[i], " \t,")
		if payload.SniffHTML(body) {
			break
		}
		limit := r.DecodedLimit(body)
		out, err := decodeContent(r, coding, body, limit)
		if int64(len(out)) >= limit && limit <= r.Opts.MaxPage {
			p.Warn(r.Skip(record.ReasonRatio, p.URL, fmt.Errorf("%.20q: %d bytes decode to %d or more", coding, len(body), limit)))
		}
		switch {
		case err == nil:
		case len(out) > 0:
			p.Warn(r.Skip(record.ReasonTruncatedPayload, p.URL, fmt.Errorf("%.20q: %w", coding, err)))
		default:
			return nil, r.Skip(record.ReasonBadEncoding, p.URL, fmt.Errorf("%.20q: %w", coding, err))
		}
		body = out
	}
	return r.Unpack(body), nil
}

// decodeContent undoes a content encoding, by the first bytes of the body if they show another one than the header. A body
// that is text and does not decode is decoded already.
func decodeContent(r *record.Record, coding string, body []byte, limit int64) ([]byte, error) {
	if data := bytes.TrimLeft(body[:min(len(body), 8)], "\r\n"); payload.Coding(data) != "" && coding != "" {
		coding, body = payload.Coding(data), bytes.TrimLeft(body, "\r\n")
	}
	out, err := r.Room.DecodeContent(coding, body, limit)
	if err != nil && payload.NotText(body) == "" && utf8.Valid(body) {
		return body, nil
	}
	return out, err
}
