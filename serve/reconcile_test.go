package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/serve/reconcile"
)

const formType = "Content-Type: application/x-www-form-urlencoded"

// asked sends a form with one field to the endpoint of a service, and wants the same answer by GET.
func asked[T any](t *testing.T, c *client, field, value string) T {
	t.Helper()
	form := url.Values{field: {value}}.Encode()
	a, again := c.do(http.MethodPost, "/reconcile", strings.NewReader(form), formType), c.do(http.MethodGet, "/reconcile?"+form, nil)
	if a.StatusCode != http.StatusOK || string(a.body) != string(again.body) {
		t.Fatalf("%s: %d %s, by GET %d %s", value, a.StatusCode, a.body, again.StatusCode, again.body)
	}
	return into[T](t, a)
}

// TestReconcile: URLs and titles are matched, conditions hold, and scores are the sums of their features.
func TestReconcile(t *testing.T) {
	c := start(t, Options{})
	title := into[api.Page](t, c.get(200, "/v1/page", "url", gin)).Document.Title
	batch := asked[map[string]reconcile.Result](t, c, "queries", `{
		"url": {"query": "postgresql.org/docs/15/gin.html", "type": "page", "type_strict": "should"},
		"near": {"query": "https://www.postgresql.org/docs/15/gin"},
		"title": {"query": "`+title+`", "limit": 3, "type": ["document", "page"], "type_strict": "any"},
		"property": {"properties": [{"pid": "url", "v": {"id": "`+gin+`"}}]},
		"host": {"query": "index", "limit": 20, "properties": [{"pid": "host", "v": ["postgresql.org", "sqlite.org"]}, {"pid": "similarity", "v": "0.05"}]},
		"elsewhere": {"query": "index", "properties": [{"pid": "host", "v": "nowhere.example"}]},
		"none": {"query": "qqqqqqq"}
	}`)
	first := func(name string) reconcile.Candidate {
		if len(batch[name].Result) == 0 {
			t.Fatalf("%s: no candidate", name)
		}
		return batch[name].Result[0]
	}
	for _, name := range []string{"url", "property"} {
		if x := first(name); x.ID != gin || !x.Match || x.Score != 100 || len(batch[name].Result) != 1 {
			t.Errorf("%s: %+v", name, batch[name])
		}
	}
	if x := first("near"); x.ID != gin || x.Match || x.Score < 50 || x.Score >= 100 {
		t.Errorf("%+v", batch["near"])
	}
	if x := first("title"); x.ID != gin || x.Name != title || len(batch["title"].Result) > 3 {
		t.Errorf("%+v", batch["title"])
	}
	for _, x := range batch["title"].Result {
		if len(x.Features) != 3 || x.Score-100*(0.7*x.Features[0].Value+0.3*x.Features[1].Value) > 0.1 {
			t.Errorf("%+v", x)
		}
	}
	for _, x := range batch["host"].Result {
		if at, err := url.Parse(x.ID); err != nil || !slices.Contains([]string{"postgresql.org", "sqlite.org"}, at.Hostname()) || x.Score < 5 {
			t.Errorf("%+v", x)
		}
	}
	if len(batch["host"].Result) < 5 || len(batch["elsewhere"].Result)+len(batch["none"].Result) != 0 || batch["none"].Result == nil {
		t.Errorf("%+v", batch)
	}
}

// TestReconcileParts: what is said about entities, in columns, in suggestions and in a preview.
func TestReconcileParts(t *testing.T) {
	c := start(t, Options{Origins: []string{"http://127.0.0.1:3333"}}, sampleRun(t), sampleRun(t))
	x := asked[reconcile.Extension](t, c, "extend", `{"ids": ["`+gin+`", "https://nowhere.example/"], "properties": [{"id": "title"}, {"id": "inlinks"}, {"id": "related", "settings": {"limit": 2}}, {"id": "host"}]}`)
	row := x.Rows[gin]
	if len(x.Meta) != 4 || row["host"][0]["str"] != "postgresql.org" || len(row["related"]) != 2 || row["inlinks"][0]["int"].(float64) < 1 || len(x.Rows["https://nowhere.example/"]["title"]) != 0 {
		t.Errorf("%+v", x)
	}
	for _, at := range []string{"/reconcile", "/reconcile/run/run1"} {
		m := into[reconcile.Manifest](t, c.get(200, at))
		if m.Suggest["entity"].URL != c.base || m.Suggest["entity"].Path != at+"/suggest/entity" || !slices.Contains(m.Versions, "0.2") {
			t.Errorf("%+v", m)
		}
		if s := into[reconcile.Suggestions[reconcile.Suggestion]](t, c.get(200, at+"/suggest/entity", "prefix", gin)); len(s.Result) != 1 || s.Result[0].ID != gin {
			t.Errorf("%+v", s)
		}
		if s := into[reconcile.Suggestions[reconcile.Property]](t, c.get(200, at+"/suggest/property", "prefix", "Ho")); len(s.Result) != 1 || s.Result[0].ID != "host" {
			t.Errorf("%+v", s)
		}
		if s := into[reconcile.Proposal](t, c.get(200, at+"/properties", "type", "page", "limit", "2")); len(s.Properties) != 2 || s.Type != "page" {
			t.Errorf("%+v", s)
		}
	}
	words, rest := into[reconcile.Suggestions[reconcile.Suggestion]](t, c.get(200, "/reconcile/suggest/entity", "prefix", "index")), into[reconcile.Suggestions[reconcile.Suggestion]](t, c.get(200, "/reconcile/suggest/entity", "prefix", "index", "cursor", "1"))
	if len(words.Result) < 2 || words.Result[1].ID != rest.Result[0].ID {
		t.Errorf("%+v, then %+v", words, rest)
	}
	a := c.get(200, "/reconcile/preview", "id", hostileURL)
	if body := string(a.body); !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || strings.Contains(body, "<script") || strings.ContainsAny(body, "\x1b\u202e") || !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("%s", body)
	}
	if policy := a.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || !strings.Contains(policy, "frame-ancestors http://127.0.0.1:3333") {
		t.Error(policy)
	}
}

// TestReconcileProblems: requests that are wrong are told so.
func TestReconcileProblems(t *testing.T) {
	c := start(t, Options{MaxBody: 4000})
	many := "{" + strings.Repeat(`"a": {"query": "x"}, `, 3)
	for i := range 60 {
		many += `"q` + string(rune('0'+i/10)) + string(rune('0'+i%10)) + `": {"query": "x"},`
	}
	for value, status := range map[string]int{
		"": 400, "x": 400, "null": 400, "[]": 400, `{"q": {}}`: 400, `{"q": {"query": "x", "limit": -1}}`: 400, `{"q": {"query": "x", "limit": 1.5}}`: 400,
		`{"q": {"query": "x", "properties": [{"pid": "y", "v": 1}]}}`: 400, strings.TrimSuffix(many, ",") + "}": 413, `{"q": {"query": "` + strings.Repeat("x", 5000) + `"}}`: 413,
		`{"q": {"query": 5}}`: 400,
	} {
		form := url.Values{"queries": {value}}.Encode()
		if a := c.do(http.MethodPost, "/reconcile", strings.NewReader(form), formType); a.StatusCode != status || a.Header.Get("Content-Type") != api.Trouble {
			t.Errorf("%.80s: %d, want %d: %s", value, a.StatusCode, status, a.body)
		}
	}
	for _, x := range []struct {
		method, path, body, header string
		status                     int
	}{
		{"POST", "/reconcile", "queries={}", "Content-Type: application/json", 415},
		{"POST", "/reconcile", "x=1", formType, 400},
		{"POST", "/reconcile", "%", formType, 400},
		{"POST", "/reconcile", `extend={"ids":["x"],"properties":[{"id":"url"}]}`, formType, 400},
		{"POST", "/reconcile", `extend={"ids":["x"]}`, formType, 400},
		{"DELETE", "/reconcile", "", "X: y", 405},
		{"POST", "/reconcile/preview", "", formType, 405},
		{"GET", "/reconcile/preview?id=https://nowhere.example/", "", "X: y", 404},
		{"GET", "/reconcile/run/nothing", "", "X: y", 404},
		{"GET", "/reconcile/nothing", "", "X: y", 404},
	} {
		if a := c.do(x.method, x.path, strings.NewReader(x.body), x.header); a.StatusCode != x.status || a.Header.Get("Content-Type") != api.Trouble {
			t.Errorf("%s %s %s: %d, want %d: %s", x.method, x.path, x.body, a.StatusCode, x.status, a.body)
		}
	}
}
