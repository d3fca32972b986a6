package urls

import (
	"errors"
	"strings"
	"time"
)

// Redirect is what a capture says that holds no page but leads to another URL.
type Redirect struct {
	From, To string    // canonical URLs; they differ
	Time     time.Time // of the capture, zero if the input has none
}

// ErrNoRedirect says that what should lead on leads nowhere, or back to the same page.
var ErrNoRedirect = errors.New("leads to no other URL of the web")

// Redirect tells where a page or a response of this URL leads that names location, which is relative to the URL or to
// baseHref as for [Base]. The error is a Reason or ErrNoRedirect.
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
