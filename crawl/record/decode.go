package record

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// DecodeText returns a body as UTF-8, cut to MaxPage bytes, and sets the charset of the page. contentType is that of the
// server, if there is one. If the charset was guessed, the page gets a warning.
func (r *Record) DecodeText(p *Page, body []byte, contentType string) []byte {
	text, name, guessed := r.Room.ToUTF8(body, contentType, r.Opts.MaxPage)
	p.Charset = name
	if guessed {
		p.Warn(r.Skip(ReasonCharsetGuessed, p.URL, errors.New(name)))
	}
	return r.Cut(p, text)
}

// CheckText returns a *Skip if the body of a page is neither HTML nor text. said is what announced it as a page, such as a
// media type.
func (r *Record) CheckText(p *Page, body []byte, said string) error {
	kind := payload.NotText(body)
	switch {
	case kind == "":
		return nil
	case said == "":
		return r.Skip(ReasonNotHTML, p.URL, fmt.Errorf("is %s", kind))
	}
	return r.Skip(ReasonNotHTML, p.URL, fmt.Errorf("said %s, is %s", Clip(said, 80), kind))
}

// Unpack decodes a body whose encoding nobody names: data that begins like gzip or zstd, and other data that is no text, if
// HTML comes out.
func (r *Record) Unpack(body []byte) []byte {
	if payload.SniffHTML(body) {
		return body
	}
	data := bytes.TrimLeft(body, "\r\n")
	codings := []string{payload.Coding(data)}
	if codings[0] == "" {
		if payload.NotText(body) == "" {
			return body
		}
		codings = []string{"deflate", "br"}
	}
	for _, coding := range codings {
		out, err := r.Room.DecodeContent(coding, data, r.DecodedLimit(body))
		if err == nil && (len(codings) == 1 || payload.SniffHTML(out)) {
			return out
		}
	}
	return body
}

// IsPost reports whether a URL of an archive or the key of an index says that a form was sent to it, as pywb writes it.
func IsPost(url string) bool {
	_, method, ok := strings.Cut(url, "__wb_method=")
	return ok && !strings.HasPrefix(strings.ToLower(method), "get") && !strings.HasPrefix(strings.ToLower(method), "head")
}

// DecodedLimit returns the number of bytes to which an encoded body may grow.
func (r *Record) DecodedLimit(body []byte) int64 {
	return min(r.Opts.MaxPage+1, max(payload.MaxRatio*int64(len(body)), payload.RatioFree))
}
