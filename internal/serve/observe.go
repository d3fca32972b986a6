package serve

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
	"golang.org/x/sync/semaphore"

	"github.com/lshclust/lshclust/internal/serve/api"
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
	w.status = cmp.Or(w.status, status)
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	w.status = cmp.Or(w.status, http.StatusOK)
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

// limits bounds the number of questions answered at the same time.
type limits struct {
	all, heavy *semaphore.Weighted
	patience   time.Duration
}

// enter waits for the turn of a question. The caller calls done when it is answered. A heavy question first waits
// among the heavy ones, so that it does not occupy a place that another question could use.
func (l *limits) enter(ctx context.Context, heavy bool) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	places := []*semaphore.Weighted{l.all}
	if heavy {
		places = []*semaphore.Weighted{l.heavy, l.all}
	}
	held := 0
	done = func() {
		for _, p := range places[:held] {
			p.Release(1)
		}
	}
	for _, p := range places {
		if !p.TryAcquire(1) && p.Acquire(ctx, 1) != nil { // a free place is taken even if the time is up
			done()
			return nil, api.Busy("The server answers as many questions as it can.", 1)
		}
		held++
	}
	return done, nil
}

// counters count requests and loads of runs.
type counters struct {
	inFlight atomic.Int64
	set      *metrics.Set
}

func newCounters() *counters {
	metrics.ExposeMetadata(true)
	c := &counters{set: metrics.NewSet()}
	c.set.NewGauge("lshclust_http_in_flight", func() float64 { return float64(c.inFlight.Load()) })
	return c
}

// secondsBounds are those of the buckets of the times of answers, from half a millisecond to half a minute.
var secondsBounds = metrics.ExponentialBuckets(0.0005, 2, 17)

// request counts a request that was answered.
func (c *counters) request(method, path string, status int, took time.Duration) {
	c.set.GetOrCreateCounter(labelled("lshclust_http_requests_total", "method", method, "path", path, "status", strconv.Itoa(status))).Inc()
	c.set.GetOrCreatePrometheusHistogramExt(labelled("lshclust_http_request_seconds", "path", path), secondsBounds).Update(took.Seconds())
}

// load counts an attempt to replace a run by a new one.
func (c *counters) load(run, result string) {
	c.set.GetOrCreateCounter(labelled("lshclust_run_loads_total", "result", result, "run", run)).Inc()
}

// serveMetrics answers with all metrics.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	s.counters.set.WritePrometheus(w)
	const documents = "lshclust_run_documents"
	metrics.WriteMetadataIfNeeded(w, documents, "gauge")
	for _, name := range s.runs.names {
		if o := s.runs.acquire(name); o != nil {
			line := labelled(documents, "digest", o.Manifest.Digest, "run", name) + " " + strconv.Itoa(o.Len()) + "\n"
			w.Write([]byte(line)) //nolint:errcheck // the client is gone
			o.release()           //nolint:errcheck // the run stays open
		}
	}
	metrics.WriteProcessMetrics(w)
	metrics.WriteFDMetrics(w)
}

// labelled returns a name with labels, which alternate names and values.
func labelled(name string, labels ...string) string {
	var pairs []string
	for i := 0; i < len(labels); i += 2 {
		pairs = append(pairs, labels[i]+`="`+labelEscapes.Replace(labels[i+1])+`"`)
	}
	return name + "{" + strings.Join(pairs, ",") + "}"
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
