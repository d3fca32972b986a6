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
