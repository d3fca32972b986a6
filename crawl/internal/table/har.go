package table

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// A HAR is what a browser's network panel or a tool for tests saves: {"log": {"entries": [{"startedDateTime": …,
// "request": {"method": …, "url": …}, "response": {"status": …, "redirectURL": …, "content": {"mimeType": …, "text": …,
// "encoding": "base64"}}, "_resourceType": "document"}, …]}}. Every entry is a record.

var harHead = regexp.MustCompile(`^[\s\x{feff}]*\{\s*"log"\s*:\s*\{`)

var harNames = namesOf(map[Field]string{
	fieldTime: "startedDateTime", fieldType: "_resourceType", fieldMethod: "request.method", fieldURL: "request.url", fieldStatus: "response.status",
	fieldRedirect: "response.redirectURL", fieldMime: "response.content.mimeType", fieldHTML: "response.content.text", fieldEncoding: "response.content.encoding",
})

// decodeHAR returns the page of an entry.
func decodeHAR(r *record.Record) (record.Page, error) {
	v, err := parseLine(r.Data, harNames, &r.Room)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadJSON, "", err)
	}
	word := func(f Field) string { return payload.ValidString(v.first(f)) }
	status, _ := strconv.Atoi(word(fieldStatus))
	p := record.Page{Pos: r.Pos, URL: word(fieldURL), Time: record.ParseTime(word(fieldTime)), Status: status,
		ContentType: word(fieldMime), Warnings: r.Notes}
	r.URL, r.Time = p.URL, p.Time
	kind, role := record.MediaType(p.ContentType), word(fieldType)
	switch {
	case status <= 0, record.IsRedirect(status), !r.Opts.Select.WantsStatus(status):
		return record.Page{}, r.Unwanted(&p, word(fieldRedirect))
	case !r.Opts.Select.WantsMime(kind):
		return record.Page{}, r.Skip(record.ReasonNotSelected, p.URL, errors.New(record.Clip(kind, 80)))
	case strings.EqualFold(word(fieldMethod), "POST"):
		return record.Page{}, r.Skip(record.ReasonPost, p.URL, nil)
	case role != "" && role != "document":
		return record.Page{}, r.Skip(record.ReasonNotDocument, p.URL, errors.New(record.Clip(role, 80)))
	}
	body, contentType, err := harBody(r, &v)
	if err != nil {
		return record.Page{}, r.Skip(record.ReasonBadEncoding, p.URL, err)
	}
	looksHTML := payload.SniffPage(body)
	if !looksHTML && record.MayBeHTML(kind) {
		looksHTML = payload.SniffHTML(body[:min(len(body), payload.SniffLen)])
	}
	switch {
	case kind != "" && !record.IsHTML(kind) && looksHTML:
		return record.Page{}, r.Skip(record.ReasonLooksHTML, p.URL, errors.New(record.Clip(kind, 80)))
	case kind != "" && !record.IsHTML(kind):
		return record.Page{}, r.Skip(record.ReasonNotHTML, p.URL, errors.New(record.Clip(kind, 80)))
	case len(bytes.TrimSpace(body)) == 0:
		return record.Page{}, r.Skip(record.ReasonEmptyPage, p.URL, errors.New("saved without content: save the HAR with content"))
	case kind == "" && !looksHTML:
		return record.Page{}, r.Skip(record.ReasonNotHTML, p.URL, errors.New("neither a content type nor HTML"))
	}
	if err := r.CheckText(&p, body, kind); err != nil {
		return record.Page{}, err
	}
	p.HTML = r.DecodeText(&p, body, contentType)
	return r.Identify(p)
}

// harBody returns the body of an entry and its content type. Text that is not in base64 has been decoded by the browser.
func harBody(r *record.Record, v *Values) (body []byte, as string, err error) {
	body = v.Of[fieldHTML]
	if !strings.EqualFold(string(v.Of[fieldEncoding]), "base64") {
		return unwrapped(&r.Room, body), "text/html; charset=utf-8", nil
	}
	raw, err := r.Room.ReadUpTo(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)), r.Opts.MaxRecord(), len(body)/4)
	switch {
	case err != nil && payload.SniffHTML(body[:min(len(body), payload.SniffLen)]): // Firefox has said so of text
		return body, "text/html; charset=utf-8", nil
	case err != nil && len(raw) == 0:
		return nil, "", fmt.Errorf("base64: %w", err)
	}
	return raw, payload.ValidString(v.first(fieldMime)), nil
}
