package record

import (
	"errors"
	"fmt"
	"time"
)

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
