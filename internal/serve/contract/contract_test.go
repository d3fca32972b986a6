package contract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// scratch has the command and its sample run, which all tests share.
var scratch string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if scratch, err = os.MkdirTemp("", "contract"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	build := exec.Command("go", "build", "-o", scratch, "./cmd/lshclust")
	build.Dir = filepath.Join("..", "..", "..")
	for _, c := range []*exec.Cmd{build, exec.Command(filepath.Join(scratch, "lshclust"), "demo", "-q", "-o", filepath.Join(scratch, "run"))} {
		if out, err := c.CombinedOutput(); err != nil {
			return 0, fmt.Errorf("%w: %s", err, out)
		}
	}
	return m.Run(), nil
}

// served starts lshclust serve with the run of lshclust demo, which it also serves as an older one, and returns its address.
// The process ends with the test, by an interrupt, and must exit with 0. It must say nothing but the address.
func served(t *testing.T) string {
	t.Helper()
	at, said := logging(t, "none")
	t.Cleanup(func() {
		if s := said(); s != "" {
			t.Errorf("the server says %s", s)
		}
	})
	return at
}

// logging is served with a log in a format. The function that it returns stops the server and returns what it has said.
func logging(t *testing.T, format string) (at string, said func() string) {
	t.Helper()
	sample := filepath.Join(scratch, "run")
	c := exec.Command(filepath.Join(scratch, "lshclust"), "serve", "--listen", "127.0.0.1:0", "--log", format, sample, "older="+sample)
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	rest := make(chan string, 1)
	go func() {
		b, _ := io.ReadAll(lines)
		rest <- string(b)
	}()
	said = sync.OnceValue(func() string {
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Error(err)
		}
		s := <-rest
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
		return s
	})
	t.Cleanup(func() { said() })
	if at = regexp.MustCompile(`http://[0-9.:]+`).FindString(line); at == "" {
		t.Fatal(line)
	}
	return at, said
}

// document is what the tests read of an OpenAPI document.
type document struct {
	Paths      map[string]map[string]operation
	Components struct {
		Schemas   map[string]map[string]any
		Responses map[string]response
	}
}

type operation struct {
	Parameters []parameter
	Responses  map[string]response // by status, such as 200 or 4XX
}

type response struct {
	Ref     string `json:"$ref"`
	Content map[string]struct{ Schema map[string]any }
}

type parameter struct {
	Name, In string
	Required bool
	Example  any
	Schema   struct {
		Type    string
		Default any
		Enum    []string
		Minimum *float64
		Maximum *float64
	}
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	a, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil || a.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v", address, a.Status, err)
	}
	return b
}

// parse reads a document and forbids properties that a schema does not name, so that an answer with others is not valid.
func parse(t *testing.T, raw []byte) *document {
	t.Helper()
	doc := &document{}
	raw = bytes.ReplaceAll(raw, []byte("#/components/schemas/"), []byte("#/$defs/")) // as validate has them
	if err := json.Unmarshal(raw, doc); err != nil {
		t.Fatal(err)
	}
	for _, s := range doc.Components.Schemas {
		s["additionalProperties"] = false
	}
	return doc
}

// validate reports why the document does not allow an answer: its status, its media type or its JSON.
func (d *document) validate(method, path string, a *http.Response, body []byte) error {
	status := strconv.Itoa(a.StatusCode)
	responses := d.Paths[path][strings.ToLower(method)].Responses
	r, ok := responses[status]
	if !ok {
		r, ok = responses[status[:1]+"XX"]
	}
	if !ok {
		return fmt.Errorf("the document has no status %s", status)
	}
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		r = d.Components.Responses[name]
	}
	media, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return err
	}
	content, ok := r.Content[media]
	if !ok {
		return fmt.Errorf("status %s of the document has no %s", status, media)
	}
	if !strings.HasSuffix(media, "json") {
		return nil
	}
	var schema jsonschema.Schema
	if text, err := json.Marshal(map[string]any{"$defs": d.Components.Schemas, "allOf": []any{content.Schema}}); err != nil {
		return err
	} else if err := json.Unmarshal(text, &schema); err != nil {
		return err
	}
	valid, err := schema.Resolve(nil)
	if err != nil {
		return err
	}
	parts := [][]byte{body}
	if media == "application/x-ndjson" { // the document has the schema of a line
		parts = slices.Collect(bytes.Lines(body))
	}
	for _, part := range parts {
		var value any
		if err := json.Unmarshal(part, &value); err != nil {
			return err
		} else if err := valid.Validate(value); err != nil {
			return fmt.Errorf("%w: %.300s", err, part)
		}
	}
	return nil
}

// TestContract walks the document: every path, every value of a choice, every number at its bounds and beyond, every
// form of an answer, and a request without each parameter that is required. It validates every answer.
func TestContract(t *testing.T) {
	base := served(t)
	doc := parse(t, get(t, base+"/openapi.json"))
	w := &walk{t: t, base: base, doc: doc, answers: map[string]int{}}
	for path, methods := range doc.Paths {
		for method, o := range methods {
			w.operation(strings.ToUpper(method), path, o.Parameters, slices.Sorted(keys(o.Responses["200"].Content)))
			if w.answers[path+" 200"] == 0 {
				t.Errorf("%s was never answered", path)
			}
		}
	}
	if len(doc.Paths) != 21 || w.asked < 150 {
		t.Errorf("%d paths, %d requests: is the test looking at what it should?", len(doc.Paths), w.asked)
	}
	t.Logf("%d requests: %v", w.asked, w.answers)
}

func keys[V any](m map[string]V) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

// walk sends requests and validates their answers.
type walk struct {
	t       *testing.T
	base    string
	doc     *document
	asked   int
	answers map[string]int // by path and status
}

// examples are values for parameters that have none in the document.
var examples = map[string]string{"cursor": "AAAAAAAAAAAAAAAA", "run": "run", "older": "older"}

// operation asks an operation in all ways.
func (w *walk) operation(method, path string, params []parameter, media []string) {
	usual := url.Values{}
	for _, p := range params {
		if p.Required && p.In == "query" {
			usual.Set(p.Name, p.Example.(string))
		}
		if p.In == "path" {
			path = strings.Replace(path, "{"+p.Name+"}", p.Example.(string), 1)
		}
	}
	for _, m := range media {
		w.ask(200, method, path, usual, m)
	}
	for _, p := range params {
		if p.In != "query" {
			continue
		}
		try := func(status int, values ...string) {
			changed := url.Values{}
			for name, v := range usual {
				changed[name] = v
			}
			changed[p.Name] = values
			w.ask(status, method, path, changed, media[0])
		}
		if p.Required {
			try(400)
			try(400, "")
			try(400, "x", "y")
		}
		for _, value := range p.Schema.Enum {
			if p.Name == "redirect" {
				try(404, value) // the page is where it was
				continue
			}
			try(200, value)
		}
		if p.Schema.Minimum != nil {
			low, high := *p.Schema.Minimum, *p.Schema.Maximum
			for value, status := range map[float64]int{low: 200, high: 200, low - 1: 400, high + 1: 400} {
				try(status, string(mustJSON(w.t, value)))
			}
		}
		switch {
		case p.Schema.Type == "boolean":
			try(200, "true")
			try(200, "false")
			try(400, "1")
		case p.Name == "cursor":
			try(409, examples["cursor"])
		case examples[p.Name] != "":
			try(200, examples[p.Name])
			try(404, "x")
		case p.Schema.Enum != nil || p.Schema.Type != "string":
			try(400, "x")
		}
	}
	w.ask(400, method, path, url.Values{"unknown": {"x"}}, media[0])
	w.ask(405, "PATCH", path, usual, media[0])
}

func mustJSON(t *testing.T, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// service are the paths that ignore parameters.
var service = []string{"/openapi.json", "/healthz", "/readyz", "/metrics"}

// ask sends a request, wants a status and validates the answer.
func (w *walk) ask(status int, method, path string, params url.Values, accept string) {
	w.t.Helper()
	if slices.Contains(service, path) && status == 400 {
		return
	}
	r, err := http.NewRequest(method, w.base+path+"?"+params.Encode(), nil)
	if err != nil {
		w.t.Fatal(err)
	}
	if method == http.MethodPost {
		body, kind := "<p>GIN stands for generalized inverted index, and it is designed for handling cases where the items to be indexed are composite values", "text/html"
		if path == "/v1/fold" {
			body, kind = "postgresql.org/docs/15/gin.html\nhttps://nowhere.example/\nwww.postgresql.org/docs/15/gin.html\n", "text/plain"
		}
		r.Body = io.NopCloser(strings.NewReader(body))
		r.Header.Set("Content-Type", kind)
	}
	r.Header.Set("Accept", accept)
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := io.ReadAll(a.Body)
	a.Body.Close()
	if err != nil || a.StatusCode != status {
		w.t.Errorf("%s %s: %s, want %d: %.300s %v", method, r.URL, a.Status, status, body, err)
		return
	}
	w.asked++
	w.answers[pattern(path)+" "+a.Status[:3]]++
	if kind := a.Header.Get("Content-Type"); status == 200 && !strings.HasPrefix(kind, accept) || status != 200 && kind != "application/problem+json" {
		w.t.Errorf("%s %s: %s", method, r.URL, kind)
	}
	if method == "PATCH" {
		return // the document has no such operation
	}
	if err := w.doc.validate(method, pattern(path), a, body); err != nil {
		w.t.Errorf("%s %s: %v\n%.300s", method, r.URL, err, body)
	}
}

// pattern returns the path of the document.
func pattern(path string) string {
	return regexp.MustCompile(`/[0-9a-f]{16}$`).ReplaceAllString(path, "/{id}")
}
