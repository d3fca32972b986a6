package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/serve"
)

// Pages of the sample, and hostile ones.
const (
	gin     = "https://postgresql.org/docs/15/gin.html"
	evil    = "https://evil.example/%22%3E%3Cscript%3Ealert(1)%3C/script%3E?x=%27onmouseover=alert(1)//"
	evilToo = "https://evil.example/two?javascript:alert(1)"
	copied  = "https://copy.example/gin.html"
	hidden  = "https://evil.example/hidden"
)

// attack is text that runs where it is not escaped: in an element, in an attribute, in a script, in a template.
const attack = `</title></script><script>alert(1)</script><img src=x onerror=alert(1)>" onfocus=alert(1) autofocus x='{{.}}` + "\u202e\x07`${alert(1)}`"

// jsonLines returns the pages of the run.
func jsonLines() ([]byte, error) {
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		return nil, err
	}
	out := bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 501)[:500], nil)
	escaped := url.QueryEscape(attack)
	words := "<p>The hostile index of the search tree repeats itself, and all of its words say so again and again in this long sentence about nothing. "
	for _, p := range []map[string]string{
		{"url": evil, "html": "<title>" + html.EscapeString(attack) + "</title>" + words},
		{"url": evilToo, "html": "<title>" + html.EscapeString(attack) + " two</title>" + words + "<p>" + html.EscapeString(attack)},
		{"url": hidden, "html": "<meta name=robots content=noindex><title>Hidden</title>" + words + "<a href='" + gin + "'>a sentence that is hidden</a>"},
		{"url": "https://evil.example/links", "html": words + html.EscapeString(attack) + " <a href='" + evil + "'>" + html.EscapeString(attack) + "</a> and <a href='" + evilToo + "'>" + html.EscapeString(attack) +
			"</a> <a href='javascript:alert(1)'>x</a> <a href='https://evil.example/never?" + escaped + "'>" + html.EscapeString(attack) + "</a> <a href='" + gin + "'>" + html.EscapeString(attack) + "</a>"},
	} {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return append(out, copyOf(all, "https://www.postgresql.org/docs/15/gin.html", copied)...), nil
}

// copyOf returns the line of a page under another URL.
func copyOf(lines []byte, from, to string) []byte {
	for line := range bytes.Lines(lines) {
		if bytes.Contains(line, []byte(`"`+from+`"`)) {
			return bytes.Replace(line, []byte(from), []byte(to), 1)
		}
	}
	return nil
}

// shared is a server of a run of the pages under two names, for all tests. It returns its address.
var shared = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "pages")
	if err != nil {
		return "", err
	}
	removed = dir
	lines, err := jsonLines()
	if err != nil {
		return "", err
	}
	in, out := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	if err := os.WriteFile(in, lines, 0o666); err != nil {
		return "", err
	}
	c, err := config.Preset("web")
	if err != nil {
		return "", err
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		return "", err
	}
	return started(serve.Source{Name: "sample", Path: out}, serve.Source{Name: "<b>other</b>", Path: out})
})

// removed is the folder of the run, "" before it is made.
var removed string

// started serves runs until the program ends, and returns the address.
func started(sources ...serve.Source) (string, error) {
	s, err := serve.New(sources, serve.Options{})
	if err != nil {
		return "", err
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go s.Serve(context.Background(), l)
	return "http://" + l.Addr().String(), nil
}

// site returns the address of the server of the tests.
func site(t testing.TB) string {
	t.Helper()
	base, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func TestMain(m *testing.M) {
	code := m.Run()
	stopBrowser()
	if removed != "" {
		if err := os.RemoveAll(removed); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}
