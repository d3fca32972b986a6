package serve

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMetrics checks that every metric has its help and type lines once, followed by lines with the right values.
func TestMetrics(t *testing.T) {
	c := newCounters()
	c.inFlight.Add(2)
	c.request("GET", "/a", 200, time.Millisecond)
	c.request("GET", "/a", 200, 1025*time.Microsecond)
	c.request("POST", "/a", 404, time.Minute)
	c.load("a\"b\\c\nd", "replaced")
	var page exposition
	page.runtime()
	c.write(&page)
	page.process()
	text := page.String()
	for _, want := range []string{
		"# HELP lshclust_http_in_flight Requests that are being answered.\n# TYPE lshclust_http_in_flight gauge\nlshclust_http_in_flight 2\n",
		"lshclust_http_requests_total{method=\"GET\",path=\"/a\",status=\"200\"} 2\nlshclust_http_requests_total{method=\"POST\",path=\"/a\",status=\"404\"} 1\n",
		`lshclust_http_request_seconds_bucket{path="/a",le="0.0005"} 0` + "\n" + `lshclust_http_request_seconds_bucket{path="/a",le="0.001"} 1` + "\n",
		`lshclust_http_request_seconds_bucket{path="/a",le="0.002"} 2`,
		`lshclust_http_request_seconds_bucket{path="/a",le="32.768"} 2` + "\n" + `lshclust_http_request_seconds_bucket{path="/a",le="+Inf"} 3` + "\n",
		`lshclust_http_request_seconds_sum{path="/a"} 60.002025` + "\n" + `lshclust_http_request_seconds_count{path="/a"} 3` + "\n",
		`lshclust_run_loads_total{result="replaced",run="a\"b\\c\nd"} 1`,
		`go_info{version="` + runtime.Version() + `"} 1`,
		`go_gc_duration_seconds{quantile="0.25"} `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	name, seen := "", map[string]bool{}
	for line := range strings.Lines(text) {
		if m := regexp.MustCompile(`^# (?:HELP (\w+) \S.*\.|TYPE (\w+) (?:counter|gauge|histogram|summary))\n$`).FindStringSubmatch(line); m != nil {
			if m[1] != "" && seen[m[1]] || m[2] != "" && m[2] != name {
				t.Errorf("out of place: %s", line)
			}
			name = m[1] + m[2]
			seen[name] = true
			continue
		}
		m := regexp.MustCompile(`^(\w+?)(?:_bucket|_sum|_count)?(?:\{\w+="(?:[^"\\\n]|\\["\\n])*"(?:,\w+="(?:[^"\\\n]|\\["\\n])*")*\})? [0-9.e+-]+\n$`).FindStringSubmatch(line)
		if m == nil || m[1] != name {
			t.Errorf("in the metric %s: %s", name, line)
		}
	}
	if _, err := os.Stat("/proc/self/stat"); err == nil && (!seen["process_open_fds"] || strings.Contains(text, "process_resident_memory_bytes 0\n")) {
		t.Errorf("no figures of the process:\n%s", text)
	}
}
