package serve

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/sample"
)

// The pages of the tests: two that are similar, one with hostile text, one that asks not to be indexed, and some of
// the embedded sample.
const (
	gin, gist  = "https://postgresql.org/docs/15/gin.html", "https://postgresql.org/docs/15/gist.html"
	hostileURL = "https://evil.example/a%22%3E%3Cscript%3Ealert(1)%3C/script%3E?x=%0d%0aSet-Cookie:%20a=b"
	hidden     = "https://evil.example/hidden"
)

const hostileText = "The index of the search tree is hostile, and all of its words say so again and again in this sentence. "

const hostileTitle = "=cmd|' /C calc'!A0 <script>alert(1)</script>\x1b[31m \u202e,\"quoted\""

// crawled returns JSON Lines of the pages.
func crawled(t testing.TB) []byte {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfterN(all, []byte("\n"), 401)
	out := bytes.Join(lines[:400], nil)
	const text = "<p>" + hostileText
	for _, p := range []map[string]string{
		{"url": hostileURL, "html": "<title>" + hostileTitle + "</title>" + text},
		{"url": "https://evil.example/linking", "html": "<a href='" + hostileURL + "'>" + hostileTitle + "</a> is an index <a href='javascript:alert(1)'>x</a>" + text},
		{"url": hidden, "html": "<meta name=robots content='noindex,nosnippet'><title>hidden</title>A secret index. " + text},
	} {
		line, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, line...), '\n')
	}
	return out
}

// built is a run of the pages that the tests share.
var built = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "serve")
	if err != nil {
		return "", err
	}
	t := &testing.T{}
	in := filepath.Join(dir, "pages.jsonl")
	if err := os.WriteFile(in, crawled(t), 0o666); err != nil {
		return "", err
	}
	c, err := config.Preset("web")
	if err != nil {
		return "", err
	}
	_, err = pipeline.Cluster(context.Background(), filepath.Join(dir, "run"), []string{in}, c, pipeline.Options{})
	return filepath.Join(dir, "run"), err
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := built(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// sampleRun returns the path of the shared run.
func sampleRun(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// logged is the log of a server.
type logged struct {
	sync.Mutex
	bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.Lock()
	defer l.Unlock()
	return l.Buffer.Write(b)
}

func (l *logged) text() string {
	l.Lock()
	defer l.Unlock()
	return l.String()
}

// client asks a server that a test has started.
type client struct {
	t    testing.TB
	base string
	http *http.Client
	log  *logged
	s    *Server
	stop func() error // stops the server, once
}

// start serves runs on the loopback interface until the test ends.
func start(t testing.TB, o Options, paths ...string) *client {
	t.Helper()
	if len(paths) == 0 {
		paths = []string{sampleRun(t)}
	}
	var list []Source
	for i, p := range paths {
		list = append(list, Source{fmt.Sprintf("run%d", i), p})
	}
	log := &logged{}
	o.Log = slog.New(slog.NewJSONHandler(log, nil))
	o.Timeout, o.Patience = cmp.Or(o.Timeout, time.Hour), cmp.Or(o.Patience, time.Hour) // or a busy machine has a part in answers
	s, err := New(list, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	c := &client{t: t, base: "http://" + l.Addr().String(), http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}, log: log, s: s}
	c.stop = sync.OnceValue(func() error {
		cancel()
		err := <-ended
		c.http.CloseIdleConnections()
		return err
	})
	t.Cleanup(func() {
		if err := c.stop(); err != nil {
			t.Error(err)
		}
	})
	return c
}

// response is an answer with its body.
type response struct {
	*http.Response
	body []byte
}

// do sends a request with header lines, such as "Accept: text/csv".
func (c *client) do(method, path string, body io.Reader, header ...string) response {
	c.t.Helper()
	a, err := c.try(method, path, body, header...)
	if err != nil {
		c.t.Fatal(err)
	}
	return a
}

func (c *client) try(method, path string, body io.Reader, header ...string) (response, error) {
	r, err := http.NewRequestWithContext(context.Background(), method, c.base+path, body)
	if err != nil {
		return response{}, err
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		if r.Header.Add(name, value); name == "Host" {
			r.Host = value
		}
	}
	w, err := c.http.Do(r)
	if err != nil {
		return response{}, err
	}
	defer w.Body.Close()
	b, err := io.ReadAll(w.Body)
	return response{w, b}, err
}

// get asks with parameters in turn, name and value, and wants a status.
func (c *client) get(status int, path string, params ...string) response {
	c.t.Helper()
	return c.getAs("", status, path, params...)
}

func (c *client) getAs(accept string, status int, path string, params ...string) response {
	c.t.Helper()
	v := url.Values{}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	var header []string
	if accept != "" {
		header = []string{"Accept: " + accept}
	}
	a := c.do(http.MethodGet, path+"?"+v.Encode(), nil, header...)
	if a.StatusCode != status {
		c.t.Fatalf("%s %v: status %d, want %d\n%s", path, params, a.StatusCode, status, a.body)
	}
	return a
}

// into decodes an answer.
func into[T any](t testing.TB, a response) (v T) {
	t.Helper()
	if err := json.Unmarshal(a.body, &v); err != nil {
		t.Fatalf("%v: %s", err, a.body)
	}
	return v
}
