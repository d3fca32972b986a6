package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/lshclust/lshclust/serve/api"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// requestID is the header that names a request, in answers and in the log.
const requestID = "X-Request-Id"

// observed counts and logs requests.
type observed struct {
	s        *Server
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	inFlight prometheus.Gauge
	loads    *prometheus.CounterVec
	metrics  http.Handler
}

func newObserved(s *Server) *observed {
	o := &observed{
		s: s,
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lshclust_http_requests_total", Help: "Requests, by path, method and status.",
		}, []string{"path", "method", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "lshclust_http_request_seconds", Help: "Time to answer a request.", Buckets: prometheus.ExponentialBuckets(0.0005, 2, 17),
		}, []string{"path"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{Name: "lshclust_http_in_flight", Help: "Requests that are being answered."}),
		loads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "lshclust_run_loads_total", Help: "Runs that were opened in place of others, or could not be.",
		}, []string{"run", "result"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(o.requests, o.seconds, o.inFlight, o.loads, runInfo{s.runs},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	o.metrics = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return o
}

// runInfo collects what is served.
type runInfo struct{ runs *runs }

var documents = prometheus.NewDesc("lshclust_run_documents", "Documents of a run.", []string{"run", "digest"}, nil)

// Describe implements prometheus.Collector.
func (runInfo) Describe(c chan<- *prometheus.Desc) { c <- documents }

// Collect implements prometheus.Collector.
func (i runInfo) Collect(c chan<- prometheus.Metric) {
	for _, name := range i.runs.names {
		if o := i.runs.acquire(name); o != nil {
			c <- prometheus.MustNewConstMetric(documents, prometheus.GaugeValue, float64(o.Len()), name, o.Manifest.Digest)
			o.release() //nolint:errcheck // the run stays open
		}
	}
}

// recorder remembers what was answered.
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

// wrap names, counts and logs every request, and turns a panic into an answer.
func (o *observed) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, id := time.Now(), newID()
		w.Header().Set(requestID, id)
		seen := &recorder{ResponseWriter: w}
		o.inFlight.Inc()
		defer o.inFlight.Dec()
		o.caught(seen, r, next, id)
		took := time.Since(began)
		path, method := labels(r)
		o.requests.WithLabelValues(path, method, strconv.Itoa(seen.status)).Inc()
		o.seconds.WithLabelValues(path).Observe(took.Seconds())
		o.s.o.Log.LogAttrs(context.WithoutCancel(r.Context()), slog.LevelInfo, "request", slog.String("id", id), slog.String("method", method),
			slog.String("path", path), slog.Int("status", seen.status), slog.Int("bytes", seen.bytes), slog.Duration("took", took), slog.String("from", r.RemoteAddr))
	})
}

// caught calls the next handler. If it panics, the answer is a problem, unless it has begun.
func (o *observed) caught(w *recorder, r *http.Request, next http.Handler, id string) {
	defer func() {
		switch p := recover(); {
		case p == nil:
		case p == http.ErrAbortHandler: //nolint:errorlint // it is this value
			panic(p)
		default:
			o.s.o.Log.Error("panic", "id", id, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
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

// labels returns the path and the method of a request as metrics and the log show them. There are few of either, and
// none has text of the client.
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

func newID() string {
	var b [8]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:])
}
