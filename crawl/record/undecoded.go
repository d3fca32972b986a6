package record

import "time"

// Undecoded calls field with everything in the record that its page is made from, except for the time, which it
// returns. If the fields of two records are the same, and their options, except for the selection of times, are the
// same too, so are their pages, except for time, position and the digest of the crawler. It is much cheaper than Page.
// ok is false, and the fields are of no use, if the format cannot tell, if the record has warnings, or if Page would
// surely return no page. A field is valid until field returns.
func (r *Record) Undecoded(field func([]byte)) (t time.Time, ok bool) {
	if r.Raw == nil || len(r.Notes) > 0 {
		return t, false
	}
	t, ok = r.Raw(r, field)
	return t, ok && r.Opts.Select.WantsTime(t)
}
