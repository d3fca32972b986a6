package api

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
)

var update = flag.Bool("update", false, "write the table to docs/api.md")

// TestDocument checks that the table of docs/api.md is the one generated from the operations. With -update it writes
// the table.
func TestDocument(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "api.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- table -->\n", "<!-- end of table -->"
	before, rest, ok := strings.Cut(string(text), begin)
	_, after, also := strings.Cut(rest, end)
	if !ok || !also {
		t.Fatalf("%s has no place for the table", path)
	}
	want := before + begin + table() + end + after
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if string(text) != want {
		t.Errorf("%s is not current: go test ./internal/serve/api -update\n%s", path, table())
	}
}

// TestOperations checks that every operation is documented, its parameters have values that fit, and its models have
// no field that JSON or the schemas would lose.
func TestOperations(t *testing.T) {
	ids := map[string]bool{}
	for _, o := range Operations() {
		if ids[o.ID] || o.Summary == "" || !strings.HasSuffix(o.Description, ".") || o.Ask == nil || o.Answer == nil || (o.Method == http.MethodPost) != (o.Body != nil) {
			t.Errorf("%+v", o)
		}
		ids[o.ID] = true
		for _, p := range o.Params {
			for _, value := range append(slices.Clone(p.Enum), p.Default, p.Example) {
				if wrong := p.Wrong(value); value != "" && wrong != "" {
					t.Errorf("%s: %s=%s %s", o.ID, p.Name, value, wrong)
				}
			}
			if p.Doc == "" || p.Kind == ask.Text && p.Most == 0 || p.InPath != strings.Contains(o.Path, "{"+p.Name+"}") {
				t.Errorf("%s: %+v", o.ID, p)
			}
		}
	}
	document, err := json.Marshal(OpenAPI("1"))
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(OpenAPI("1"))
	if err != nil || !slices.Equal(document, again) {
		t.Errorf("the document changes from one call to the next, %v", err)
	}
	s := &schemas{object{}, map[string]reflect.Type{}}
	for _, o := range Operations() {
		s.of(reflect.TypeOf(o.Answer))
		if o.IsList() && len(ask.Columns(reflect.TypeOf(o.Answer))) < 2 {
			t.Errorf("%s: its rows have no columns", o.ID)
		}
	}
}

// TestWords checks that a key means the same in all answers, and that every list has a total.
func TestWords(t *testing.T) {
	kinds := map[string]reflect.Kind{"label": reflect.String, "page_label": reflect.String, "url": reflect.String, "links": reflect.Int, "total": reflect.Int}
	doc := map[string]string{} // descriptions of keys that mean one thing
	seen := map[reflect.Type]bool{}
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		keys := map[string]bool{}
		for _, c := range ask.Fields(of) {
			keys[c.Name] = true
			if kind := c.Field.Type.Kind(); kinds[c.Name] != 0 && kind != kinds[c.Name] {
				t.Errorf("%s: %s is of kind %s", of, c.Name, kind)
			}
			if slices.Contains([]string{"seen_url", "page_label", "absent_view"}, c.Name) {
				if text := c.Field.Tag.Get("doc"); doc[c.Name] == "" {
					doc[c.Name] = text
				} else if doc[c.Name] != text {
					t.Errorf("%s: %s is %q and %q", of, c.Name, text, doc[c.Name])
				}
			}
			check(c.Field.Type)
		}
		if f, ok := of.FieldByName("Items"); ok && f.Type.Kind() == reflect.Slice && !keys["total"] {
			t.Errorf("%s has no total", of)
		}
		for name, seen := range map[string]string{"name": "seen_url", "url_a": "seen_url_a", "url_b": "seen_url_b", "new_url": "seen_new_url", "new_urls": "seen_new_urls", "to": "seen_to", "keep": "seen_keep"} {
			if keys[name] && keys[name] != keys[seen] && !(name == "name" && !keys["url"]) && of.Name() != "Anchor" {
				t.Errorf("%s has %s without %s", of, name, seen)
			}
		}
		for _, old := range []string{"of", "of_this", "of_other", "of_old", "of_new", "containment_ab", "containment_ba"} {
			if keys[old] {
				t.Errorf("%s has %s", of, old)
			}
		}
	}
	for _, o := range Operations() {
		check(reflect.TypeOf(o.Answer))
	}
	for _, local := range []any{ask.LinksAnswer{}, ask.VersionsAnswer{}, ask.SharedAnswer{}, ask.OverviewAnswer{}, ask.ClassifyAnswer{}, ask.GuardAnswer{}, ask.AnchorsAnswer{}, ask.CheckAnswer{}} {
		check(reflect.TypeOf(local))
	}
}

// table returns the questions as a table in Markdown, from the same source as the OpenAPI document.
func table() string {
	var b strings.Builder
	b.WriteString("| question | answer | parameters |\n| --- | --- | --- |\n")
	for _, o := range Operations() {
		var params []string
		for _, p := range o.Params {
			params = append(params, briefly(p))
		}
		fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", o.Method, o.Path, o.Summary, strings.Join(params, ", "))
	}
	for _, p := range ServicePaths {
		fmt.Fprintf(&b, "| `GET %s` | %s | |\n", p.Path, p.Summary)
	}
	return b.String()
}

// briefly returns the name of a parameter with its choices or its default; a required one is bold.
func briefly(p Param) string {
	switch name := "`" + p.Name + "`"; {
	case p.Required:
		return "**" + name + "**"
	case p.Enum != nil && p.Default != "":
		return name + " (" + strings.Join(p.Enum, ", ") + "; default " + p.Default + ")"
	case p.Enum != nil:
		return name + " (" + strings.Join(p.Enum, ", ") + ")"
	case p.Default != "":
		return name + " (" + p.Default + ")"
	default:
		return name
	}
}
