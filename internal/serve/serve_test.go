package serve

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// TestAnswers compares the answers with those of internal/ask.
func TestAnswers(t *testing.T) {
	c := start(t, Options{})
	r, err := runs.Open(sampleRun(t))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	id, err := r.Lookup(gin)
	if err != nil {
		t.Fatal(err)
	}

	page := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", "postgresql.org/docs/15/gin.html"))
	if page.Document.URL != gin || page.Document.InLinks != r.Document(id).InLinks || len(page.Quotes) == 0 || page.Topical == nil || page.Syntactic == nil {
		t.Errorf("%+v", page)
	}
	exact, err := topics.Exact(t.Context(), r, []uint32{id}, 300, topics.ByBoth, nil)
	if err != nil {
		t.Fatal(err)
	}
	topics.Rank(r, id, exact[0])
	for method, want := range map[string][]topics.Neighbour{"false": topics.Related(r, id, topics.Lookup{Top: 30}), "true": exact[0][:30]} {
		got := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", gin, "exact", method, "limit", "30"))
		if got.URL != gin || len(got.Items) != len(want) || len(want) < 20 {
			t.Fatalf("%s: %d rows, want %d", method, len(got.Items), len(want))
		}
		for i, n := range want {
			if got.Items[i].URL != n.URL || got.Items[i].Similarity != n.Similarity || got.Items[i].Relatedness != n.Relatedness || got.Items[i].Found != n.Found {
				t.Errorf("%s: %+v, want %+v", method, got.Items[i], n)
			}
		}
	}
	apart := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", gin, "apart", "true"))
	for _, n := range apart.Items {
		if n.Together != 0 {
			t.Errorf("apart: %+v", n)
		}
	}
	for _, exact := range []string{"false", "true"} {
		elsewhere := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", hostileURL, "elsewhere", "true", "exact", exact))
		if exact == "true" && len(elsewhere.Items) == 0 || slices.ContainsFunc(elsewhere.Items, func(n topics.Neighbour) bool { return strings.Contains(n.URL, "//evil.example/") }) {
			t.Errorf("elsewhere: %+v", elsewhere.Items)
		}
	}

	words := into[ask.SearchAnswer](t, c.get(200, "/v1/search", "q", "the gin index qqqqq"))
	if len(words.Items) != 10 || !slices.Equal(words.Known, []string{"gin", "index"}) || !slices.Equal(words.Unknown, []string{"qqqqq"}) || len(words.Stop) != 1 || len(words.Clusters) == 0 {
		t.Errorf("%+v", words)
	}
	quoted := 0
	for _, h := range words.Items {
		if q := h.Quote; q != nil {
			sentence := strings.ToLower(q.Before + " " + q.Anchor + " " + q.After)
			if quoted++; !strings.Contains(sentence, "gin") && !strings.Contains(sentence, "index") {
				t.Errorf("%s: %+v", h.URL, q)
			}
		}
	}
	if quoted == 0 {
		t.Error("no linking sentence")
	}
	if !slices.ContainsFunc(words.Items, func(h ask.SearchItem) bool { return h.URL == gin && slices.Contains(h.InTitle, "gin") }) {
		t.Errorf("gin is not found: %+v", words.Items)
	}
	named := into[ask.SearchAnswer](t, c.get(200, "/v1/search", "q", "GIN", "limit", "1"))
	rest := into[ask.SearchAnswer](t, c.get(200, "/v1/search", "q", "GIN", "limit", "1", "cursor", named.Next))
	if hit := named.Items[0]; hit.URL != gin || !hit.Best || hit.Called != "whole" {
		t.Errorf("%+v", hit)
	}
	if hit := rest.Items[0]; hit.URL == gin || hit.Best {
		t.Errorf("%+v", hit)
	}
	if at := into[ask.SearchAnswer](t, c.get(200, "/v1/search", "q", gin)).At; at == nil || at.URL != gin {
		t.Errorf("a URL as words: %+v", at)
	}

	x := into[ask.ExplainAnswer](t, c.get(200, "/v1/explain", "a", gin, "b", gist, "terms", "3"))
	if want := topics.Explain(r, id, mustLookup(t, r, gist)); x.Similarity != want.Similarity || x.Why != want.Why || len(x.Terms) != 3 || x.AllTerms != len(want.Terms) || x.Texts == nil {
		t.Errorf("%+v", x)
	}
	diff := into[ask.ExplainAnswer](t, c.get(200, "/v1/explain", "a", gin, "b", gist, "texts", "true"))
	if diff.URLA != gin || diff.URLB != gist || len(diff.Lines) == 0 || diff.LinesA == 0 {
		t.Errorf("%+v", diff)
	}
	compared := into[ask.CompareAnswer](t, c.get(200, "/v1/compare", "corner", "same-links"))
	if want, err := views.Compare(t.Context(), r, views.CompareDefaults(r)); err != nil || compared.Pairs != want.Pairs || len(compared.Items) == 0 {
		t.Errorf("%+v, %v", compared, err)
	}
	stats := into[ask.StatsAnswer](t, c.get(200, "/v1/stats"))
	if stats.Documents != r.Len() || stats.Digest != r.Manifest.Digest || len(stats.Stages) < 10 {
		t.Errorf("%+v", stats)
	}
}

func mustLookup(t testing.TB, r *runs.Run, url string) uint32 {
	t.Helper()
	id, err := r.Lookup(url)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// TestDuplicates checks that a posted page is found by its text, and the clusters of both views by their ids.
func TestDuplicates(t *testing.T) {
	c := start(t, Options{})
	a := c.do(http.MethodPost, "/v1/query?min=0.1", strings.NewReader("<p>"+hostileText), "Content-Type: text/html; charset=utf-8")
	found := into[ask.QueryAnswer](t, a)
	if a.StatusCode != http.StatusOK || len(found.Items) != 3 || !found.Certainty.Exact || found.Certainty.Shingles == 0 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	of := found.Items[0].URL
	duplicates := into[ask.DuplicatesAnswer](t, c.get(200, "/v1/duplicates", "url", of))
	if len(duplicates.Items) == 0 || !duplicates.All || duplicates.Total != len(duplicates.Items) {
		t.Errorf("%+v", duplicates)
	}
	page := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", of))
	for view, id := range map[string]string{"topical": page.Topical.ID, "syntactic": page.Syntactic.ID} {
		got := into[ask.ClusterAnswer](t, c.get(200, "/v1/cluster/"+id, "view", view))
		if !slices.ContainsFunc(got.Items, func(m ask.Member) bool { return m.URL == of }) || got.Size != len(got.Items) {
			t.Errorf("%s: %+v", view, got)
		}
	}
	if none := into[ask.DuplicatesAnswer](t, c.get(200, "/v1/duplicates", "url", of, "min", "1")); len(none.Items) > len(duplicates.Items) {
		t.Errorf("%+v", none)
	}
}

// TestForms checks that every list is available as JSON, NDJSON and CSV with the same rows, as Accept chooses.
func TestForms(t *testing.T) {
	c := start(t, Options{})
	whole := into[ask.RelatedAnswer](t, c.get(200, "/v1/related", "url", gin, "limit", "7"))
	lines := c.getAs(api.NDJSON, 200, "/v1/related", "url", gin, "limit", "7")
	type item struct{ URL string }
	var rows []item
	for d := json.NewDecoder(strings.NewReader(string(lines.body))); d.More(); {
		var row item
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	table, err := csv.NewReader(strings.NewReader(string(c.getAs("text/csv", 200, "/v1/related", "url", gin, "limit", "7").body))).ReadAll()
	if err != nil || len(rows) != 7 || len(table) != 8 || strings.Join(table[0][:4], " ") != "of url name seen_url" {
		t.Fatalf("%d rows, %d lines of CSV, %v", len(rows), len(table), err)
	}
	for i, row := range whole.Items {
		if rows[i].URL != row.URL || table[i+1][1] != row.URL || lines.Header.Get("Link") == "" {
			t.Errorf("row %d: %v, %v, want %v", i, rows[i], table[i+1], row)
		}
	}
	for accept, want := range map[string]string{
		"*/*": api.JSON, "application/*": api.JSON, "text/*, application/json;q=0.5": "text/csv", "application/json;q=0, */*;q=0.1": api.NDJSON,
		"text/html, application/x-ndjson": api.NDJSON, "nonsense;;, text/csv": "text/csv",
	} {
		if got := c.getAs(accept, 200, "/v1/related", "url", gin).Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
			t.Errorf("Accept: %s: %s, want %s", accept, got, want)
		}
	}
	c.getAs("text/html", 406, "/v1/related", "url", gin)
	c.getAs("text/csv", 406, "/v1/page", "url", gin)
	if a := c.do(http.MethodHead, "/v1/page?url="+gin, nil); a.StatusCode != http.StatusOK || len(a.body) != 0 || a.ContentLength < 100 {
		t.Errorf("HEAD: %d, %d bytes of %d", a.StatusCode, len(a.body), a.ContentLength)
	}
}

// TestCursors checks that the portions of every list make up the list, and that the header Link leads from one to the
// next.
func TestCursors(t *testing.T) {
	c := start(t, Options{})
	cluster := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", gin)).Topical.ID
	similar := into[ask.QueryAnswer](t, c.do(http.MethodPost, "/v1/query", strings.NewReader(hostileText), "Content-Type: text/plain")).Items[0].URL
	for path, params := range map[string]url.Values{
		"/v1/related": {"url": {gin}}, "/v1/search": {"q": {"index"}}, "/v1/cluster/" + cluster: {}, "/v1/compare": {},
		"/v1/duplicates": {"url": {similar}},
	} {
		params.Set("limit", "1000")
		whole := strings.SplitAfter(string(c.getAs(api.NDJSON, 200, path, flat(params)...).body), "\n")
		whole = whole[:min(len(whole)-1, 12)]
		params.Set("limit", "1")
		next, rows := "?"+params.Encode(), []string{}
		for next != "" && len(rows) < len(whole) {
			a := c.do(http.MethodGet, path+next, nil, "Accept: "+api.NDJSON)
			if a.StatusCode != http.StatusOK || strings.Count(string(a.body), "\n") != 1 {
				t.Fatalf("%s%s: %d %s", path, next, a.StatusCode, a.body)
			}
			rows = append(rows, string(a.body))
			link, rel, _ := strings.Cut(a.Header.Get("Link"), ">")
			if next = strings.TrimPrefix(link, "<"); (next == "") != (rel == "") || next != "" && rel != `; rel="next"` {
				t.Fatalf("Link: %s", a.Header.Get("Link"))
			}
		}
		if !slices.Equal(rows, whole) || len(rows) == 0 || path != "/v1/duplicates" && len(rows) < 3 {
			t.Errorf("%s: %q, want %q", path, rows, whole)
		}
	}
}

// flat returns parameters as names and values in turn.
func flat(v url.Values) (out []string) {
	for name, values := range v {
		out = append(out, name, values[0])
	}
	return out
}

// TestETag checks that the ETag changes only with the run.
func TestETag(t *testing.T) {
	c := start(t, Options{Version: "1"})
	first := c.get(200, "/v1/page", "url", gin)
	etag, at := first.Header.Get("Etag"), "/v1/page?url="+url.QueryEscape(gin)
	for _, tag := range []string{etag, strings.TrimPrefix(etag, "W/"), `"x", ` + etag} {
		if a := c.do(http.MethodGet, at, nil, "If-None-Match: "+tag); a.StatusCode != http.StatusNotModified || len(a.body) > 0 || a.Header.Get("Etag") != etag {
			t.Errorf("%s: %d %s", tag, a.StatusCode, a.body)
		}
	}
	if a := c.do(http.MethodGet, "/v1/page?url=none.example", nil, "If-None-Match: "+etag); a.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown URL with the ETag of another one: %d", a.StatusCode)
	}
	csvTag := c.getAs("text/csv", 200, "/v1/related", "url", gin).Header.Get("Etag")
	if a := c.do(http.MethodGet, at, nil, "If-None-Match: "+csvTag); a.StatusCode != http.StatusOK || csvTag == etag {
		t.Errorf("the ETag of another form: %d", a.StatusCode)
	}
	if a := start(t, Options{Version: "2"}).get(200, "/v1/page", "url", gin); a.Header.Get("Etag") == etag {
		t.Error("another version of the program has the same ETag")
	}
}

// TestProblems checks that wrong requests get problems that say what to do.
func TestProblems(t *testing.T) {
	c := start(t, Options{MaxBody: 1000})
	long := strings.Repeat("x", 5000)
	for _, x := range []struct {
		status       int
		kind, method string
		path, body   string
		header       []string
	}{
		{404, "no-such-path", "GET", "/nothing", "", nil},
		{404, "no-such-path", "GET", "/v1/nothing", "", nil},
		{404, "one-run", "GET", "/v1/changes", "", nil},
		{404, "no-such-path", "GET", "/v1/page/../../../etc/passwd%00", "", nil},
		{405, "method", "POST", "/v1/page", "", nil},
		{405, "method", "GET", "/v1/fold", "", nil},
		{405, "method", "DELETE", "/v1/stats", "", nil},
		{400, "bad-request", "GET", "/v1/page", "", nil},
		{400, "bad-request", "GET", "/v1/page?url=", "", nil},
		{400, "bad-request", "GET", "/v1/page?url=a&url=b", "", nil},
		{400, "bad-request", "GET", "/v1/page?url=%ff", "", nil},
		{400, "bad-request", "GET", "/v1/page?url=%zz", "", nil},
		{400, "bad-request", "GET", "/v1/page?url=" + long, "", nil},
		{400, "bad-request", "GET", "/v1/page?uri=x", "", nil},
		{400, "bad-request", "GET", "/v1/related?url=x&limit=0", "", nil},
		{400, "bad-request", "GET", "/v1/related?url=x&limit=1001", "", nil},
		{400, "bad-request", "GET", "/v1/related?url=x&limit=1e2", "", nil},
		{400, "bad-request", "GET", "/v1/related?url=x&apart=1", "", nil},
		{400, "bad-request", "GET", "/v1/related?url=x&exact=guess", "", nil},
		{400, "bad-request", "GET", "/v1/duplicates?url=x&min=NaN", "", nil},
		{400, "bad-request", "GET", "/v1/cluster/x", "", nil},
		{409, "stale-cursor", "GET", "/v1/related?url=" + gin + "&cursor=AAAAAAAAAAAAAAAA", "", nil},
		{404, "unknown-url", "GET", "/v1/page?url=https://nowhere.example/", "", nil},
		{404, "unknown-url", "GET", "/v1/page?url=%00", "", nil},
		{404, "unknown-url", "GET", "/v1/related?url=file:///etc/passwd", "", nil},
		{404, "unknown-cluster", "GET", "/v1/cluster/0123456789abcdef", "", nil},
		{404, "unknown-cluster", "GET", "/v1/cluster/0123456789abcdef?view=syntactic", "", nil},
		{404, "unknown-run", "GET", "/v1/stats?run=other", "", nil},
		{403, "noindex", "GET", "/v1/explain?texts=true&a=" + gin + "&b=" + hidden, "", nil},
		{415, "media-type", "POST", "/v1/query", "x", []string{"Content-Type: application/xml"}},
		{400, "bad-body", "POST", "/v1/query", "x", []string{"Content-Type: application/json"}},
		{400, "bad-body", "POST", "/v1/query", `{"text":"x","url":"y"}`, []string{"Content-Type: application/json"}},
		{415, "media-type", "POST", "/v1/query", "x", nil},
		{400, "bad-body", "POST", "/v1/query", "", []string{"Content-Type: text/plain"}},
		{413, "too-large", "POST", "/v1/query", long, []string{"Content-Type: text/plain"}},
		{403, "cross-origin", "POST", "/v1/query", "x", []string{"Content-Type: text/plain", "Origin: https://other.example"}},
		{403, "cross-origin", "POST", "/v1/query", "x", []string{"Content-Type: text/plain", "Sec-Fetch-Site: cross-site"}},
		{421, "unknown-host", "GET", "/v1/stats", "", []string{"Host: attacker.example"}},
	} {
		a := c.do(x.method, x.path, strings.NewReader(x.body), x.header...)
		p := into[api.Problem](t, a)
		if a.StatusCode != x.status || p.Status != x.status || p.Type != "urn:lshclust:problem:"+x.kind || p.Title == "" || p.Detail == "" || p.Todo == "" ||
			a.Header.Get("Content-Type") != api.Trouble || a.Header.Get("Etag") != "" {
			t.Errorf("%s %.80s: %d %s", x.method, x.path, a.StatusCode, a.body)
		}
	}
	near := into[api.Problem](t, c.get(404, "/v1/page", "url", "http://www.postgresql.org/docs/15/gin"))
	if !slices.Contains(near.Nearest, gin) {
		t.Errorf("nearest: %v", near.Nearest)
	}
}

// TestNew checks that New refuses paths that are not runs, and two runs with one name.
func TestNew(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	for _, content := range []string{"", "\n", strings.Repeat("x", 10_000), "nothing\n"} {
		if err := os.WriteFile(text, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if s, err := New([]Source{{"a", text}}, Options{}); err == nil || s != nil {
			t.Errorf("a file of %.20q was taken as a run", content)
		}
	}
	for _, list := range [][]Source{nil, {{"a", t.TempDir()}}, {{"a", sampleRun(t)}, {"a", sampleRun(t)}}, {{"a", sampleRun(t)}, {"b", os.DevNull}}} {
		if _, err := New(list, Options{}); err == nil {
			t.Errorf("%v was taken", list)
		}
	}
	s, err := New([]Source{{"a", sampleRun(t)}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s.runs.acquire("a") != nil {
		t.Error("a run of a closed server is open")
	}
}

// TestTimeout checks that an answer that takes too long, and a question that gets no turn, end with 503.
func TestTimeout(t *testing.T) {
	c := start(t, Options{Timeout: time.Nanosecond})
	a := c.get(503, "/v1/explain", "a", gin, "b", gist, "texts", "true")
	if a.Header.Get("Retry-After") == "" {
		t.Errorf("%v", a.Header)
	}
	busy := start(t, Options{Concurrent: 1, Patience: time.Millisecond})
	done, err := busy.s.limits.enter(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	busy.get(503, "/v1/page", "url", gin)
	busy.get(503, "/v1/explain", "a", gin, "b", gist, "texts", "true")
	busy.get(200, "/healthz")
	done()
	busy.get(200, "/v1/page", "url", gin)
	for range 100 {
		done, err := busy.s.limits.enter(canceled(t), true)
		if err != nil {
			t.Fatalf("a free place is refused: %v", err)
		}
		var p *api.Problem
		if _, err := busy.s.limits.enter(canceled(t), false); !errors.As(err, &p) {
			t.Errorf("no place is free: %v", err)
		}
		done()
	}
}
