package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
)

func canceled(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// small returns the path of a run of a few pages that contain its number.
func small(t testing.TB, n int) string {
	t.Helper()
	dir, name := filepath.Dir(sampleRun(t)), fmt.Sprintf("small%d", n)
	in, out := filepath.Join(dir, name+".jsonl"), filepath.Join(dir, name)
	if _, err := os.Stat(out); err == nil {
		return out // of another test
	}
	page := fmt.Sprintf(`{"url":"https://a.example/","html":"<title>number %d</title><p>Some words about an index. <a href='https://b.example/'>a link %d</a>"}`+"\n", n, n)
	cluster(t, in, out, []byte(page))
	return out
}

// cluster builds a run of lines with the preset web.
func cluster(t testing.TB, in, out string, lines []byte) {
	t.Helper()
	if err := os.WriteFile(in, lines, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
}

// point makes a link name another run in one step.
func point(t testing.TB, link, to string) {
	t.Helper()
	next := link + ".next"
	if err := errors.Join(os.Symlink(to, next), os.Rename(next, link)); err != nil {
		t.Fatal(err)
	}
}

// TestSwap replaces a run again and again under load. No request fails, no answer is older than the one before on the
// same connection, and every old run is closed.
func TestSwap(t *testing.T) {
	dir := t.TempDir()
	var all []string
	for n := range 4 {
		all = append(all, small(t, n))
	}
	pointer := filepath.Join(dir, "current")
	point(t, pointer, all[0])
	c := start(t, Options{Poll: time.Millisecond}, pointer)
	var asked [4]atomic.Int64 // requests of each client
	stop, seen := make(chan struct{}), make([]map[string]bool, len(asked))
	var work sync.WaitGroup
	for i := range seen {
		seen[i] = map[string]bool{}
		work.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				a, err := c.try(http.MethodGet, "/v1/page?url=a.example", nil)
				if err != nil || a.StatusCode != http.StatusOK {
					t.Errorf("%v %s", err, a.body)
					return
				}
				seen[i][into[ask.PageAnswer](t, a).Document.Title] = true
				asked[i].Add(1)
			}
		})
	}
	for round := range 6 {
		want := all[round%len(all)]
		held := c.s.runs.acquire("run0") // as by a request that takes long
		old := held.Document(mustLookup(t, held.Run.Run, "a.example")).Title
		point(t, pointer, want)
		if round%5 == 0 {
			c.s.Reload()
		}
		for i := range asked { // every client asks in every round
			for n := asked[i].Load(); asked[i].Load() < n+2 || current(t, c) != filepath.Base(want); {
				if t.Failed() {
					t.FailNow()
				}
				time.Sleep(time.Millisecond)
			}
		}
		if again := held.Document(mustLookup(t, held.Run.Run, "a.example")).Title; again != old {
			t.Errorf("the old run says %q, then %q", old, again)
		}
		if err := held.release(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	work.Wait()
	for i := range seen {
		if len(seen[i]) < 2 {
			t.Errorf("client %d saw %v", i, seen[i])
		}
	}
}

// current returns the name of the run that answers.
func current(t testing.TB, c *client) string {
	o := c.s.runs.acquire("run0")
	defer o.release()
	return "small" + strings.TrimPrefix(o.Document(mustLookup(t, o.Run.Run, "a.example")).Title, "number ")
}

// TestBadSwap checks that a pointer to something that is not a run changes nothing, and that the log says so once.
func TestBadSwap(t *testing.T) {
	dir := t.TempDir()
	pointer := filepath.Join(dir, "current")
	point(t, pointer, small(t, 0))
	c := start(t, Options{Poll: time.Millisecond}, pointer)
	for _, bad := range []string{filepath.Join(dir, "nothing"), dir, small(t, 0) + ".jsonl"} {
		before := strings.Count(c.log.text(), "cannot be opened")
		point(t, pointer, bad)
		for strings.Count(c.log.text(), "cannot be opened") == before {
			time.Sleep(time.Millisecond)
		}
		for range 10 { // more looks
			c.get(200, "/v1/page", "url", "a.example")
			c.s.Reload()
		}
		c.get(200, "/readyz")
		if n := strings.Count(c.log.text(), "cannot be opened"); n > before+1 {
			t.Errorf("%s: %d lines in the log", bad, n-before)
		}
	}
}

// TestCursorOfOldRun checks that a cursor is valid only for the run that made it.
func TestCursorOfOldRun(t *testing.T) {
	dir := t.TempDir()
	pointer := filepath.Join(dir, "current")
	point(t, pointer, sampleRun(t))
	c := start(t, Options{Poll: time.Hour}, pointer)
	next := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", gin, "limit", "2")).Next
	c.get(200, "/v1/related", "url", gin, "limit", "5", "cursor", next)
	c.get(409, "/v1/related", "url", gist, "cursor", next)
	c.get(409, "/v1/related", "url", gin, "exact", "true", "cursor", next)
	c.get(409, "/v1/search", "q", gin, "cursor", next)
	point(t, pointer, small(t, 1))
	c.s.Reload()
	for into[ask.StatsAnswer](t, c.get(200, "/v1/stats")).Documents > 10 {
		time.Sleep(time.Millisecond)
	}
	c.get(409, "/v1/search", "q", "number", "cursor", next)
}

// TestRuns checks that each run answers under its own name.
func TestRuns(t *testing.T) {
	c := start(t, Options{}, small(t, 0), small(t, 1))
	for name, title := range map[string]string{"": "number 0", "run0": "number 0", "run1": "number 1"} {
		params := []string{"url", "a.example"}
		if name != "" {
			params = append(params, "run", name)
		}
		if got := into[ask.PageAnswer](t, c.get(200, "/v1/page", params...)).Document.Title; got != title {
			t.Errorf("run %q: %s, want %s", name, got, title)
		}
	}
	if s := into[ask.StatsAnswer](t, c.get(200, "/v1/stats", "run", "run1")); s.Run != "run1" || len(s.Runs) != 2 {
		t.Errorf("%+v", s)
	}
	metrics := string(c.get(200, "/metrics").body)
	for _, want := range []string{`lshclust_http_requests_total{method="GET",path="/v1/page",status="200"} 3`, `lshclust_run_documents{digest=`, "go_goroutines", "lshclust_http_request_seconds_bucket"} {
		if !strings.Contains(metrics, want) {
			t.Errorf("/metrics has no %s:\n%.2000s", want, metrics)
		}
	}
	if log := c.log.text(); strings.Count(log, `"msg":"request"`) < 4 || !strings.Contains(log, `"path":"/v1/page"`) {
		t.Errorf("log: %s", log)
	}
}

// TestShutdown checks that a server that stops finishes what it has begun, refuses new requests, and leaves no
// goroutine.
func TestShutdown(t *testing.T) {
	before := runtime.NumGoroutine()
	c := start(t, Options{})
	c.get(200, "/v1/compare")
	slow := make(chan response, 1)
	hold, err := c.s.limits.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if !c.s.limits.heavy.TryAcquire(int64(c.s.o.Heavy) - 1) {
		t.Fatal("a server without questions has no place")
	}
	go func() { slow <- c.do(http.MethodGet, "/v1/explain?texts=true&a="+gin+"&b="+gist, nil) }() // it waits for its turn
	for !strings.Contains(string(c.get(200, "/metrics").body), "lshclust_http_in_flight 2") {
		time.Sleep(time.Millisecond)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- c.stop() }()
	for !c.s.stopping.Load() {
		time.Sleep(time.Millisecond)
	}
	hold()
	if a := <-slow; a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if _, err := c.try(http.MethodGet, "/healthz", nil); err == nil {
		t.Error("a stopped server answers")
	}
	for runtime.NumGoroutine() > before { // or go test ends this and prints what they do
		time.Sleep(10 * time.Millisecond)
	}
}
