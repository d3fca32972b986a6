package warc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

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
	if err := r.Opts.Needs(4*int64(len(r.Data))+watLinkBytes*int64(bytes.Count(r.Data, []byte(`"url"`))), r.Pos, "a record with the links of a page"); err != nil {
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
	p := record.Page{Pos: r.Pos, URL: cmp.Or(about.URI, r.URL), Time: record.ParseTime(about.Date), Status: 200, Title: payload.Folded([]byte(response.HTML.Head.Title[:min(len(response.HTML.Head.Title), payload.MaxAside)])),
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
