package ask

import (
	"errors"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/runs"
)

// UnknownError says that a run has no document with a URL.
type UnknownError struct {
	URL string
	Err error // error of package runs
	run *Run
}

func (e *UnknownError) Error() string { return e.Err.Error() }

// Unwrap returns the error of package runs.
func (e *UnknownError) Unwrap() error { return e.Err }

// Lookup finds the document with a URL. The error is an *UnknownError, or a *runs.CapturesError if several captures
// match.
func Lookup(r *Run, url string) (uint32, error) {
	id, err := r.Lookup(url)
	return id, Unknown(r, url, err)
}

// LookupPage is like Lookup but finds a page, for questions about its text.
func LookupPage(r *Run, url string) (uint32, error) {
	id, err := r.LookupPage(url)
	return id, Unknown(r, url, err)
}

// Unknown returns the error for a URL that was not found in a run.
func Unknown(r *Run, url string, err error) error {
	if _, several := errors.AsType[*runs.CapturesError](err); err == nil || several {
		return err
	}
	return &UnknownError{url, err, r}
}

// mostNearest is the maximum number of URLs that Nearest returns.
const mostNearest = 5

// Nearest returns URLs in the run that are like the unknown one. It tries a few variants: the other scheme, with and
// without www and a trailing slash, and the parent folders. Each is a look-up by hash, so it takes microseconds
// however large the run is.
func (e *UnknownError) Nearest() (found []string) {
	scheme, rest, ok := strings.Cut(e.URL, "://")
	if !ok {
		scheme, rest = "https", e.URL
	}
	rest, _, _ = strings.Cut(rest, "#")
	host, path, _ := strings.Cut(rest, "/")
	hosts := []string{host, "www." + host}
	if bare, ok := strings.CutPrefix(host, "www."); ok {
		hosts[1] = bare
	}
	for range 8 {
		for _, h := range hosts {
			for _, s := range []string{scheme, "https", "http"} {
				for _, p := range []string{path, path + "/", path + ".html", strings.TrimSuffix(path, ".html")} {
					if id, err := e.run.Lookup(s + "://" + h + "/" + p); err == nil && !slices.Contains(found, e.run.URL(id)) {
						found = append(found, e.run.URL(id))
					}
				}
			}
		}
		if path == "" || len(found) >= mostNearest {
			break
		}
		path = path[:strings.LastIndexByte(strings.TrimSuffix("/"+path, "/"), '/')]
	}
	return found[:min(len(found), mostNearest)]
}
