package serve

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

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
