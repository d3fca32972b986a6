package serve

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/serve/pages"
)

const html = "text/html"

// mountPages adds the pages to a mux, and what they are made of.
func (s *Server) mountPages(mux *http.ServeMux) {
	for _, p := range pages.All() {
		mux.Handle(p.Path, methods{http.MethodGet: func(w http.ResponseWriter, r *http.Request) { s.page(p, w, r) }})
	}
	for _, a := range pages.Assets() {
		mux.Handle(a.Path, methods{http.MethodGet: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", a.Type)
			w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			write(w, r, http.StatusOK, a.Body)
		}})
	}
}

// site is where the pages of the server are.
func (s *Server) site() pages.Site { return pages.Site{Runs: s.runs.names, Place: pages.Served} }

// page answers with a page.
func (s *Server) page(p *pages.Page, w http.ResponseWriter, r *http.Request) {
	args, err := p.Parse(r.URL.RawQuery)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	done, err := s.limits.enter(r.Context(), p.Heavy)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	a, err := s.shown(r, p, args)
	done()
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	write(w, r, a.status, a.body)
}

// shown asks a run, or two, and renders the page.
func (s *Server) shown(r *http.Request, p *pages.Page, args api.Args) (*reply, error) {
	a := &reply{http.StatusOK, http.Header{}, nil}
	return a, s.held(p.RunOf(args), func(run *opened) error {
		q := &pages.Question{Links: s.site().Links(run.Name), Run: run.Run, Args: args}
		older := p.OlderOf(args, run.Name, s.runs.names)
		if older == "" {
			return s.show(r, p, q, run.Manifest.Digest, a)
		}
		return s.held(older, func(older *opened) error {
			q.Older = older.Run
			return s.show(r, p, q, run.Manifest.Digest+older.Manifest.Digest, a)
		})
	})
}

// show renders the page of runs with a digest. The client may have it already.
func (s *Server) show(r *http.Request, p *pages.Page, q *pages.Question, digest string, a *reply) error {
	etag := s.etag(digest, html+pages.Version)
	a.header.Set("Etag", etag)
	a.header.Set("Cache-Control", "no-cache")
	pageHeaders(a.header) // also of 304: they replace those that the browser keeps
	if matches(r.Header.Values("If-None-Match"), etag) {
		a.status = http.StatusNotModified
		return nil
	}
	return s.again(r, etag, a, func() error { return s.render(r, p, q, a) }, q.Run, q.Older)
}

// render makes a page.
func (s *Server) render(r *http.Request, p *pages.Page, q *pages.Question, a *reply) error {
	ctx, cancel := context.WithTimeout(r.Context(), s.o.Timeout)
	defer cancel()
	v, err := p.Show(ctx, q)
	var elsewhere *pages.Redirect
	if errors.As(err, &elsewhere) {
		a.status = http.StatusSeeOther
		a.header = http.Header{"Location": {strings.Clone(elsewhere.To)}, "Cache-Control": {"no-store"}}
		return nil
	}
	if err != nil {
		return err
	}
	a.body, err = s.site().Render(p, q, v)
	return err
}

// pageHeaders sets what is different for pages from what protect sets.
func pageHeaders(h http.Header) {
	h.Set("Content-Type", html+"; charset=utf-8")
	h.Set("Content-Security-Policy", pages.Policy)
}

// failPage answers with the page of the problem of an error.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	s.troublePage(w, r, s.problem(w, err))
}

// troublePage answers with the page of a problem.
func (s *Server) troublePage(w http.ResponseWriter, r *http.Request, p *api.Problem) {
	given, _ := url.ParseQuery(r.URL.RawQuery)
	run := given.Get("run")
	if s.runs.served[run] == nil {
		run = ""
	}
	search := given.Get("q")
	if search == "" {
		search = given.Get("url")
	}
	body, err := s.site().Trouble(p, run, search)
	if err != nil {
		s.o.Log.Error("the page of a problem failed", "id", w.Header().Get(requestID), "error", err)
		trouble(w, r, p)
		return
	}
	troubleHeaders(w.Header(), p)
	pageHeaders(w.Header())
	write(w, r, p.Status, body)
}

// lost answers requests to paths that the server does not have.
func (s *Server) lost(w http.ResponseWriter, r *http.Request) {
	p := api.NewProblem(http.StatusNotFound, "no-such-path", "There is nothing at this path", "The server has no such path.", "See /openapi.json for those that it has.")
	w.Header().Add("Vary", "Accept")
	if prefersHTML(r) {
		s.troublePage(w, r, p)
		return
	}
	trouble(w, r, p)
}

// prefersHTML reports whether a request is one of a browser for a page.
func prefersHTML(r *http.Request) bool {
	return negotiate(r.Header.Values("Accept"), []string{api.Trouble, html}) == html
}
