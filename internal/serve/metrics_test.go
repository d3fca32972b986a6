package serve

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// TestMetrics checks the values, and that every line is one of the text format of Prometheus.
func TestMetrics(t *testing.T) {
	c := newCounters()
	c.inFlight.Add(2)
	c.request("GET", "/a", 200, time.Millisecond)
	c.request("GET", "/a", 200, 1025*time.Microsecond)
	c.request("POST", "/a", 404, time.Minute)
	c.load("a\"b\\c\nd", "replaced")
	var page bytes.Buffer
	c.set.WritePrometheus(&page)
	metrics.WriteProcessMetrics(&page)
	metrics.WriteFDMetrics(&page)
	text := page.String()
	for _, want := range []string{
		"# TYPE lshclust_http_in_flight gauge\nlshclust_http_in_flight 2\n",
		"lshclust_http_requests_total{method=\"GET\",path=\"/a\",status=\"200\"} 2\nlshclust_http_requests_total{method=\"POST\",path=\"/a\",status=\"404\"} 1\n",
		`lshclust_http_request_seconds_bucket{path="/a",le="0.0005"} 0` + "\n" + `lshclust_http_request_seconds_bucket{path="/a",le="0.001"} 1` + "\n",
		`lshclust_http_request_seconds_bucket{path="/a",le="0.002"} 2`,
		`lshclust_http_request_seconds_bucket{path="/a",le="32.768"} 2` + "\n" + `lshclust_http_request_seconds_bucket{path="/a",le="+Inf"} 3` + "\n",
		`lshclust_http_request_seconds_sum{path="/a"} 60.002025` + "\n" + `lshclust_http_request_seconds_count{path="/a"} 3` + "\n",
		`lshclust_run_loads_total{result="replaced",run="a\"b\\c\nd"} 1`,
		"\ngo_goroutines ", "\ngo_memstats_sys_bytes ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	line := regexp.MustCompile(`^(?:# (?:HELP|TYPE) \w+.*|\w+(?:\{\w+="(?:[^"\\\n]|\\["\\n])*"(?:, ?\w+="(?:[^"\\\n]|\\["\\n])*")*\})? [-0-9.e+]+)\n$`)
	for l := range strings.Lines(text) {
		if !line.MatchString(l) {
			t.Errorf("no line of a metric: %q", l)
		}
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil && (!strings.Contains(text, "\nprocess_open_fds ") || strings.Contains(text, "process_resident_memory_bytes 0\n")) {
		t.Errorf("no figures of the process:\n%s", text)
	}
}
