package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/serve/reconcile"
)

// mountReconcile adds the services of the Reconciliation API to a mux: that of the first run, and that of each run under
// its name.
func (s *Server) mountReconcile(mux *http.ServeMux) {
	for _, at := range []string{"/reconcile", "/reconcile/run/{run}"} {
		mux.Handle(at, methods{
			http.MethodGet:  func(w http.ResponseWriter, r *http.Request) { s.reconcile(w, r, r.URL.RawQuery, endpoint) },
			http.MethodPost: s.posted,
		})
		for path, answer := range map[string]reconciled{
			"/suggest/entity": func(_ context.Context, r *reconcile.Service, given url.Values) (any, error) {
				return r.Entities(given.Get("prefix"), count(given.Get("cursor")))
			},
			"/suggest/property": func(_ context.Context, _ *reconcile.Service, given url.Values) (any, error) {
				return reconcile.Properties(given.Get("prefix")), nil
			},
			"/suggest/type": func(_ context.Context, _ *reconcile.Service, given url.Values) (any, error) {
				return reconcile.Types(given.Get("prefix")), nil
			},
			"/properties": func(_ context.Context, _ *reconcile.Service, given url.Values) (any, error) {
				return reconcile.Propose(given.Get("type"), count(given.Get("limit"))), nil
			},
			"/preview": func(ctx context.Context, r *reconcile.Service, given url.Values) (any, error) {
				return r.Preview(ctx, given.Get("id"))
			},
		} {
			mux.Handle(at+path, methods{http.MethodGet: func(w http.ResponseWriter, r *http.Request) {
				s.reconcile(w, r, r.URL.RawQuery, answer)
			}})
		}
	}
}

// reconciled answers a question to a service: with what is encoded as JSON, or with a page.
type reconciled func(ctx context.Context, r *reconcile.Service, given url.Values) (any, error)

// count returns a number of rows, 0 if a text is none.
func count(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// posted answers a form at the endpoint of a service.
func (s *Server) posted(w http.ResponseWriter, r *http.Request) {
	form, err := s.form(w, r)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	s.reconcile(w, r, form, func(ctx context.Context, r *reconcile.Service, given url.Values) (any, error) {
		if !given.Has("queries") && !given.Has("extend") {
			return nil, api.NewProblem(http.StatusBadRequest, "bad-request", "The request is wrong", "The form has neither queries nor extend.", "Send one of them.")
		}
		return endpoint(ctx, r, given)
	})
}

// endpoint answers at the endpoint of a service: queries, a question for properties, or the manifest for neither.
func endpoint(ctx context.Context, r *reconcile.Service, given url.Values) (any, error) {
	switch {
	case given.Has("queries"):
		return r.Reconcile(ctx, given.Get("queries"))
	case given.Has("extend"):
		return r.Extend(ctx, given.Get("extend"))
	}
	return r.Manifest(), nil
}

// form reads the body of a request as a form.
func (s *Server) form(w http.ResponseWriter, r *http.Request) (string, error) {
	const media = "application/x-www-form-urlencoded"
	if given, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || given != media {
		return "", api.NewProblem(http.StatusUnsupportedMediaType, "media-type", "The body has an unknown form", "The header Content-Type must be "+media+".", "Send a form.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxBody))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return "", api.NewProblem(http.StatusRequestEntityTooLarge, "too-large", "The body is too large", "The form has too many bytes.", "Send fewer queries at a time.")
	}
	if err != nil {
		return "", api.NewProblem(http.StatusBadRequest, "bad-body", "The body cannot be read", "The body of the request ended early.", "Send it again.")
	}
	return string(body), nil
}

// reconcile asks the service of a run and writes the answer.
func (s *Server) reconcile(w http.ResponseWriter, r *http.Request, form string, answer reconciled) {
	given, err := url.ParseQuery(form)
	if err != nil {
		s.fail(w, r, api.NewProblem(http.StatusBadRequest, "bad-request", "The request is wrong", "The parameters cannot be read.", "Write %25 for a percent sign, and & between parameters."))
		return
	}
	done, err := s.limits.enter(r.Context(), given.Has("queries") || given.Has("extend"))
	if err != nil {
		s.fail(w, r, err)
		return
	}
	var body []byte
	kind := api.JSON
	err = s.held(r.PathValue("run"), func(run *opened) error {
		ctx, cancel := context.WithTimeout(r.Context(), s.o.Timeout)
		defer cancel()
		m, err := answer(ctx, s.service(r, run), given)
		if err != nil {
			return err
		}
		if page, ok := m.([]byte); ok {
			body, kind = page, "text/html; charset=utf-8"
			return nil
		}
		line, err := json.Marshal(m)
		body = append(harmless.JSON(line), '\n')
		return err
	})
	done()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	if kind != api.JSON && len(s.o.Origins) > 0 { // the preview is shown in a frame of the program that asks
		h.Set("Content-Security-Policy", strings.Replace(h.Get("Content-Security-Policy"), "frame-ancestors 'none'", "frame-ancestors "+strings.Join(s.o.Origins, " "), 1))
	}
	write(w, r, http.StatusOK, body)
}

// service returns the service of a run as the client of a request sees it.
func (s *Server) service(r *http.Request, run *opened) *reconcile.Service {
	scheme := "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" {
		scheme = "https"
	}
	path := "/reconcile"
	if name := r.PathValue("run"); name != "" {
		path += "/run/" + url.PathEscape(name)
	}
	return &reconcile.Service{Run: run.Run, Server: scheme + "://" + r.Host, Path: path, Version: s.o.Version}
}
