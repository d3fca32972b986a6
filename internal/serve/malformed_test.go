package serve

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/serve/api"
)

// fragments are the parts of which malformed requests are made.
var fragments = []string{
	"/search", "/page", "/host", "/run", "/", "/v1/page", "/v1/related", "/v1/search", "/v1/duplicates", "/v1/cluster/", "/v1/explain", "/v1/query", "/v1/compare", "/v1/stats", "/openapi.json", "/metrics",
	"url=", "q=", "a=", "b=", "min=", "limit=", "cursor=", "exact=", "apart=", "view=", "run=", "host=", "n=", "corner=", "terms=", gin, gist, "postgresql.org", "index", "true", "exact", "0123456789abcdef",
	"?", "&", "=", ";", "#", "%", "%00", "%ff", "%2e%2e%2f", "../", "//", "\\", "<script>", "'\"", "\u202e", "日本", "-1", "1e999", "NaN", "0x10", "99999999999999999999", "AAAAAAAAAAAAAAAA", " ", "+", "\t", "{}", "[]", "*",
}

// malformed returns the target of a request.
func malformed(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(fragments[r.IntN(18)])
	if r.IntN(4) > 0 {
		b.WriteByte('?')
	}
	for range r.IntN(8) {
		b.WriteString(fragments[r.IntN(len(fragments))])
	}
	if r.IntN(20) == 0 {
		b.WriteString(strings.Repeat(fragments[r.IntN(len(fragments))], 1000))
	}
	return b.String()
}

// TestMalformed sends requests assembled from parts of requests, with wrong headers and methods. Every response is an
// answer or a problem that is not the server's fault, and no goroutine is left.
func TestMalformed(t *testing.T) { malformedRequests(t, 1, 2000) }

func TestLongMalformed(t *testing.T) { malformedRequests(t, 2, 10_000) }

func malformedRequests(t *testing.T, seed uint64, n int) {
	t.Helper()
	c := start(t, Options{})
	c.get(200, "/v1/compare") // made once
	h := c.s.Handler()
	before := runtime.NumGoroutine()
	r := rand.New(rand.NewPCG(seed, 2))
	statuses := map[int]int{}
	for i := range n {
		pick := func(of ...string) string { return of[r.IntN(len(of))] }
		q := httptest.NewRequest(pick("GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "BREW"), "/", strings.NewReader(malformed(r)))
		path, query, _ := strings.Cut(malformed(r), "?")
		q.URL.Path, q.URL.RawQuery, q.Host = path, query, pick("localhost", "localhost", "localhost", "127.0.0.1:80", "[::1]", "", "x\x00")
		q.Header.Set("Accept", pick("*/*", "text/csv", api.NDJSON, "text/html", ",,;q=", "*/*;q=9", strings.Repeat("a/b,", 500)))
		q.Header.Set("Content-Type", pick("text/plain", "text/html; charset=x", "", ";;", "application/json"))
		q.Header.Set("If-None-Match", pick("", "*", `W/"`, `"x",`))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		statuses[w.Code]++
		kind := w.Header().Get("Content-Type")
		problem := kind == api.Trouble || kind == html+"; charset=utf-8"
		if w.Code >= 500 || w.Code >= 400 && !problem || w.Code == 200 && kind == "" {
			t.Fatalf("request %d, %s %q: %d %s %s", i, q.Method, q.URL.String(), w.Code, kind, w.Body)
		}
	}
	if statuses[200] < n/100 || statuses[404] < n/100 || statuses[400] < 3*n/100 || statuses[405] < n/100 {
		t.Errorf("%v: the requests are not what they should be", statuses)
	}
	if strings.Contains(c.log.text(), "panic") {
		t.Error("a handler panicked")
	}
	c.http.CloseIdleConnections()
	for runtime.NumGoroutine() > before+2 { // or go test ends this and prints what they do
		time.Sleep(10 * time.Millisecond)
	}
}

// TestRaw sends bytes that are not requests. The server answers with a status or closes the connection, and keeps
// running.
func TestRaw(t *testing.T) {
	c := start(t, Options{})
	for i, raw := range []string{
		"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "GET /v1/stats HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "\x16\x03\x01\x02\x00\x01",
		"GET /v1/page?url=\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: -1\r\n\r\n",
		"POST /v1/query HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 2*maxHeader) + "\r\n\r\n",
		"CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET //evil.example/%2f.. HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, raw)
		conn.(*net.TCPConn).CloseWrite()
		a, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err == nil {
			io.Copy(io.Discard, a.Body)
			a.Body.Close()
			if a.StatusCode >= 500 && a.StatusCode != http.StatusHTTPVersionNotSupported || strings.Contains(a.Header.Get("Location"), "//evil") {
				t.Errorf("%d %q: %d %v", i, raw[:min(len(raw), 80)], a.StatusCode, a.Header)
			}
		}
		conn.Close()
	}
	c.get(200, "/v1/stats")
}
