package warc

import (
	"cmp"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
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
