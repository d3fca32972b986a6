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

func isHAR(head []byte) bool { return harHead.Match(head) }

// isEntry reports whether an object is an entry of a HAR.
func isEntry(object []byte) bool {
	e := entry{}
	r := readerOf(object, new(payload.Room))
	defer r.done()
	_ = r.entry(e, "", 1)
	return e["request"] != nil || e["response"] != nil
}

// entry holds the values of an entry by their paths. An object has a value that is not nil.
type entry map[string][]byte

// entry reads an object and the objects in it to a depth.
func (r *lineReader) entry(e entry, path string, depth int) error {
	return r.members(func(key []byte) error {
		name := path + string(key[:min(len(key), longestName)])
		switch kind := r.PeekKind(); {
		case kind == '{' && depth > 0:
			e[name] = []byte{}
			return r.entry(e, name+".", depth-1)
		case !harMembers[name]:
			return r.SkipValue()
		}
		raw, err := r.ReadValue()
		if err != nil {
			return err
		}
		if e[name] = raw; raw.Kind() == '"' {
			e[name] = r.text(raw)
		}
		return nil
	})
}

var harMembers = map[string]bool{
	"startedDateTime": true, "_resourceType": true, "request.method": true, "request.url": true, "response.status": true, "response.redirectURL": true,
	"response.content.mimeType": true, "response.content.text": true, "response.content.encoding": true,
}

// decodeHAR returns the page of an entry.
func decodeHAR(r *record.Record) (record.Page, error) {
	e, in := entry{}, readerOf(r.Data, &r.Room)
	defer in.done()
	if err := in.entry(e, "", 2); err != nil {
		return record.Page{}, r.Skip(record.ReasonBadJSON, "", plain(err))
	}
	word := func(name string) string {
		v := e[name]
		return payload.ValidString(v[:min(len(v), payload.MaxAside)])
	}
	status, _ := strconv.Atoi(word("response.status"))
	p := record.Page{Pos: r.Pos, URL: word("request.url"), Time: record.ParseTime(word("startedDateTime")), Status: status, ContentType: word("response.content.mimeType"), Warnings: r.Notes}
	r.URL, r.Time = p.URL, p.Time
	kind, role := record.MediaType(p.ContentType), word("_resourceType")
	switch {
	case record.IsRedirect(status):
		return record.Page{}, r.Redirected(p.URL, word("response.redirectURL"), p.Time, record.ReasonHTTPStatus, fmt.Sprintf("status %d", status))
	case status <= 0 || !r.Opts.Select.WantsStatus(status):
		return record.Page{}, r.Skip(record.ReasonHTTPStatus, p.URL, fmt.Errorf("status %d", status))
	case !r.Opts.Select.WantsMime(kind):
		return record.Page{}, r.Skip(record.ReasonNotSelected, p.URL, errors.New(record.Clip(kind, 80)))
	case strings.EqualFold(word("request.method"), "POST"):
		return record.Page{}, r.Skip(record.ReasonPost, p.URL, nil)
	case role != "" && role != "document":
		return record.Page{}, r.Skip(record.ReasonNotDocument, p.URL, errors.New(record.Clip(role, 80)))
	}
	body, contentType, err := harBody(r, e, p.ContentType)
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
func harBody(r *record.Record, e entry, contentType string) (body []byte, as string, err error) {
	body = e["response.content.text"]
	if !strings.EqualFold(string(e["response.content.encoding"]), "base64") {
		return body, "text/html; charset=utf-8", nil
	}
	raw, err := r.Room.ReadUpTo(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(body)), r.Opts.MaxRecord(), len(body)/4)
	switch {
	case err != nil && payload.SniffHTML(body[:min(len(body), payload.SniffLen)]): // Firefox has said so of text
		return body, "text/html; charset=utf-8", nil
	case err != nil && len(raw) == 0:
		return nil, "", fmt.Errorf("base64: %w", err)
	}
	return raw, contentType, nil
}
