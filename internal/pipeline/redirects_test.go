package pipeline_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
)

func moved(url, time, status, to string) string {
	return warcRecord("response", url, time, "application/http;msgtype=response", "HTTP/1.1 "+status+"\r\nLocation: "+to+"\r\nContent-Type: text/html\r\n\r\n<p>moved</p>")
}

// TestRedirects checks that a link to a URL that redirects counts where the redirects end, unless a newer capture has
// a page at the URL.
func TestRedirects(t *testing.T) {
	html := func(links ...string) string {
		for i, l := range links {
			links[i] = `<p>words before <a href="` + l + `">the anchor</a> and after`
		}
		return "<title>red green blue</title>" + strings.Join(links, "")
	}
	in := []string{
		warcResponse("https://from.example/", t2, html("http://a.example/1", "http://a.example/there", "http://a.example/gone", "http://a.example/back", "http://a.example/loop1", "http://a.example/long0", "http://a.example/refresh")),
		warcResponse("https://two.example/", t2, html("https://b.example/", "http://a.example/1", "http://a.example/2", "http://a.example/me")),
		moved("http://a.example/1", t1, "301 Moved", "/2"), moved("http://a.example/2", t1, "302 Found", "https://b.example/"),
		moved("http://a.example/there", t1, "301 Moved", "/2"), warcResponse("http://a.example/there", t1, html()), // of one time
		warcResponse("http://a.example/gone", t1, html()), moved("http://a.example/gone", t2, "301 Moved", "/2"),
		moved("http://a.example/back", t1, "301 Moved", "/2"), warcResponse("http://a.example/back", t2, html()),
		moved("http://a.example/loop1", t1, "301 Moved", "loop2"), moved("http://a.example/loop2", t1, "301 Moved", "loop1"),
		moved("http://a.example/me", t1, "301 Moved", "https://two.example"),
		moved("http://c.example/", t1, "301 Moved", "https://older.example"), moved("http://c.example/", t2, "301 Moved", "https://newer.example"),
		warcResponse("http://a.example/refresh", t1, `<base href="https://d.example/x/"><meta http-equiv=refresh content="0; url=y">wait`),
		warcResponse("https://canon.example/print", t1, `<link rel=canonical href="/page">text `+html("https://d.example/z")),
		warcResponse("https://three.example/", t1, html("https://canon.example/print")),
	}
	for i := range 11 {
		in = append(in, moved(fmt.Sprintf("http://a.example/long%d", i), t1, "301 Moved", fmt.Sprintf("long%d", i+1)))
	}
	want := map[string][2]int32{
		"https://from.example": {}, "https://two.example": {}, "https://three.example": {}, "https://b.example": {2, 2},
		"https://a.example/there": {1, 1}, "https://a.example/gone": {}, "https://a.example/back": {1, 1},
		"https://a.example/loop1": {1, 1}, "https://a.example/long0": {1, 1}, "https://a.example/refresh": {}, "https://d.example/x/y": {1, 1},
		"https://canon.example/print": {1, 1}, "https://d.example/z": {1, 1},
	}
	dir, m := cluster(t, preset(t, "web"), pipeline.Options{Workers: 1}, writeBytes(t, "x.warc", []byte(strings.Join(in, ""))))
	if d := cmp.Diff(want, rows2(t, dir)); d != "" {
		t.Error(d)
	}
	stage, _ := m.Stage("redirect")
	if stage.In != 19 || stage.Dropped["redirect-loop"] != 2 || stage.Dropped["redirect-too-long"] != 1 || stage.Dropped["self-link"] != 1 || stage.Counts["links_moved"] != 5 {
		t.Errorf("%+v", stage)
	}
	got := redirectRows(t, dir)
	slices.Reverse(in)
	there := slices.IndexFunc(in, func(r string) bool { return strings.HasPrefix(r, warcResponse("http://a.example/there", t1, "")[:80]) })
	in[there], in[there+1] = in[there+1], in[there] // of captures of one time, the later record wins
	same(t, "another order", sums(t, dir), preset(t, "web"), pipeline.Options{Workers: 4, Memory: 1 << 18}, writeBytes(t, "y.warc", []byte(strings.Join(in, ""))))
	for url, want := range map[string]string{
		"https://a.example/1": "https://b.example 2 http 2020", "https://a.example/refresh": "https://d.example/x/y 1 refresh 2020",
		"https://c.example": "https://newer.example 1 http 2021", "https://a.example/long1": "https://a.example/long11 10 http 2020",
	} {
		if got[url] != want {
			t.Errorf("%s: %s, want %s", url, got[url], want)
		}
	}

	c := preset(t, "web")
	c.Canonical = "trust"
	dir, _ = cluster(t, c, pipeline.Options{}, writeBytes(t, "x.warc", []byte(strings.Join(in, ""))))
	want["https://canon.example/print"], want["https://canon.example/page"] = [2]int32{}, [2]int32{1, 1}
	if d := cmp.Diff(want, rows2(t, dir)); d != "" {
		t.Error(d)
	}
}

// redirectRows returns the rows of redirects.parquet by URL.
func redirectRows(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	for r, err := range run.ReadTable[run.RedirectRow](filepath.Join(dir, run.RedirectsTable)) {
		must(t, err)
		out[r.URL] = fmt.Sprintf("%s %d %s %d", r.TargetURL, r.Hops, r.Kind, 1970+r.FetchTime/(365*24*3600*1000))
	}
	return out
}

// TestMovedSite checks that if every other page links to the old URLs of a site that has moved, the run is the same
// as if it linked to the new ones.
func TestMovedSite(t *testing.T) {
	lines := samplePages(t, sampledPages)
	href := regexp.MustCompile(`href="(\w[\w.-]+\.html)(#[^"]*)?"`)
	old, olds := slices.Clone(lines), map[string]bool{}
	for i := 0; i < len(old); i += 2 {
		var p page
		must(t, json.Unmarshal([]byte(old[i]), &p))
		site := p.URL[:strings.LastIndexByte(p.URL, '/')+1]
		p.HTML = href.ReplaceAllStringFunc(p.HTML, func(s string) string {
			name := href.FindStringSubmatch(s)[1]
			if name == "index.html" { // canonical URLs do not have it
				return s
			}
			olds[fmt.Sprintf(`{"url": "https://old.example/%s", "redirect": "https://older.example/%s"}`, name, name)] = true
			olds[fmt.Sprintf(`{"url": "https://older.example/%s", "redirect to": "%s%s"}`, name, site, name)] = true
			return fmt.Sprintf(`href="https://old.example/%s"`, name)
		})
		old[i] = jsonl(t, p)[0]
	}
	if len(olds) < 60 {
		t.Fatalf("%d redirects", len(olds))
	}
	old = append(old, slices.Sorted(maps.Keys(olds))...)
	c := preset(t, "paper2000")
	c.Views = []string{config.Topical}
	now, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
	then, m := cluster(t, c, pipeline.Options{}, write(t, old...))
	want, got := sums(t, now), sums(t, then)
	for _, differs := range []string{"documents.lsh", "pages.parquet", "redirects.lsh", "redirects.parquet"} { // digests of the contents
		if want[differs] == got[differs] {
			t.Errorf("%s is the same", differs)
		}
		delete(want, differs)
		delete(got, differs)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(rows2(t, now), rows2(t, then)); d != "" {
		t.Error(d)
	}
	if stage, _ := m.Stage("redirect"); stage.Counts["links_moved"] < 50 {
		t.Errorf("%+v", stage)
	}
	q, err := runs.Open(then)
	must(t, err)
	defer q.Close()
	for row := range olds {
		var r struct{ URL string }
		must(t, json.Unmarshal([]byte(row), &r))
		if id, err := q.Lookup(r.URL); err != nil || !strings.HasSuffix(q.Document(id).URL, filepath.Base(r.URL)) || !strings.HasPrefix(q.Document(id).URL, "https://postgresql.org/") {
			t.Fatalf("%s: %s, %v", r.URL, q.Document(id).URL, err)
		}
	}
}
