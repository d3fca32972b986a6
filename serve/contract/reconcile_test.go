package contract

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pb33f/jsonschema/v6"
)

// published are the schemas that the draft publishes, by the definitions of ours that are for the same answers.
var published = map[string]string{
	"manifest": "manifest.json", "results": "reconciliation-result-batch.json", "suggestions": "suggest-entities-response.json", "extension": "data-extension-response.json",
}

// schemas are schemas of an answer.
type schemas map[string][]*jsonschema.Schema

// reconciliation returns our schemas, and if LSHCLUST_RECONCILIATION_SCHEMAS names a folder with those of the draft, these.
func reconciliation(t *testing.T) schemas {
	t.Helper()
	c := jsonschema.NewCompiler()
	add := func(at, path string, change func(map[string]any)) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		change(doc.(map[string]any))
		if err := c.AddResource(at, doc); err != nil {
			t.Fatal(err)
		}
	}
	out := schemas{}
	put := func(name, at string) {
		s, err := c.Compile(at)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = append(out[name], s)
	}
	const ours, theirs = "https://lshclust.test/reconciliation.json", "https://reconciliation-api.github.io/specs/0.2/schemas/"
	add(ours, filepath.Join("testdata", "reconciliation.json"), func(map[string]any) {})
	for _, name := range []string{"manifest", "results", "suggestions", "proposal", "extension"} {
		put(name, ours+"#/$defs/"+name)
	}
	dir := os.Getenv("LSHCLUST_RECONCILIATION_SCHEMAS")
	if dir == "" {
		return out
	}
	for _, file := range []string{"type.json", "manifest.json", "reconciliation-result-batch.json", "suggest-entities-response.json", "data-extension-response.json"} {
		add(theirs+file, filepath.Join(dir, file), func(doc map[string]any) {
			doc["$schema"] = "http://json-schema.org/draft-07/schema#" // they name the newest, which is none
			if properties, ok := doc["properties"].(map[string]any); ok {
				delete(properties, "authentication") // it refers to a schema elsewhere, and the server has none
			}
		})
	}
	for name, file := range published {
		put(name, theirs+file)
	}
	return out
}

// valid checks an answer.
func (s schemas) valid(t *testing.T, name string, answer []byte) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err != nil {
		t.Fatalf("%v: %s", err, answer)
	}
	for _, schema := range s[name] {
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v\n%.1000s", name, err, answer)
		}
	}
}

// TestReconciliation walks through the service as OpenRefine does, from the manifest to the columns, and validates every
// answer.
func TestReconciliation(t *testing.T) {
	base, s := served(t), reconciliation(t)
	const gin = "https://postgresql.org/docs/15/gin.html"
	for _, at := range []string{base + "/reconcile", base + "/reconcile/run/older"} {
		s.valid(t, "manifest", get(t, at))
		post := func(name, field, value string) []byte {
			a, err := http.PostForm(at, url.Values{field: {value}})
			if err != nil {
				t.Fatal(err)
			}
			defer a.Body.Close()
			b, err := io.ReadAll(a.Body)
			if err != nil || a.StatusCode != http.StatusOK {
				t.Fatalf("%s: %s %s %v", value, a.Status, b, err)
			}
			s.valid(t, name, b)
			return b
		}
		found := post("results", "queries", `{"q0": {"query": "Generalized inverted index", "limit": 20}, "q1": {"query": "postgresql.org/docs/15/gin.html"}, "q2": {"query": "postgresql.org/docs/15/nothing"}, "q3": {"query": "qqqqq"}}`)
		if !strings.Contains(string(found), gin) {
			t.Errorf("%s", found)
		}
		post("extension", "extend", `{"ids": ["`+gin+`", "https://nowhere.example/", "postgresql.org/docs/15/gist.html"], "properties": [{"id": "title"}, {"id": "host"}, {"id": "language"}, {"id": "crawled"}, {"id": "inlinks"}, {"id": "inlink_hosts"}, {"id": "words"}, {"id": "time"}, {"id": "cluster"}, {"id": "cluster_id"}, {"id": "copies"}, {"id": "related", "settings": {"limit": 5}}]}`)
		s.valid(t, "suggestions", get(t, at+"/suggest/entity?prefix=index"))
		s.valid(t, "suggestions", get(t, at+"/suggest/property?prefix=h"))
		s.valid(t, "suggestions", get(t, at+"/suggest/type?prefix=p"))
		s.valid(t, "proposal", get(t, at+"/properties?type=document&limit=3"))
		if page := string(get(t, at+"/preview?id="+url.QueryEscape(gin))); !strings.Contains(page, "<title>") || !strings.Contains(page, gin) {
			t.Errorf("%s", page)
		}
	}
	for _, wrong := range []string{`{"rows": {}}`, `[]`, `{"meta": [], "rows": {"a": {"b": [{"str": "x", "int": 1}]}}}`} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(wrong))
		if err != nil {
			t.Fatal(err)
		}
		for _, schema := range s["extension"] {
			if schema.Validate(doc) == nil {
				t.Errorf("%s is valid: does the test look at anything?", wrong)
			}
		}
	}
}
