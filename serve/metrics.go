package serve

import (
	"bytes"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// counters count requests and loads of runs.
type counters struct {
	inFlight atomic.Int64

	mu       sync.Mutex
	requests map[[3]string]int // by method, path and status
	loads    map[[2]string]int // by result and run
	seconds  map[string]*times // by path
}

func newCounters() *counters {
	return &counters{requests: map[[3]string]int{}, loads: map[[2]string]int{}, seconds: map[string]*times{}}
}

// request counts a request that was answered.
func (c *counters) request(method, path string, status int, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests[[3]string{method, path, strconv.Itoa(status)}]++
	if c.seconds[path] == nil {
		c.seconds[path] = new(times)
	}
	c.seconds[path].add(took.Seconds())
}

// load counts an attempt to replace a run by a new one.
func (c *counters) load(run, result string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loads[[2]string{result, run}]++
}

// times is a histogram of seconds. The first bound is leastTime; each further one is twice the one before.
type times struct {
	buckets [17]int
	count   int
	sum     float64
}

const leastTime = 0.0005

func (t *times) add(seconds float64) {
	t.count++
	t.sum += seconds
	for i, bound := 0, leastTime; i < len(t.buckets); i, bound = i+1, 2*bound {
		if seconds <= bound {
			t.buckets[i]++
			break
		}
	}
}

// serveMetrics answers with all metrics.
func (s *Server) serveMetrics(w http.ResponseWriter, _ *http.Request) {
	var page exposition
	page.runtime()
	s.counters.write(&page)
	page.family("lshclust_run_documents", "gauge", "Documents of a run.")
	for _, name := range s.runs.names {
		if o := s.runs.acquire(name); o != nil {
			page.value(float64(o.Len()), "digest", o.Manifest.Digest, "run", name)
			o.release() //nolint:errcheck // the run stays open
		}
	}
	page.process()
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	w.Write(page.Bytes()) //nolint:errcheck // the client is gone
}

func (c *counters) write(page *exposition) {
	c.mu.Lock()
	defer c.mu.Unlock()
	page.single("lshclust_http_in_flight", "gauge", "Requests that are being answered.", float64(c.inFlight.Load()))
	page.family("lshclust_http_request_seconds", "histogram", "Time to answer a request.")
	for _, path := range slices.Sorted(maps.Keys(c.seconds)) {
		t, sum := c.seconds[path], 0
		for i, n := range t.buckets {
			sum += n
			page.part("_bucket", float64(sum), "path", path, "le", number(math.Ldexp(leastTime, i)))
		}
		page.part("_bucket", float64(t.count), "path", path, "le", "+Inf")
		page.part("_sum", t.sum, "path", path)
		page.part("_count", float64(t.count), "path", path)
	}
	page.family("lshclust_http_requests_total", "counter", "Requests, by path, method and status.")
	for _, k := range slices.SortedFunc(maps.Keys(c.requests), func(a, b [3]string) int { return slices.Compare(a[:], b[:]) }) {
		page.value(float64(c.requests[k]), "method", k[0], "path", k[1], "status", k[2])
	}
	page.family("lshclust_run_loads_total", "counter", "Runs that were opened in place of others, or could not be.")
	for _, k := range slices.SortedFunc(maps.Keys(c.loads), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		page.value(float64(c.loads[k]), "result", k[0], "run", k[1])
	}
}

// exposition is a page in the text format of Prometheus
// (https://prometheus.io/docs/instrumenting/exposition_formats/).
type exposition struct {
	bytes.Buffer
	name string // of the current metric family
}

// family begins a metric family.
func (e *exposition) family(name, kind, help string) {
	e.name = name
	e.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " " + kind + "\n")
}

// single writes a family with one value.
func (e *exposition) single(name, kind, help string, v float64) {
	e.family(name, kind, help)
	e.value(v)
}

// value writes a value of the current family. labels alternates names and values.
func (e *exposition) value(v float64, labels ...string) { e.part("", v, labels...) }

// part writes a value of a part of the current family, such as a bucket.
func (e *exposition) part(suffix string, v float64, labels ...string) {
	e.WriteString(e.name + suffix)
	for i := 0; i < len(labels); i += 2 {
		before := ","
		if i == 0 {
			before = "{"
		}
		e.WriteString(before + labels[i] + `="` + labelEscapes.Replace(labels[i+1]) + `"`)
	}
	if len(labels) > 0 {
		e.WriteByte('}')
	}
	e.WriteString(" " + number(v) + "\n")
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
