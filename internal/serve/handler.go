package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/zeebo/xxh3"
)

// Handler returns the handler of all requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	questions := map[string]methods{}
	for _, o := range api.Operations() {
		if questions[o.Path] == nil {
			questions[o.Path] = methods{}
		}
		questions[o.Path][o.Method] = s.handle(func(w http.ResponseWriter, r *http.Request) (*asked, error) { return s.question(o, w, r) }, s.fail)
	}
	for path, handlers := range questions {
		mux.Handle(path, handlers)
	}
	for path, handle := range map[string]http.HandlerFunc{
		"/openapi.json": s.openAPI, "/healthz": s.healthy, "/readyz": s.ready, "/metrics": s.serveMetrics,
	} {
		mux.Handle(path, methods{http.MethodGet: handle})
	}
	s.mountPages(mux)
	mux.HandleFunc("/", s.lost)
	return s.observe(s.guard.wrap(packed(mux)))
}

// methods maps the methods of a path to handlers. GET allows HEAD, too.
type methods map[string]http.HandlerFunc

// ServeHTTP calls the handler for the method of a request.
func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if handle, ok := m[method]; ok {
		handle(w, r)
		return
	}
	allowed := slices.Collect(maps.Keys(m))
	if m[http.MethodGet] != nil {
		allowed = append(allowed, http.MethodHead)
	}
	slices.Sort(allowed) // GET, HEAD, POST
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	trouble(w, r, api.NewProblem(http.StatusMethodNotAllowed, "method", "The method is not allowed here",
		"This path takes "+strings.Join(allowed, " and ")+".", "Use "+allowed[0]+"."))
}

// reply is an encoded answer. It does not point into a run.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// asked is a parsed question: which runs it asks, how to cache its answer, and how to make it.
type asked struct {
	run    string                    // name of the run
	older  func(run *api.Run) string // returns the name of the older run that is asked, too, "" for none
	heavy  bool
	form   string      // of the answer, for its ETag; "" without an ETag if the answer depends on more than the URL
	header http.Header // of the answer
	answer func(ctx context.Context, run, older *api.Run, a *reply) error
}

// handle returns a handler that parses a question, waits for its turn, answers it, and writes the answer. fail writes
// the answer to a failed question.
func (s *Server) handle(parse func(w http.ResponseWriter, r *http.Request) (*asked, error), fail func(w http.ResponseWriter, r *http.Request, err error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q, err := parse(w, r)
		if err != nil {
			fail(w, r, err)
			return
		}
		a, err := s.answered(r, q)
		if err != nil {
			fail(w, r, err)
			return
		}
		maps.Copy(w.Header(), a.header)
		write(w, r, a.status, a.body)
	}
}

// answered answers a question when its turn has come. The runs stay open until the answer is encoded.
func (s *Server) answered(r *http.Request, q *asked) (*reply, error) {
	done, err := s.limits.enter(r.Context(), q.heavy)
	if err != nil {
		return nil, err
	}
	defer done()
	a := &reply{http.StatusOK, q.header, nil}
	return a, s.held(q.run, func(run *opened) error {
		name := q.older(run.Run)
		if name == "" {
			return s.answer(r, q, a, run.Run, nil)
		}
		return s.held(name, func(older *opened) error { return s.answer(r, q, a, run.Run, older.Run) })
	})
}

// answer makes the answer, or leaves the reply empty if the client has it. older may be nil.
func (s *Server) answer(r *http.Request, q *asked, a *reply, run, older *api.Run) error {
	ctx, cancel := context.WithTimeout(r.Context(), s.o.Timeout)
	defer cancel()
	if q.form == "" {
		return q.answer(ctx, run, older, a)
	}
	digest := run.Manifest.Digest
	if older != nil {
		digest += older.Manifest.Digest
	}
	etag := s.etag(digest, q.form, r.URL.Path+"?"+r.URL.RawQuery)
	a.header.Set("Etag", etag)
	if matches(r.Header.Values("If-None-Match"), etag) {
		a.status = http.StatusNotModified
		return nil
	}
	return q.answer(ctx, run, older, a)
}

// question parses a question to an operation of the API.
func (s *Server) question(o *api.Operation, w http.ResponseWriter, r *http.Request) (*asked, error) {
	w.Header().Add("Vary", "Accept")
	media := negotiate(r.Header.Values("Accept"), o.Accepted())
	if media == "" {
		return nil, api.NewProblem(http.StatusNotAcceptable, "not-acceptable", "The answer has no such form",
			"The header Accept allows no form that this answer has.", "Accept one of "+strings.Join(o.Accepted(), ", ")+".")
	}
	args, err := o.Parse(parameters(o, w, r), r.PathValue)
	if err != nil {
		return nil, err
	}
	var body []byte
	if o.Body != nil {
		if body, err = s.value(o.Body, w, r); err != nil {
			return nil, err
		}
	}
	redirect := args.Int("redirect")
	if redirect == 0 && media == api.HTML { // only operations with Redirects accept it
		redirect = http.StatusFound
	}
	q := &asked{run: args.Text("run"), heavy: o.Heavy && redirect == 0 || args.Flag(o.HeavyWith), header: http.Header{}}
	if o.Method == http.MethodGet {
		q.header.Set("Cache-Control", "no-cache")
		if redirect == 0 {
			q.form = media
		}
	}
	q.older = func(run *api.Run) string {
		if o.Older {
			return (&api.Question{Run: run, Args: args}).OlderName()
		}
		return ""
	}
	q.answer = func(ctx context.Context, run, older *api.Run, a *reply) error {
		return respond(ctx, o, &api.Question{Run: run, Older: older, Args: args, Body: body, Redirect: redirect}, media, a)
	}
	return q, nil
}

// parameters returns the query of a request, completed by parameters from headers.
func parameters(o *api.Operation, w http.ResponseWriter, r *http.Request) string {
	query := r.URL.RawQuery
	for _, p := range o.Params {
		if p.Header == "" {
			continue
		}
		w.Header().Add("Vary", p.Header)
		if value := r.Header.Get(p.Header); value != "" && !r.URL.Query().Has(p.Name) {
			query += "&" + p.Name + "=" + url.QueryEscape(value)
		}
	}
	return query
}

// value reads the value of an option from the body of a request: JSON, or the value itself.
func (s *Server) value(p *api.Param, w http.ResponseWriter, r *http.Request) ([]byte, error) {
	media, body, err := s.body(append([]string{api.JSON}, p.Body...), w, r)
	if err != nil || media != api.JSON {
		return body, err
	}
	if body, err = valueIn(body, p); err != nil || len(body) == 0 {
		return nil, badBody("The body is no object of JSON with "+p.Name+" and nothing else.", "Send "+p.Doc+".")
	}
	return body, nil
}

func badBody(detail, todo string) *api.Problem {
	return api.NewProblem(http.StatusBadRequest, "bad-body", "The body cannot be read", detail, todo)
}

// body reads the body of a request, which has one of some media types.
func (s *Server) body(types []string, w http.ResponseWriter, r *http.Request) (media string, body []byte, err error) {
	media, _, err = mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || !slices.Contains(types, media) {
		return "", nil, api.NewProblem(http.StatusUnsupportedMediaType, "media-type", "The body has an unknown form",
			"The header Content-Type must be "+strings.Join(types, " or ")+".", "Send the body with its Content-Type.")
	}
	body, err = io.ReadAll(http.MaxBytesReader(w, r.Body, s.o.MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return "", nil, api.NewProblem(http.StatusRequestEntityTooLarge, "too-large", "The body is too large",
			fmt.Sprintf("The body has more than %d bytes.", s.o.MaxBody), "Send a shorter document, or use lshclust query on the machine of the run.")
	case err != nil:
		return "", nil, badBody("The body of the request ended early.", "Send it again.")
	case len(body) == 0:
		return "", nil, badBody("The body of the request is empty.", "Send what is asked about.")
	}
	return media, body, nil
}

// valueIn returns the value of an option in an object of JSON that has nothing else.
func valueIn(body []byte, p *api.Param) ([]byte, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, err
	}
	if len(object) != 1 {
		return nil, errors.New("not one member")
	}
	if p.IsList() {
		var lines []string
		err := json.Unmarshal(object[p.Name], &lines)
		return []byte(strings.Join(lines, "\n")), err
	}
	var text string
	err := json.Unmarshal(object[p.Name], &text)
	return []byte(text), err
}

// fail answers with the problem that describes an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	trouble(w, r, s.problem(w, err))
}

// problem returns the problem that describes an error. It logs unexpected errors.
func (s *Server) problem(w http.ResponseWriter, err error) *api.Problem {
	p, expected := api.ProblemOf(err)
	if !expected {
		id := w.Header().Get(requestID)
		p.Todo = "Tell whoever runs the server the number " + id + "; the log of the server has the reason."
		s.o.Log.Error("a question failed", "id", id, "error", err)
	}
	return p
}

// held calls ask with the named run, which stays open until ask returns. The text of a returned error never points
// into the run.
func (s *Server) held(name string, ask func(run *opened) error) (err error) {
	run := s.runs.acquire(name)
	if run == nil {
		return api.NewProblem(http.StatusNotFound, "unknown-run", "There is no such run", "The server has no run of this name.",
			"The runs are "+strings.Join(s.runs.names, ", ")+".")
	}
	defer func() { err = errors.Join(err, run.release()) }()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a table may have been truncated on disk
	err = ask(run)
	if damage := run.Err(); damage != nil {
		return fmt.Errorf("the run is damaged: %w", damage)
	}
	if problem, ok := api.ProblemOf(err); err != nil && ok {
		return problem.Clone()
	}
	if err != nil {
		return errors.New(strings.Clone(err.Error()))
	}
	return nil
}

// respond asks a question and encodes the answer.
func respond(ctx context.Context, o *api.Operation, q *api.Question, media string, a *reply) (err error) {
	m, next, err := o.Portion(ctx, q)
	if err != nil {
		return err
	}
	if to, ok := m.(api.Location); ok {
		a.status = q.Redirect
		a.header.Set("Location", strings.Clone(string(to)))
		return nil
	}
	if next != "" {
		a.header.Set("Link", "<"+following(q, o, next)+">; rel=\"next\"")
	}
	a.header.Set("Content-Type", contentType(media))
	a.body, err = encode(media, m)
	if err == nil && len(a.body) > maxAnswer {
		return api.NewProblem(http.StatusBadRequest, "large-answer", "The answer is too large", "The answer has too many bytes.",
			"Ask for fewer rows with limit.")
	}
	return err
}

// following returns the URL of the next portion, relative to the requested one.
func following(q *api.Question, o *api.Operation, cursor string) string {
	v := url.Values{}
	for _, p := range o.Params {
		if !p.InPath && q.Args.Has(p.Name) {
			v.Set(p.Name, q.Args.Text(p.Name))
		}
	}
	v.Set("cursor", cursor)
	return "?" + v.Encode()
}

func contentType(media string) string {
	if media == api.CSV {
		return api.CSV + "; charset=utf-8; header=present"
	}
	return media
}

// etag returns the ETag, a weak one because answers may be compressed, of the answer in a media type to a URL, from runs with a digest.
func (s *Server) etag(digest, media, url string) string {
	return fmt.Sprintf("W/\"%016x\"", xxh3.HashString(strings.Join([]string{digest, s.o.Version, media, url}, "\x00")))
}

// matches reports whether If-None-Match contains an ETag.
func matches(lines []string, etag string) bool {
	for tag := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		if strings.TrimPrefix(strings.TrimSpace(tag), "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
}

func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", api.JSON)
	write(w, r, http.StatusOK, s.document)
}

func (s *Server) healthy(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", api.JSON)
	write(w, r, http.StatusOK, []byte("{\"status\":\"ok\"}\n"))
}

// ready answers that the server is ready. All runs are open, or New would have failed.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	if s.stopping.Load() {
		trouble(w, r, api.Busy("The server is about to stop.", 1))
		return
	}
	s.healthy(w, r)
}
