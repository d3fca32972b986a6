package pipeline_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

const prose = `<p>The server writes its log files to a folder that is named in the configuration, and removes them after a week unless that is switched off by the owner of the machine.`

// TestLabels checks that pages without content are recognized by phrases and by repetition, and that they are in clusters
// only with pages of the same text.
func TestLabels(t *testing.T) {
	pages := []page{
		{URL: "https://a.example/gone", HTML: "<title>Page not found</title>Sorry!"},
		{URL: "https://a.example/app", HTML: "<title>App</title>You need to enable JavaScript to run this app."},
		{URL: "https://a.example/wall", HTML: "<title>News</title>Accept all cookies"},
		{URL: "https://a.example/about", HTML: "<title>Page not found</title>" + prose + prose + prose},
		{URL: "https://a.example/text", Text: "Page not found"},
	}
	want := map[string]string{"gone": "not-found", "app": "javascript", "wall": "consent", "about": "", "text": ""}
	for i := range 12 {
		host := fmt.Sprintf("h%02d.example", i)
		pages = append(pages,
			page{URL: fmt.Sprintf("https://a.example/r%02d", i), HTML: "<title>Shop</title>Come back tomorrow."},
			page{URL: "https://" + host + "/s", HTML: fmt.Sprintf("<title>%s</title>%s is closed, case %d", host, host, 17*i)})
		want[fmt.Sprintf("r%02d", i)] = "repeated"
	}
	for i := range 9 { // too few
		name := fmt.Sprintf("t%d", i)
		pages = append(pages,
			page{URL: "https://a.example/" + name, HTML: "<title>Shop</title>Come back on Sunday."},
			page{URL: fmt.Sprintf("https://few%d.example/", i), HTML: "<title>Shop</title>We are on holiday."})
		want[name] = ""
	}
	dir, m := cluster(t, preset(t, "web"), pipeline.Options{Workers: 2}, write(t, jsonl(t, pages...)...))
	got := map[string]string{}
	for url, row := range rows(t, dir) {
		if row.URLHostName == "a.example" {
			got[filepath.Base(url)] = row.PageLabel
		} else if (row.PageLabel == "repeated") != strings.HasSuffix(url, "/s") {
			t.Errorf("%s: %q", url, row.PageLabel)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for row, err := range run.ReadTable[run.SyntacticClusterRow](filepath.Join(dir, run.SyntacticClustersTable)) {
		must(t, err)
		if same := map[bool]int32{true: 12, false: 1}[got[filepath.Base(row.URL)] == "repeated"]; got[filepath.Base(row.URL)] != "" && row.ClusterSize != same {
			t.Errorf("%s stands in a cluster of %d", row.URL, row.ClusterSize)
		}
	}
	if n := stage(m, "group").Counts; n["label_repeated"] != 24 || n["label_not-found"] != 1 {
		t.Error(n)
	}
}

func stage(m *run.Manifest, name string) run.StageStats {
	for _, s := range m.Stages {
		if s.Name == name {
			return s
		}
	}
	return run.StageStats{}
}

// TestNoIndex checks that a page that asks not to be indexed represents a cluster only if all members ask for that.
func TestNoIndex(t *testing.T) {
	var pages []page
	for i := range 8 {
		meta := "<meta name=robots content=noindex>"
		if i == 5 {
			meta = ""
		}
		pages = append(pages,
			page{URL: fmt.Sprintf("https://a.example/%d", i), HTML: meta + prose},
			page{URL: fmt.Sprintf("https://b.example/%d", i), HTML: "<meta name=robots content='none'>Quite another text of as many words as it takes to have a shingle or two."})
	}
	dir, _ := cluster(t, preset(t, "web"), pipeline.Options{Workers: 2}, write(t, jsonl(t, pages...)...))
	speaks := map[string]int{}
	for row, err := range run.ReadTable[run.SyntacticClusterRow](filepath.Join(dir, run.SyntacticClustersTable)) {
		must(t, err)
		if row.IsRepresentative {
			speaks[row.URL[:len("https://a.example")]]++
			if row.URL[8] == 'a' && row.URL != "https://a.example/5" {
				t.Errorf("%s speaks for %d pages", row.URL, row.ClusterSize)
			}
		}
	}
	if d := cmp.Diff(map[string]int{"https://a.example": 1, "https://b.example": 1}, speaks); d != "" {
		t.Error(d)
	}
}

// TestSaid checks that the statements of pages about themselves are in their rows.
func TestSaid(t *testing.T) {
	french := "<p>Le serveur écrit ses journaux dans un dossier qui est nommé dans la configuration."
	c := preset(t, "web")
	c.Language = "auto"
	dir, m := cluster(t, c, pipeline.Options{Workers: 1}, writeBytes(t, "x.warc", []byte(
		warcResponse("https://a.example/x?s=1", t1, `<link rel=canonical href="http://www.a.example/x"><link rel=alternate hreflang=fr href=/fr><link rel=alternate hreflang="EN-gb" href=//b.example/x/><link rel=alternate hreflang=en href="">`+prose)+
			warcResponse("https://a.example/x", t1, `<link rel=canonical href="https://a.example/x/">`+french)+
			warcRecord("response", "https://a.example/z", t1, "application/http", "HTTP/1.1 200 OK\r\nX-Robots-Tag: googlebot: nofollow\r\nx-robots-tag: NoIndex, nofollow\r\nContent-Type: text/html\r\n\r\nZ"))))
	type said struct {
		language, canonical string
		languages           string
		noindex             bool
	}
	got := map[string]said{}
	for url, r := range rows(t, dir) {
		got[url] = said{r.Language, r.CanonicalURL, strings.Join(r.Hreflang, ", "), r.NoIndex}
	}
	want := map[string]said{
		"https://a.example/x?s=1": {"english", "https://a.example/x", "en-gb https://b.example/x, fr https://a.example/fr", false},
		"https://a.example/x":     {"french", "", "", false},
		"https://a.example/z":     {"", "", "", true},
	}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(said{})); d != "" {
		t.Error(d)
	}
	if n := stage(m, "group").Counts; n["noindex"] != 1 || n["canonical_elsewhere"] != 1 || n["language_french"] != 1 || stage(m, "read").Counts["links_to_other_languages"] != 2 {
		t.Error(n)
	}
}
