package crawl

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// isWAT knows the records of a WAT file: what a crawl knows of a record, as JSON.
func isWAT(kind, contentType string) bool {
	return kind == "metadata" && mediaType(contentType) == "application/json"
}

// watRecord is what matters of the JSON of one.
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

// watLink is a link by the place where it stood, such as A@/href or IMG@/src.
type watLink struct{ Path, URL, Text, Title, Alt, Rel string }

// watLinkBytes is about what a link takes in memory, beside its text.
const watLinkBytes = 400

// decodeWAT makes the page of a record about a response of HTML: its title and its links, with no text around them.
func decodeWAT(r *Record) (Page, error) {
	if err := r.opts.needs(4*int64(len(r.data))+watLinkBytes*int64(bytes.Count(r.data, []byte(`"url"`))), r.Pos, "a record with the links of a page"); err != nil {
		return Page{}, r.skip(ReasonBadJSON, r.url, err)
	}
	var w watRecord
	var odd *json.UnmarshalTypeError
	if err := json.Unmarshal(r.data, &w); err != nil && !errors.As(err, &odd) { // a member of an odd type is left out
		return Page{}, r.skip(ReasonBadJSON, r.url, err)
	}
	response, about := w.Envelope.Payload.Response, w.Envelope.Header
	if response == nil {
		return Page{}, r.skip(ReasonRecordType("metadata"), r.url, fmt.Errorf("of a record of type %q", clip(about.Type, 40)))
	}
	if status := response.Message.Status; status != "200" && status != "" {
		return Page{}, r.skip(ReasonHTTPStatus, r.url, fmt.Errorf("status %s", clip(status, 20)))
	}
	if response.HTML == nil {
		return Page{}, r.skip(ReasonNotHTML, r.url, errors.New("no metadata of HTML"))
	}
	p := Page{Pos: r.Pos, URL: cmp.Or(about.URI, r.url), Time: parseTime(about.Date), Status: 200, Title: folded([]byte(response.HTML.Head.Title[:min(len(response.HTML.Head.Title), maxAside)])),
		Links: []Link{}, Charset: "utf-8", Warnings: r.notes}
	if p.Time.IsZero() {
		p.Time = r.time
	}
	p, err := r.identify(p)
	if err != nil {
		return Page{}, err
	}
	base, _ := Base(p.URL, response.HTML.Head.Base)
	for _, l := range response.HTML.Links {
		if l.URL == "" || l.Path != "A@/href" && l.Path != "AREA@/href" {
			continue
		}
		target := l.URL
		if abs, err := absolute(base, target); err == nil {
			target = abs
		}
		p.Links = append(p.Links, Link{Target: target, Anchor: valid([]byte(cmp.Or(strings.TrimSpace(l.Text), l.Alt, l.Title))), Rel: l.Rel})
	}
	return p, nil
}
