package crawl

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// httpHead is what matters of the head of a response.
type httpHead struct {
	status           int
	contentType      string
	contentEncoding  string
	transferEncoding string
	robots           string
	location         string
	refresh          string
}

// parseHead cuts a response into head and body. It takes what servers and crawlers write: bare LF, status
// lines without version or text, header lines without a colon, a missing blank line before the body.
// Without anything like a status line the whole block is the body and the status is 0.
func parseHead(b []byte) (httpHead, []byte) {
	var h httpHead
	line, rest, ok := cutLine(b)
	status := statusOf(line)
	if status < 0 {
		return h, b
	}
	h.status = status
	for ok {
		before := rest
		line, rest, ok = cutLine(rest)
		if len(line) == 0 {
			return h, rest
		}
		if line[0] == '<' && sniffHTML(line) { // no blank line
			return h, before
		}
		if len(b)-len(rest) <= maxHeader { // what is behind is no head of a server
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
	case equalFold(name, "content-type"):
		if h.contentType == "" {
			h.contentType = string(value)
		}
	case equalFold(name, "content-encoding"):
		h.contentEncoding = joinList(h.contentEncoding, value)
	case equalFold(name, "transfer-encoding"):
		h.transferEncoding = joinList(h.transferEncoding, value)
	case equalFold(name, "x-robots-tag"):
		h.robots = joinList(h.robots, value)
	case equalFold(name, "location"):
		h.location = cmp.Or(h.location, string(value))
	case equalFold(name, "refresh"):
		h.refresh = cmp.Or(h.refresh, string(value))
	}
}

func joinList(list string, value []byte) string {
	if list == "" {
		return lowerASCII(string(value))
	}
	return list + "," + lowerASCII(string(value))
}

// cutLine cuts at the next line end, which is CRLF or LF; ok is false when there is none.
func cutLine(b []byte) (line, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '\n')
	if i < 0 {
		return bytes.TrimRight(b, "\r"), nil, false
	}
	return bytes.TrimRight(b[:i], "\r"), b[i+1:], true
}

// statusOf reads a status line, "HTTP/1.1 200 OK" or "ICY 200" or "HTTP/1.1" alone; -1 if it is none.
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
	if len(code) != 3 || !isDigits(code) {
		return 0
	}
	return int(code[0]-'0')*100 + int(code[1]-'0')*10 + int(code[2]-'0')
}

// decodeWARC makes the page of a record: cheap tests first.
func decodeWARC(r *Record) (Page, error) {
	if r.kind == "metadata" {
		return decodeWAT(r)
	}
	head, body := httpHead{contentType: r.contentType}, r.data
	if r.kind == "response" {
		if head, body = parseHead(r.data); head.status == 0 && head.contentType == "" && !isHTTP(r.contentType) {
			head.contentType = r.contentType
		}
	}
	p := Page{Pos: r.Pos, URL: r.url, Time: r.time, Status: head.status, ContentType: head.contentType, Digest: r.digest, Robots: head.robots, Refresh: head.refresh, Warnings: r.notes}
	if !r.opts.Select.wantsStatus(head.status) {
		return Page{}, r.unwanted(head)
	}
	kind := mediaType(head.contentType)
	if !r.opts.Select.wantsMime(kind) {
		return Page{}, r.skip(ReasonNotSelected, r.url, errors.New(clip(kind, 80)))
	}
	wantText := r.kind == "conversion"
	if !wantText && kind != "" && kind != "text/html" && kind != "application/xhtml+xml" || wantText && kind != "text/plain" {
		return Page{}, r.skip(ReasonNotHTML, r.url, errors.New(clip(kind, 80)))
	}
	p, err := r.identify(p)
	if err != nil {
		return Page{}, err
	}
	if body, err = r.payload(&p, head, body); err != nil {
		return Page{}, err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return Page{}, r.skip(ReasonEmptyPage, r.url, nil)
	}
	if kind == "" && !sniffHTML(body[:min(len(body), sniffLen)]) {
		return Page{}, r.skip(ReasonNotHTML, r.url, errors.New("no content type, and no HTML"))
	}
	text, name := r.room.toUTF8(body, head.contentType, r.opts.MaxPage)
	p.Charset = name
	if text = r.cut(&p, text); wantText {
		p.Text = text
	} else {
		p.HTML = text
	}
	return p, nil
}

// unwanted is the skip of a response whose status makes it no page.
func (r *Record) unwanted(h httpHead) *Skip {
	why := fmt.Sprintf("status %d", h.status)
	if isRedirect(h.status) {
		return r.redirected(r.url, h.location, r.time, ReasonHTTPStatus, why)
	}
	return r.skip(ReasonHTTPStatus, r.url, errors.New(why))
}

func isHTTP(contentType string) bool { return mediaType(contentType) == "application/http" }

// mediaType is the type without parameters, in lower case.
func mediaType(contentType string) string {
	if i := strings.IndexAny(contentType, ";,"); i >= 0 {
		contentType = contentType[:i]
	}
	return strings.TrimSpace(lowerASCII(contentType))
}
