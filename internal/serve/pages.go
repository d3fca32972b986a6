package serve

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/serve/pages"
)

const html = "text/html"

// mountPages adds the pages and their assets to a mux.
func (s *Server) mountPages(mux *http.ServeMux) {
	for _, p := range pages.All() {
		handle := s.handle(func(w http.ResponseWriter, r *http.Request) (*asked, error) { return s.page(p, w, r) }, s.failPage)
		allowed := methods{http.MethodGet: handle}
		if p.Form {
			allowed[http.MethodPost] = handle
		}
		mux.Handle(p.Path, allowed)
	}
	for _, a := range pages.Assets() {
		mux.Handle(a.Path, methods{http.MethodGet: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", a.Type)
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			write(w, r, http.StatusOK, a.Body)
		}})
	}
}

// site returns the site of the server.
func (s *Server) site() pages.Site { return pages.Site{Runs: s.runs.names, Place: pages.Served} }

// page parses a request for a page. Parameters in the body are added to those in the URL.
func (s *Server) page(p *pages.Page, w http.ResponseWriter, r *http.Request) (*asked, error) {
	given := r.URL.RawQuery
	if r.Method == http.MethodPost {
		_, body, err := s.body([]string{"application/x-www-form-urlencoded"}, w, r)
		if err != nil {
			return nil, err
		}
		given = strings.Trim(given+"&"+string(body), "&")
	}
	args, err := p.Parse(given)
	if err != nil {
		return nil, err
	}
	q := &asked{run: p.RunOf(args), heavy: p.Heavy, form: html + pages.Version, header: http.Header{"Cache-Control": {"no-cache"}}}
	pageHeaders(q.header) // needed with status 304, too: they replace the headers in the browser's cache
	if pages.WantsCSV(args) {
		q.header.Set("Content-Type", contentType(api.CSV))
		q.header.Set("Content-Disposition", `attachment; filename="`+p.Name+`.csv"`)
	}
	if r.Method == http.MethodPost {
		q.form = ""
		q.header.Set("Cache-Control", "no-store")
	}
	q.older = func(run *api.Run) string { return p.OlderOf(args, run.Name, s.runs.names) }
	q.answer = func(ctx context.Context, run, older *api.Run, a *reply) error {
		of := &pages.Question{Links: s.site().Links(run.Name), Of: p, Run: run, Older: older, Args: args}
		if p.Once { // a person is told sooner than a program that it takes a while
			soon, cancel := context.WithTimeout(ctx, s.o.Timeout/soonest)
			defer cancel()
			ctx = soon
		}
		v, err := p.Show(ctx, of)
		var elsewhere *pages.Redirect
		if problem, ok := api.ProblemOf(err); ok && problem.Status == http.StatusNotFound {
			if to := of.Instead(r.URL.Query()); to != "" {
				err = &pages.Redirect{To: to}
			}
		}
		if errors.As(err, &elsewhere) {
			a.status = http.StatusSeeOther
			a.header = http.Header{"Location": {strings.Clone(elsewhere.To)}, "Cache-Control": {"no-store"}}
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case !pages.WantsCSV(args):
			a.body, err = s.site().Render(p, of, v)
		case v.List == nil:
			err = api.NewProblem(http.StatusNotFound, "no-list", "The page has no list", "Only a list can be written as CSV.",
				"Ask for the page without format.")
		default:
			a.body, err = encode(api.CSV, v.List)
		}
		return err
	}
	return q, nil
}

// soonest is the part of the time for an answer after which a page says that it has to wait for what is found once.
const soonest = 15

// pageHeaders replaces headers set by protect for pages.
func pageHeaders(h http.Header) {
	h.Set("Content-Type", html+"; charset=utf-8")
	h.Set("Content-Security-Policy", pages.Policy)
}

// failPage answers with the page for the problem that describes an error.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	s.troublePage(w, r, s.problem(w, err))
}

// troublePage answers with the page for a problem.
func (s *Server) troublePage(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	given, _ := url.ParseQuery(r.URL.RawQuery)
	run := given.Get("run")
	if s.runs.served[run] == nil {
		run = ""
	}
	body, err := s.site().Trouble(p, run, cmp.Or(given.Get("q"), given.Get("url")))
	if err != nil {
		s.o.Log.Error("the page of a problem failed", "id", w.Header().Get(requestID), "error", err)
		trouble(w, r, p)
		return
	}
	troubleHeaders(w.Header(), p)
	pageHeaders(w.Header())
	if p.Retry > 0 && r.Method == http.MethodGet {
		w.Header().Set("Refresh", strconv.Itoa(p.Retry)) // the browser asks again
	}
	write(w, r, p.Status, body)
}

// lost answers requests for paths that do not exist.
func (s *Server) lost(w http.ResponseWriter, r *http.Request) {
	p := api.NewProblem(http.StatusNotFound, "no-such-path", "There is nothing at this path", "The server has no such path.",
		"See /openapi.json for the paths that it has.")
	w.Header().Add("Vary", "Accept")
	if negotiate(r.Header.Values("Accept"), []string{api.Trouble, html}) == html { // a browser asks for a page
		p.Todo = "Search for words, or for the URL of a page."
		s.troublePage(w, r, p)
		return
	}
	trouble(w, r, p)
}
