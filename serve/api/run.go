package api

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/query"
)

// Run is an open run that answers questions.
type Run struct {
	*query.Run
	Name  string   // under which it is served
	Names []string // of all runs that are served

	ctx    context.Context
	stop   context.CancelFunc
	kept   kept
	sweeps sweeps
	work   sync.WaitGroup // in the background, on the tables
}

// NewRun returns a run that answers questions. Close closes it.
func NewRun(r *query.Run, name string, names []string) *Run {
	ctx, stop := context.WithCancel(context.Background())
	return &Run{Run: r, Name: name, Names: names, ctx: ctx, stop: stop}
}

// Close stops the work in the background, waits for its end and closes the run. No question may be open.
func (r *Run) Close() error {
	r.stop()
	r.work.Wait()
	return r.Run.Close()
}

// lookup finds the document at a URL. The problem of an unknown one names URLs like it.
func (r *Run) lookup(url string) (uint32, error) {
	id, err := r.Lookup(url)
	return id, r.told(url, err)
}

// lookupPage finds the page at a URL, for questions about its text.
func (r *Run) lookupPage(url string) (uint32, error) {
	id, err := r.LookupPage(url)
	return id, r.told(url, err)
}

// told returns the problem of a URL that was not found.
func (r *Run) told(url string, err error) error {
	var captures *query.CapturesError
	if err == nil || errors.As(err, &captures) {
		return err
	}
	p := notFound("unknown-url", "The run holds no document at "+brief(url)+".", "Search for words, or ask about a URL that the run holds.")
	p.Nearest = r.Nearest(url)
	return p
}

// mostNearest is the number of URLs that are suggested for an unknown one.
const mostNearest = 5

// Nearest returns URLs like an unknown one that the run holds. It tries a few variants, each a look-up by hash, and so
// takes microseconds whatever the size of the run: the other scheme, with and without www and a slash at the end, and
// the folders above.
func (r *Run) Nearest(url string) (found []string) {
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		scheme, rest = "https", url
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
					found = r.addKnown(found, s+"://"+h+"/"+p)
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

// addKnown adds the URL of the document at a URL unless it is there already.
func (r *Run) addKnown(found []string, url string) []string {
	id, err := r.Lookup(url)
	if err != nil {
		return found
	}
	known := r.Document(id).URL
	for _, f := range found {
		if f == known {
			return found
		}
	}
	return append(found, known)
}
