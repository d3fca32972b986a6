//go:build unix

package serve

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// BenchmarkQuestions asks questions about one document after another, all different until the sample is used up, of
// the run that LSHCLUST_RUN names, or of the sample. It reports the processor time for an answer, which is the figure
// to compare on a shared machine. The network is left out.
func BenchmarkQuestions(b *testing.B) {
	path := os.Getenv("LSHCLUST_RUN")
	if path == "" {
		path = sampleRun(b)
	}
	r, err := runs.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	var urls, words []string
	for id := 0; id < r.Len(); id += max(1, r.Len()/2000) {
		id := uint32(id)
		urls = append(urls, url.QueryEscape(r.URL(id)))
		if shared := topics.Shared(r, id, id, topics.ByBoth, 2); len(shared) > 0 {
			words = append(words, url.QueryEscape(strings.Join(shared, " ")))
		}
	}
	s, err := New([]Source{{Name: "run", Path: path}}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	h := s.Handler()
	for _, q := range []struct {
		name string
		path func(n int) string
	}{
		{"related", func(n int) string { return "/v1/related?url=" + urls[n%len(urls)] }},
		{"page", func(n int) string { return "/v1/page?url=" + urls[n%len(urls)] }},
		{"duplicates", func(n int) string { return "/v1/duplicates?url=" + urls[n%len(urls)] }},
		{"explain", func(n int) string { return "/v1/explain?a=" + urls[n%len(urls)] + "&b=" + urls[(n+1)%len(urls)] }},
		{"search", func(n int) string { return "/v1/search?q=" + words[n%len(words)] }},
		{"moved", func(n int) string { return "/v1/moved?url=" + urls[n%len(urls)] }},
		{"html", func(n int) string { return "/page?url=" + urls[n%len(urls)] }},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			before := processor(b)
			for n := 0; b.Loop(); n++ {
				w := httptest.NewRecorder()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, q.path(n), nil))
				if w.Code >= http.StatusInternalServerError {
					b.Fatalf("%s: %d", q.path(n), w.Code)
				}
			}
			b.ReportMetric(float64((processor(b)-before).Microseconds())/float64(b.N), "cpu-µs/op")
		})
	}
}

// processor returns the processor time that the process has used.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
