package warc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// meta holds what the header of an archive record says, as far as it is needed after reading the record.
type meta struct {
	archiveHeader
	refersTime time.Time // of a revisit
	rendered   record.Rendering
}

// About implements record.Archived.
func (m *meta) About(r *record.Record) record.About {
	a := record.About{Type: m.kind, URL: r.URL, Time: r.Time, MediaType: record.MediaType(m.contentType)}
	if m.kind != "response" {
		return a
	}
	head, _ := parseHead(r.Data)
	a.Status, a.MediaType = head.status, record.MediaType(cmp.Or(head.contentType, m.contentType))
	a.Encoding = strings.Join(strings.FieldsFunc(head.transferEncoding+","+head.contentEncoding, func(c rune) bool { return c == ',' || c == ' ' }), ", ")
	return a
}

// Original implements record.Archived.
func (m *meta) Original(r *record.Record) (v record.Revisit, ok bool) {
	p, err := r.Identify(record.Page{URL: r.URL})
	if err != nil || m.kind != "response" && (m.kind != "resource" || m.rendered != record.NotRendered) {
		return v, false
	}
	return record.Revisit{URL: p.URL, Canonical: p.Canonical, Time: r.Time, Digest: m.digest}, true
}

// Revisit implements record.Archived.
func (m *meta) Revisit(r *record.Record) (v record.Revisit, ok bool) {
	if m.kind != "revisit" || !r.Opts.Select.WantsTime(r.Time) {
		return v, false
	}
	if head, _ := parseHead(r.Data); record.IsRedirect(head.status) {
		return v, false
	}
	p, err := r.Identify(record.Page{URL: r.URL})
	if err != nil {
		return v, false
	}
	v = record.Revisit{URL: p.URL, Canonical: p.Canonical, Time: r.Time, Digest: m.digest, RefersTo: m.refersTime}
	if p, err = r.Identify(record.Page{URL: m.refersURL}); err == nil {
		v.RefersURL = p.Canonical
	}
	return v, true
}

// revisit decodes a revisit record. It never returns a page. If the response was a redirect, the skip has its target.
func (m *meta) revisit(r *record.Record) (record.Page, error) {
	if head, _ := parseHead(r.Data); record.IsRedirect(head.status) {
		return record.Page{}, r.Unwanted(&record.Page{URL: r.URL, Time: r.Time, Status: head.status}, head.location)
	}
	return record.Page{}, r.Skip(record.ReasonRecordType("revisit"), r.URL, nil)
}

// rendering turns a resource record that holds the rendered text of a page into a record with the URL of that page.
func (m *meta) rendering(r *record.Record) {
	for prefix, at := range map[string]record.Rendering{"urn:text:": record.RenderedLoaded, "urn:textFinal:": record.RenderedFinal} {
		if url, ok := strings.CutPrefix(r.URL, prefix); ok && record.MediaType(m.contentType) == "text/plain" {
			r.URL, m.rendered = url, at
			r.Decode = m.text
			return
		}
	}
}

func (m *meta) text(r *record.Record) (record.Page, error) {
	return r.TextPage(r.Data, m.contentType, m.digest, m.rendered)
}

// isWAT reports whether a record belongs to a WAT file, which holds the metadata of records as JSON.
func isWAT(kind, contentType string) bool {
	return kind == "metadata" && record.MediaType(contentType) == "application/json"
}

// watRecord holds the members of that JSON that this package uses.
type watRecord struct {
	Envelope struct {
		Header struct {
			Type string `json:"WARC-Type"`
			URI  string `json:"WARC-Target-URI"`
			Date string `json:"WARC-Date"`
		} `json:"WARC-Header-Metadata"`
		Payload struct {
			Response *watResponse `json:"HTTP-Response-Metadata"`
		} `json:"Payload-Metadata"`
	}
}

type watResponse struct {
	Message struct{ Status string } `json:"Response-Message"`
	HTML    *struct {
		Head  struct{ Title, Base string }
		Links []watLink
	} `json:"HTML-Metadata"`
}

// watLink is a link. Path says where the URL was found, such as A@/href or IMG@/src.
type watLink struct{ Path, URL, Text, Title, Alt, Rel string }

// watLinkBytes is the approximate memory of a link without its text.
const watLinkBytes = 400

// decodeWAT decodes the page of a WAT record about an HTML response: its title and its links, without the text around
// them.
func decodeWAT(r *record.Record) (record.Page, error) {
	if err := r.Opts.Needs(4*int64(len(r.Data))+watLinkBytes*int64(bytes.Count(r.Data, []byte(`"url"`))), r.Pos,
		"a record with the links of a page"); err != nil {
		return record.Page{}, r.Skip(record.ReasonBadJSON, r.URL, err)
	}
	var w watRecord
	var odd *json.UnmarshalTypeError
	if err := json.Unmarshal(r.Data, &w); err != nil && !errors.As(err, &odd) { // ignore members of unexpected types
		return record.Page{}, r.Skip(record.ReasonBadJSON, r.URL, err)
	}
	response, about := w.Envelope.Payload.Response, w.Envelope.Header
	if response == nil {
		return record.Page{}, r.Skip(record.ReasonRecordType("metadata"), r.URL, fmt.Errorf("of a record of type %q", record.Clip(about.Type, 40)))
	}
	if status := response.Message.Status; status != "200" && status != "" {
		return record.Page{}, r.Skip(record.ReasonHTTPStatus, r.URL, fmt.Errorf("status %s", record.Clip(status, 20)))
	}
	if response.HTML == nil {
		return record.Page{}, r.Skip(record.ReasonNotHTML, r.URL, errors.New("not the metadata of an HTML page"))
	}
	p := record.Page{Pos: r.Pos, URL: cmp.Or(about.URI, r.URL), Time: record.ParseTime(about.Date), Status: 200,
		Title: payload.Folded([]byte(response.HTML.Head.Title[:min(len(response.HTML.Head.Title), payload.MaxAside)])),
		Links: []record.Link{}, Charset: "utf-8", Warnings: r.Notes}
	if p.Time.IsZero() {
		p.Time = r.Time
	}
	p, err := r.Identify(p)
	if err != nil {
		return record.Page{}, err
	}
	base, _ := urls.Base(p.URL, response.HTML.Head.Base)
	for _, l := range response.HTML.Links {
		if l.URL == "" || l.Path != "A@/href" && l.Path != "AREA@/href" {
			continue
		}
		target := l.URL
		if abs, err := urls.Absolute(base, target); err == nil {
			target = abs
		}
		p.Links = append(p.Links, record.Link{Target: target, Anchor: payload.ValidString([]byte(cmp.Or(strings.TrimSpace(l.Text), l.Alt, l.Title))), Rel: l.Rel})
	}
	return p, nil
}
