package contract

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var requests = flag.Int("requests", 2000, "malformed requests that TestMalformed sends")

// maker makes requests, most of which are malformed, of parts.
type maker struct{ *rand.Rand }

func (m maker) pick(of ...string) string { return of[m.IntN(len(of))] }

// garbage returns at most n bytes of any value.
func (m maker) garbage(n int) string {
	b := make([]byte, m.IntN(n+1))
	for i := range b {
		b[i] = byte(m.Uint32())
	}
	return string(b)
}

// pieces are parts of targets.
var pieces = []string{
	"url=", "a=", "b=", "q=", "run=", "older=", "from=", "to=", "limit=", "cursor=", "min=", "least=", "view=", "redirect=302", "https://postgresql.org/docs/15/gin.html", "postgresql.org", "index",
	"?", "&", "=", ";", "#", "%", "%0", "%zz", "%00", "%0d%0a", "%ff%fe", "%c0%af", "%2e%2e%2f", "../", "..\\", "//", "\\", "/etc/passwd", "<script>alert(1)</script>", "'\"", "\x00", "\x7f", "\xff", "日本", "%e2%80%ae",
	"-1", "1e999", "NaN", "99999999999999999999", "0x10", " ", "+", "\t", "{}", "[]", "*", "@", ":99999", "[::1", "http://evil.example/", "null", "true",
}

// paths are where the server has something, and where it has not.
var paths = []string{
	"/", "/search", "/page", "/find", "/explain", "/diff", "/cluster", "/host", "/compare", "/changes", "/run", "/assets/style.css",
	"/v1/page", "/v1/related", "/v1/search", "/v1/duplicates", "/v1/cluster/", "/v1/explain", "/v1/query", "/v1/fold", "/v1/compare", "/v1/moved", "/v1/changes", "/v1/stats",
	"/openapi.json", "/healthz", "/readyz", "/metrics", "/..", "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "//evil.example", "/./v1//page", "*", "", "http://evil.example/v1/page", "/v1/cluster/../../x", "\x00",
}

func (m maker) target() string {
	var b strings.Builder
	b.WriteString(paths[m.IntN(len(paths))])
	if m.IntN(3) == 0 { // right so far
		return b.String() + m.pick("", "?url=postgresql.org/docs/15/gin.html", "?q=index", "?url=%zz", "?a=postgresql.org&b=%00", "?url=../../etc/passwd")
	}
	if m.IntN(3) > 0 {
		b.WriteByte('?')
	}
	for range m.IntN(8) {
		b.WriteString(pieces[m.IntN(len(pieces))])
	}
	switch m.IntN(40) {
	case 0:
		b.WriteString(strings.Repeat(pieces[m.IntN(len(pieces))], 2000))
	case 1:
		b.WriteString(m.garbage(50))
	}
	return b.String()
}

func (m maker) method() string {
	return m.pick("GET", "GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "get", "BREW", "G\x00T", "", strings.Repeat("A", 3000), m.garbage(5))
}

func (m maker) headers(b *strings.Builder) {
	line := func(s string) {
		b.WriteString(s + m.pick("\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\r\n", "\n"))
	}
	line("Host: " + m.pick("localhost", "localhost", "localhost", "localhost", "127.0.0.1", "[::1]:80", "evil.example", "", "a\x00b", "localhost:99999"))
	for range m.IntN(4) {
		name := m.pick("Accept: ", "Content-Type: ", "If-None-Match: ", "Authorization: ", "X-Original-URL: ", "Range: ", "Expect: ", "Origin: ", "Cookie: ", "Sec-Fetch-Site: ", "Connection: ", "Accept-Encoding: ")
		if m.IntN(12) == 0 {
			name = m.pick("No colon", ": ", " folded: ", "X\x00: ")
		}
		line(name + m.pick("*/*", "text/html", "text/csv", "application/json", "application/x-www-form-urlencoded", "text/plain; charset=x", ",,;q=", "*/*;q=9", "bytes=0-1,5-", "100-continue", "*", `W/"`, "Basic \x00", "Bearer x", "cross-site", "close", "Upgrade", "a\xffb", m.pick("x", m.garbage(40)), pieces[m.IntN(len(pieces))]))
	}
	switch m.IntN(60) {
	case 0:
		line("X: " + strings.Repeat("x", 200_000))
	case 1:
		for i := range 2000 {
			line("X" + strconv.Itoa(i) + ": y")
		}
	case 2:
		line("Host: twice")
	}
}

// bodies are what a request may carry.
func (m maker) body() string {
	return m.pick("", "<p>GIN stands for generalized inverted index", "a.example\nb.example\n", `queries={"q0":{"query":"index"}}`, `queries={"q0":`, `queries=%7B%22q0%22%3A%7B%22query%22%3A1%7D%7D`, `extend={"ids":[null],"properties":[{"id":1}]}`,
		strings.Repeat("[", 20_000), "queries="+strings.Repeat("%7B%22a%22:", 3000), strings.Repeat("x", 2<<20), "<title>\x00\xff</title>"+m.garbage(300), m.garbage(2000), strings.Repeat("<div>", 30_000), strings.Repeat("<a href='//x'>y", 5000))
}

// request returns the bytes of a request.
func (m maker) request() string {
	if m.IntN(50) == 0 {
		return m.garbage(400) + "\r\n\r\n"
	}
	var b strings.Builder
	b.WriteString(m.method() + " " + m.target() + m.pick(" HTTP/1.1\r\n", " HTTP/1.1\r\n", " HTTP/1.1\r\n", " HTTP/1.1\r\n", " HTTP/1.1\r\n", " HTTP/1.0\r\n", " HTTP/9.9\r\n", "\r\n", " http/1.1\r\n"))
	m.headers(&b)
	body := m.body()
	switch m.IntN(8) {
	case 0:
		b.WriteString("Content-Length: " + m.pick("-1", "99999999999999999999", "x", "1, 2", "") + "\r\n\r\n" + body)
	case 1:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body)+10, body) // it ends early
	case 2:
		fmt.Fprintf(&b, "Transfer-Encoding: %s\r\n\r\n%s", m.pick("chunked", "gzip", "chunked, chunked"), m.pick("zz\r\n", "5\r\nabc", "ffffffffffffffffff\r\n", "0\r\n\r\n", "3\r\nabc\r\n0\r\nX: y\r\n\r\n"))
	case 3:
		b.WriteString("\r\n")
	default:
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return b.String()
}

// send sends bytes to the server and returns the status of the answer, 0 if the server closed the connection without one.
func send(t *testing.T, to, raw string) int {
	conn, err := net.Dial("tcp", to)
	if err != nil {
		t.Error(err)
		return 0
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Minute))
	go func() { // the server may answer before it has read everything
		io.WriteString(conn, raw)
		conn.(*net.TCPConn).CloseWrite()
	}()
	lines := bufio.NewReader(conn)
	for {
		a, err := http.ReadResponse(lines, nil)
		if err != nil {
			return 0
		}
		if a.StatusCode == http.StatusContinue {
			continue
		}
		head := min(len(raw), 200)
		if location := a.Header.Get("Location"); strings.HasPrefix(location, "//") || strings.Contains(location, "evil") && !strings.HasPrefix(location, "/") {
			t.Errorf("%q leads to %s", raw[:head], location)
		}
		body, _ := io.ReadAll(io.LimitReader(a.Body, 1<<20))
		if bytes.Contains(body, []byte("root:x:0")) {
			t.Errorf("%q shows a file of the machine", raw[:head])
		}
		busy := a.StatusCode == http.StatusServiceUnavailable && a.Header.Get("Retry-After") != ""
		if a.StatusCode >= 500 && !busy && a.StatusCode != http.StatusNotImplemented && a.StatusCode != http.StatusHTTPVersionNotSupported {
			t.Errorf("%q: %d %.300s", raw[:head], a.StatusCode, body)
		}
		return a.StatusCode
	}
}

// goroutines returns the number of goroutines of a server when it has become as small as it will, or is small enough.
func goroutines(t *testing.T, base string, enough int) (n int) {
	last := -1
	for end := time.Now().Add(10 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		m := regexp.MustCompile(`(?m)^go_goroutines (\d+)$`).FindSubmatch(get(t, base+"/metrics"))
		if m == nil {
			t.Fatal("/metrics has no go_goroutines")
		}
		if n, _ = strconv.Atoi(string(m[1])); n <= enough || n == last && enough == 0 {
			return n
		}
		last = n
	}
	return n
}

// TestMalformed sends bytes that are requests, nearly requests, or nothing of the kind: broken escapes, large headers, paths
// that leave the site, NULs, wrong methods, versions, lengths, encodings and bodies. No answer is a fault of the server, nothing
// panics, and no goroutine is left. Of the statuses from 500 on, 501 and 505 are right: for an encoding or a version of HTTP
// that the server does not have; and so is 503 with a time to ask again, on a machine that is too slow for so many questions.
func TestMalformed(t *testing.T) {
	at, said := logging(t, "json")
	to := strings.TrimPrefix(at, "http://")
	get(t, at+"/v1/compare") // made once, as are the moves
	get(t, at+"/v1/changes?older=older")
	http.DefaultClient.CloseIdleConnections()
	before := goroutines(t, at, 0)
	n := *requests
	const workers = 8
	var lock sync.Mutex
	var work sync.WaitGroup
	statuses := map[int]int{}
	for w := range workers {
		work.Go(func() {
			m := maker{rand.New(rand.NewPCG(uint64(w), 16))}
			for range n / workers {
				status := send(t, to, m.request())
				lock.Lock()
				statuses[status]++
				lock.Unlock()
			}
		})
	}
	work.Wait()
	after := goroutines(t, at, before)
	classes := map[string]int{}
	for status, k := range statuses {
		classes[map[bool]string{true: "closed", false: strconv.Itoa(status/100) + "xx"}[status == 0]] += k
	}
	t.Logf("%d requests: %v; by status %v; goroutines before %d, after %d", n/workers*workers, classes, statuses, before, after)
	if after > before {
		t.Errorf("%d goroutines, before %d", after, before)
	}
	if n >= 2000 && (classes["2xx"] < n/100 || classes["4xx"] < n/5) {
		t.Errorf("%v: are the requests what they should be?", statuses)
	}
	if log := said(); strings.Contains(log, `"panic"`) || strings.Contains(log, "goroutine ") {
		t.Errorf("a handler panicked:\n%.5000s", log[max(0, strings.Index(log, "panic")-100):])
	}
}
