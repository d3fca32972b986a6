package urls

import (
	"errors"
	"strings"
	"time"
)

// Redirect sends one URL to another.
type Redirect struct {
	From, To string    // canonical URLs that differ
	Time     time.Time // time of the capture, zero if the input has none
}

// ErrNoRedirect reports a redirect without a target or to the page itself.
var ErrNoRedirect = errors.New("the target is not another web URL")

// Redirect returns the redirect from a URL to location. It resolves a relative location against the URL or baseHref as
// described for [Base]. The error is an [Error] or ErrNoRedirect.
func (r *Rules) Redirect(url, baseHref, location string, at time.Time) (Redirect, error) {
	from, err := r.Canonical(url)
	if err != nil {
		return Redirect{}, err
	}
	base, err := Base(url, baseHref)
	if err != nil {
		return Redirect{}, err
	}
	to, err := r.Resolve(base, location)
	if err != nil {
		return Redirect{}, err
	}
	if from == to || strings.TrimSpace(location) == "" {
		return Redirect{}, ErrNoRedirect
	}
	return Redirect{From: from, To: to, Time: at}, nil
}

// Error says in one word why a URL has no canonical form. Package crawl counts skipped URLs under this word.
type Error string

// The errors of this package.
const (
	ErrBad        Error = "bad-url"      // the URL has no host or is malformed
	ErrScheme     Error = "not-http-url" // another scheme, such as ftp: or urn:
	ErrTooLong    Error = "url-too-long" // the canonical form is longer than MaxURL
	ErrJavaScript Error = "javascript"   // javascript:
	ErrMailTo     Error = "mailto"       // mailto:, tel: or sms:
	ErrData       Error = "data-url"     // data:, blob: or about:
)

// Error returns the word.
func (e Error) Error() string { return string(e) }
