package contract

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
)

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
	dir := t.TempDir()
	binary := filepath.Join(dir, "lshclust")
	build := exec.Command("go", "build", "-o", binary, "./cmd/lshclust")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	demo := exec.Command(binary, "demo", "-q", "-o", filepath.Join(dir, "run"))
	if out, err := demo.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := exec.Command(binary, "serve", "--listen", "127.0.0.1:0", "--log", format, filepath.Join(dir, "run"), "older="+filepath.Join(dir, "run"))
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
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Parameters  []parameter
		Responses   map[string]struct{ Content map[string]any }
	}
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

// closed forbids properties that a schema does not name, so that an answer with others is not valid.
func closed(t *testing.T, raw []byte) []byte {
	t.Helper()
	var doc map[string]any
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	for _, s := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		s.(map[string]any)["additionalProperties"] = false
	}
	out, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestContract walks the document: every path, every value of a choice, every number at its bounds and beyond, every
// form of an answer, and a request without each parameter that is required. It validates every answer.
func TestContract(t *testing.T) {
	base := served(t)
	raw := get(t, base+"/openapi.json")
	parsed, err := libopenapi.NewDocument(closed(t, raw))
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(parsed)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if ok, wrong := v.ValidateDocument(); !ok {
		t.Fatalf("the document is no OpenAPI 3.1: %v", wrong)
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	w := &walk{t: t, base: base, v: v, answers: map[string]int{}}
	for path, methods := range doc.Paths {
		for method, o := range methods {
			w.operation(strings.ToUpper(method), path, o.Parameters, slices.Sorted(keys(o.Responses["200"].Content)))
			if w.answers[path+" 200"] == 0 {
				t.Errorf("%s was never answered", path)
			}
		}
	}
	if len(doc.Paths) != 16 || w.asked < 150 {
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
	v       validator.Validator
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
	request := func() *http.Request {
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
		return r
	}
	r := request()
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
	valid := [][]byte{body}
	if strings.HasPrefix(a.Header.Get("Content-Type"), "application/x-ndjson") {
		valid = bytes.Split(bytes.TrimSuffix(body, []byte("\n")), []byte("\n")) // the document has the schema of a line
	}
	for _, part := range valid {
		a.Body = io.NopCloser(bytes.NewReader(part))
		if ok, wrong := w.v.ValidateHttpResponse(request(), a); !ok {
			for _, e := range wrong {
				w.t.Errorf("%s %s: %s: %s\n%.300s", method, r.URL, e.Message, e.Reason, part)
			}
		}
	}
}

// pattern returns the path of the document.
func pattern(path string) string {
	return regexp.MustCompile(`/[0-9a-f]{16}$`).ReplaceAllString(path, "/{id}")
}
