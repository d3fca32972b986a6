package crawl

import (
	"errors"
	"fmt"
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

// isRedirect tells the statuses with which a server sends on to what Location names.
func isRedirect(status int) bool {
	switch status {
	case 301, 302, 303, 307, 308:
		return true
	}
	return false
}

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

// redirected makes the skip of a record that leads to another URL, or of one that claims to: of another reason.
func (r *Record) redirected(url, location string, at time.Time, otherwise Reason, why string) *Skip {
	if !r.opts.Select.wantsTime(at) {
		return r.skip(ReasonNotSelected, url, errors.New(at.Format(time.RFC3339)))
	}
	to, err := r.opts.Rules.Redirect(url, "", location, at)
	if err != nil {
		if location != "" {
			why = fmt.Sprintf("%s to %q: %v", why, clip(location, 200), err)
		}
		return r.skip(otherwise, url, errors.New(why))
	}
	skip := r.skip(ReasonRedirect, url, fmt.Errorf("%s to %s", why, clip(to.To, 200)))
	skip.Redirect = &to
	return skip
}
