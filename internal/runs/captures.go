package runs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/capture"
)

// In a run with all captures, the name of a document is its URL, #, and the time of the capture, or the digest of its
// content if the input has no time. The plain URL then names the document that links point at, which has no page.

// Capture is a capture of a URL in a run with all captures.
type Capture struct {
	ID     uint32 `json:"-"`
	Name   string `json:"name" doc:"to ask about it"`
	Time   string `json:"time,omitempty" doc:"in UTC"`
	Digest string `json:"digest,omitempty" doc:"of the content, 16 hex digits; missing if the crawl has only the links of the page"`
	Title  string `json:"title,omitempty"`
	Input  string `json:"-"` // input that contains the page

	at time.Time
}

// CapturesError is the error for a URL that has several captures, or none at the requested time. It unwraps to
// ErrUnknown.
type CapturesError struct {
	URL      string    // canonical URL
	Asked    string    // the requested time or digest, or ""
	None     bool      // no capture matches Asked
	Captures []Capture // captures to choose from, oldest first
}

// maxNamed is the maximum number of captures that an error lists.
const maxNamed = 5

// Error lists captures to choose from.
func (e *CapturesError) Error() string {
	var names []string
	for _, c := range e.Captures[:min(len(e.Captures), maxNamed)] {
		names = append(names, c.Name)
	}
	if more := len(e.Captures) - maxNamed; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return e.Summary() + ": " + strings.Join(names, ", ")
}

// Summary returns the error without the captures.
func (e *CapturesError) Summary() string {
	n := Plural(len(e.Captures), "capture")
	switch {
	case e.None:
		return fmt.Sprintf("%s: the run holds no capture of %q; it holds %s of this URL", e.URL, e.Asked, n)
	case e.Asked != "":
		return fmt.Sprintf("%s: %q fits %s; name one of them", e.URL, e.Asked, n)
	}
	return fmt.Sprintf("%s: the run holds %s of this URL; name one of them", e.URL, n)
}

// Unwrap returns ErrUnknown.
func (e *CapturesError) Unwrap() error { return ErrUnknown }

// CapturesAt returns the captures of a URL in any form: first those without a time, then the others, oldest first. If
// the URL has no captures but redirects to another one, Captures returns those of the target. It returns none if the
// run was built without --captures all.
func CapturesAt(r *Run, url string) []Capture {
	if r.Captures.Rows() == 0 {
		return nil
	}
	canonical, err := r.Canonical(url)
	if err != nil {
		canonical = url // a name that is not a URL
	}
	if list := CapturesOf(r, canonical); len(list) > 0 {
		return list
	}
	return CapturesOf(r, r.RedirectTarget(canonical))
}

// CapturesOf returns the captures of a canonical URL, in the order of Captures.
func CapturesOf(r *Run, canonical string) []Capture {
	var list []Capture
	for _, id := range r.Captures.Of(canonical) {
		if url, mark, ok := capture.Cut(r.Docs.URL(id)); ok && url == canonical {
			list = append(list, newCapture(r, id, mark))
		}
	}
	slices.SortFunc(list, func(a, b Capture) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.Name, b.Name)) })
	return list
}

func newCapture(r *Run, id uint32, mark string) Capture {
	d := r.Docs.At(id)
	c := Capture{ID: id, Name: strings.Clone(d.URL), Title: strings.Clone(d.Title), Input: r.Input(id)}
	if d.Crawled {
		c.Digest = fmt.Sprintf("%016x", d.Digest)
	}
	if at, err := time.Parse(capture.TimeLayout, mark); err == nil && len(mark) == len(capture.TimeLayout) {
		c.at, c.Time = at, at.Format(time.RFC3339)
	}
	return c
}

// LookupPage is like Lookup but for questions about the text of a page. In a run with all captures, a plain URL names
// its only capture; if there are several, the error is a *CapturesError.
func (r *Run) LookupPage(url string) (uint32, error) {
	id, err := r.Lookup(url)
	if err != nil || r.Docs.At(id).Crawled {
		return id, err
	}
	canonical := r.Docs.URL(id)
	switch list := crawled(CapturesAt(r, canonical)); len(list) {
	case 0:
		return id, nil
	case 1:
		return list[0].ID, nil
	default:
		return 0, &CapturesError{URL: canonical, Captures: list}
	}
}

func crawled(list []Capture) []Capture {
	return slices.DeleteFunc(list, func(c Capture) bool { return c.Digest == "" })
}

// lookupCapture finds the capture named by a URL, #, and a time or digest. It returns false if the part after # is an
// ordinary fragment.
func lookupCapture(r *Run, url string) (id uint32, ok bool, err error) {
	i := strings.LastIndexByte(url, '#')
	if i < 0 || r.Captures.Rows() == 0 {
		return 0, false, nil
	}
	mark := strings.TrimSpace(url[i+1:])
	from, to, isTime := timeSpan(mark)
	if !isTime && !digestPrefix.MatchString(mark) {
		return 0, false, nil
	}
	all := CapturesAt(r, url[:i])
	if len(all) == 0 {
		return 0, false, nil
	}
	var fit []Capture
	for _, c := range all {
		if isTime && c.Time != "" && !c.at.Before(from) && c.at.Before(to) {
			fit = append(fit, c)
		}
	}
	if len(fit) == 0 && digestPrefix.MatchString(mark) {
		for _, c := range all {
			if strings.HasPrefix(c.Digest, strings.ToLower(mark)) {
				fit = append(fit, c)
			}
		}
	}
	switch {
	case len(fit) == 1:
		return fit[0].ID, true, nil
	case len(fit) > 1:
		return 0, true, &CapturesError{URL: base(fit), Asked: mark, Captures: fit}
	case isTime:
		return 0, true, &CapturesError{URL: base(all), Asked: mark, None: true, Captures: all}
	}
	return 0, false, nil
}

// base returns the URL that captures share.
func base(list []Capture) string {
	url, _, _ := capture.Cut(list[0].Name)
	return url
}

// digestPrefix matches the beginning of a digest: at least four digits, so that few words match.
var digestPrefix = regexp.MustCompile(`^[0-9a-fA-F]{4,16}$`)

// timeForm matches times from a year to a second, in digits only or with the usual separators, with an optional
// offset from UTC.
var timeForm = regexp.MustCompile(`^(\d{4})(?:[-/.]?(\d\d)(?:[-/.]?(\d\d)(?:[Tt _]?(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?)?)?)?)?(?: ?(?:Z|z|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?))?$`)

// timeSpan parses a time of any precision. It returns the first second within it and the first second after it.
func timeSpan(s string) (from, to time.Time, ok bool) {
	m := timeForm.FindStringSubmatch(s)
	if m == nil {
		return from, to, false
	}
	part := [6]int{0, 1, 1, 0, 0, 0}
	precision := 0
	for i := range part {
		if n, err := strconv.Atoi(m[i+1]); err == nil {
			part[i], precision = n, i
		}
	}
	from = time.Date(part[0], time.Month(part[1]), part[2], part[3], part[4], part[5], 0, time.UTC)
	if from.Month() != time.Month(part[1]) || from.Day() != part[2] || part[3] > 23 || part[4] > 59 || part[5] > 59 {
		return from, to, false // such as 30 February
	}
	switch precision {
	case 0:
		to = from.AddDate(1, 0, 0)
	case 1:
		to = from.AddDate(0, 1, 0)
	case 2:
		to = from.AddDate(0, 0, 1)
	default:
		to = from.Add([...]time.Duration{time.Hour, time.Minute, time.Second}[precision-3])
	}
	hours, _ := strconv.Atoi(m[8]) // "" is 0
	minutes, _ := strconv.Atoi(m[9])
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	if m[7] == "-" {
		offset = -offset
	}
	return from.Add(-offset), to.Add(-offset), hours <= 14 && minutes <= 59
}
