package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/urls"
)

// IdentifyAny is Identify for inputs whose documents need not be web pages. An id that is not an http URL identifies
// the document unchanged (npm:left-pad@1.3.0/LICENSE, urn:isbn:…, 17).
func (r *Record) IdentifyAny(p Page) (Page, error) {
	c, err := r.Opts.Rules.Canonical(p.URL)
	switch {
	case err == nil && p.URL != "":
		p.Canonical = c
		return p, nil
	case p.URL == "" || len(p.URL) > urls.MaxURL || hasScheme(p.URL):
		return r.Identify(p)
	}
	p.Canonical = p.URL
	return p, nil
}

// hasScheme reports whether a URL has a scheme of the web even though it has no canonical form.
func hasScheme(url string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(url)), ":")
	return scheme == "http" || scheme == "https" || scheme == "javascript" || scheme == "data" || scheme == "mailto"
}

// Identify sets the canonical URL. Without one there is no page, and the error is a *Skip.
func (r *Record) Identify(p Page) (Page, error) {
	if p.URL == "" {
		return Page{}, r.Skip(ReasonNoURL, "", nil)
	}
	c, err := r.Opts.Rules.Canonical(p.URL)
	if err != nil {
		reason := ReasonBadURL
		if bad := urls.ErrBad; errors.As(err, &bad) {
			reason = Reason(bad)
		}
		if reason == ReasonJavaScript || reason == ReasonMailTo || reason == ReasonDataURL {
			reason = ReasonNotHTTPURL
		}
		return Page{}, r.Skip(reason, p.URL, nil)
	}
	p.Canonical = c
	return p, nil
}

// Cut cuts the content of a page to MaxPage bytes and adds a warning if it was longer.
func (r *Record) Cut(p *Page, b []byte) []byte {
	limit := int(r.Opts.MaxPage)
	if len(b) <= limit {
		return b
	}
	if !slices.ContainsFunc(p.Warnings, func(w *Skip) bool { return w.Reason == ReasonPageTooBig }) { // its record was already cut
		p.Warn(r.Skip(ReasonPageTooBig, p.URL, fmt.Errorf("cut to %d bytes", limit)))
	}
	for i := 0; i < utf8.UTFMax && limit > 0 && !utf8.RuneStart(b[limit]); i++ {
		limit--
	}
	if r.Room.Large(len(b)) {
		return b[:limit:limit]
	}
	return bytes.Clone(b[:limit])
}

// Warn adds a warning to the page.
func (p *Page) Warn(s *Skip) { p.Warnings = append(p.Warnings[:len(p.Warnings):len(p.Warnings)], s) }

// IsRedirect reports whether a status redirects to the URL in the Location header.
func IsRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

// Unwanted returns the skip for a page whose HTTP status is not wanted. location is where it redirects to, if it does.
func (r *Record) Unwanted(p *Page, location string) *Skip {
	why := fmt.Sprintf("status %d", p.Status)
	if IsRedirect(p.Status) {
		return r.Redirected(p.URL, location, p.Time, ReasonHTTPStatus, why)
	}
	return r.Skip(ReasonHTTPStatus, p.URL, errors.New(why))
}

// Redirected returns the skip for a record that redirects to location. If location has no canonical form or is url
// itself, the skip has the reason otherwise.
func (r *Record) Redirected(url, location string, at time.Time, otherwise Reason, why string) *Skip {
	if !r.Opts.Select.WantsTime(at) {
		return r.Skip(ReasonNotSelected, url, errors.New(at.Format(time.RFC3339)))
	}
	to, err := r.Opts.Rules.Redirect(url, "", location, at)
	if err != nil {
		if location != "" {
			why = fmt.Sprintf("%s to %q: %v", why, Clip(location, 200), err)
		}
		return r.Skip(otherwise, url, errors.New(why))
	}
	skip := r.Skip(ReasonRedirect, url, fmt.Errorf("%s to %s", why, Clip(to.To, 200)))
	skip.Redirect = &to
	return skip
}

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
