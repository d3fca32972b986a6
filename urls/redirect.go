package urls

import (
	"errors"
	"strings"
	"time"
)

// Redirect sends one URL to another.
type Redirect struct {
	From, To string    // canonical URLs; they differ
	Time     time.Time // of the capture, zero if the input has none
}

// ErrNoRedirect is the error for a redirect without a target, or with the same page as its target.
var ErrNoRedirect = errors.New("leads to no other URL of the web")

// Redirect returns the redirect from a URL to location, which is relative to the URL or to baseHref as for [Base]. The
// error is an [Error] or ErrNoRedirect.
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
