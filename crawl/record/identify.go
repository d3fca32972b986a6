package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
