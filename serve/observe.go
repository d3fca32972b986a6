package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/lshclust/lshclust/serve/api"
)

// requestID is the header with the id of a request, in answers and in the log.
const requestID = "X-Request-Id"

// recorder records the status and the size of an answer.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
}

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += n
	return n, err
}

// observe gives every request an id, counts and logs it, and turns a panic into an answer.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, id := time.Now(), rand.Text()
		w.Header().Set(requestID, id)
		seen := &recorder{ResponseWriter: w}
		s.counters.inFlight.Add(1)
		defer s.counters.inFlight.Add(-1)
		s.caught(seen, r, next, id)
		took := time.Since(began)
		path, method := labels(r)
		s.counters.request(method, path, seen.status, took)
		s.o.Log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request", slog.String("id", id), slog.String("method", method),
			slog.String("path", path), slog.Int("status", seen.status), slog.Int("bytes", seen.bytes), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
	})
}

// caught calls the next handler. If the handler panics before it begins the answer, caught answers with a problem.
func (s *Server) caught(w *recorder, r *http.Request, next http.Handler, id string) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == http.ErrAbortHandler: //nolint:errorlint // it is this value
			panic(p)
		default:
			s.o.Log.Error("panic", "id", id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if w.status == 0 {
				problem, _ := api.ProblemOf(errPanic)
				trouble(w, r, problem)
			}
		}
	}()
	next.ServeHTTP(w, r)
}

// errPanic is the error of a handler that panicked.
var errPanic = fmt.Errorf("panic")

// labels returns the path and the method of a request for metrics and the log. Both have few values, and none
// contains text from the client.
func labels(r *http.Request) (path, method string) {
	path, method = r.Pattern, r.Method
	if path == "" || path == "/" {
		path = "other"
	}
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodOptions:
	default:
		method = "other"
	}
	return path, method
}
