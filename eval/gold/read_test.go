package gold

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/eval/score"
)

func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func zipped(t *testing.T, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// shown returns a gold as text: labels, then what was skipped.
func shown(g *Gold) (out []string) {
	for _, l := range g.Labels {
		out = append(out, l.URL+" "+strings.Join(l.Path, "/"))
	}
	for _, s := range g.Skipped {
		out = append(out, fmt.Sprintf("%s %d %s", s.Reason, s.Count, strings.Join(s.Examples, "; ")))
	}
	return out
}

func sameGold(t *testing.T, path string, want ...string) {
	t.Helper()
	g, err := Read(path, urls.DefaultRules())
	if err != nil {
		t.Fatal(err)
	}
	if got := shown(g); !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant\n%s", path, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const rows = "\ufeff# url\tpath\nhttp://www.A.org/index.html\tX/L / 1\r\n\nhttp://b.org/?x\tX//M/\thttps://b.org\t7\n" +
	"http://b.org\tY\nnot a url\tX\nhttp://c.org\n\tX\nhttp://d.org\t/ /\nmailto:x@y.z\tX\n"

func TestReadRows(t *testing.T) {
	want := []string{"https://a.org X/L/1", "https://b.org X/M", "https://b.org Y"}
	for name, content := range map[string]string{"gold.tsv": rows, "gold.tsv.gz": zipped(t, rows)} {
		sameGold(t, write(t, name, content), append(slices.Clone(want),
			`bad-url 2 `+name+`:6: "not a url"; `+name+`:10: "mailto:x@y.z"`, `bad-row 1 `+name+`:7: "http://c.org"`,
			`no-url 1 `+name+`:8: "X"`, `no-category 1 `+name+`:9: "http://d.org"`)...)
	}
}

const rdf = `<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/" xmlns="http://dmoz.org/rdf/">
  <Topic r:id="Top"><catid>1</catid></Topic>
  <Topic r:id="Top/Arts"><catid>2</catid>
    <symbolic1 r:resource="Film:Top/Arts/Film"/>
  </Topic>
  <Topic r:id="Top/Arts/Film"><catid>3</catid>
    <link r:resource="http://film.org/"/><link1 r:resource="http://cinema.org/a?b=1&amp;c=2"/>
    <symbolic r:resource="Back:Top/Arts"/>
  </Topic>
  <ExternalPage about="http://film.org/"><d:Title>Fi` + "\x01\xff" + `lm &eacute;</d:Title><topic>Top/Arts/Film</topic></ExternalPage>
  <ExternalPage about="http://cinema.org/a?b=1&amp;c=2"><d:Title>x</d:Title></ExternalPage>
  <ExternalPage about=""><topic>Top/Arts/Film</topic></ExternalPage>
  <Topic r:id="Top/Science"></Topic>
  <ExternalPage about="http://nowhere.org/"><topic>Top</topic></ExternalPage>
  <ExternalPage about="http://film.org/"><topic>Top/Business/Film</topic></ExternalPage>
</RDF>
`

func TestReadDMOZ(t *testing.T) {
	for name, content := range map[string]string{"content.rdf.u8": rdf, "content.rdf.u8.gz": zipped(t, rdf)} {
		sameGold(t, write(t, name, content),
			"https://film.org Arts/Film", "https://cinema.org/a?b=1&c=2 Arts/Film", "https://film.org Business/Film",
			`empty-category 1 `+name+`:4: "Top/Arts"`, `no-url 1 `+name+`:13: "Arts/Film"`, `no-category 1 `+name+`:15: "http://nowhere.org/"`)
	}
	// A dump that stops in the middle gives what precedes the end.
	cut := write(t, "cut.rdf", rdf[:strings.Index(rdf, "<ExternalPage about=\"http://cinema")+60])
	g, err := Read(cut, urls.DefaultRules())
	if err != nil || len(g.Labels) != 1 || g.Skipped[len(g.Skipped)-1].Reason != BadRow {
		t.Errorf("of a dump that is cut: %v, %v", g, err)
	}
}

const (
	curlieS = "11\tTop/Arts\t0\tAll arts\n12\tTop/Arts/Film\t2\t\nbroken\n"
	curlieC = "http://film.org/\tFilm\tAbout films\t12\nhttp://lost.org/\tLost\t\t99\nhttp://short.org/\n"
)

func TestReadCurlie(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"rdf-Arts-s.tsv": curlieS, "rdf-Arts-c.tsv": curlieC} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range [][2]string{{"curlie-rdf/rdf-Arts-c.tsv", curlieC}, {"curlie-rdf/rdf-Arts-s.tsv", curlieS}} {
		if err := w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(f[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := []string{"https://film.org Arts/Film", `bad-row 2 rdf-Arts-s.tsv:3: "broken"; rdf-Arts-c.tsv:3: "http://short.org/"`,
		`no-category 1 rdf-Arts-c.tsv:2: "http://lost.org/ in category 99"`, `empty-category 1 rdf-Arts-s.tsv:1: "Arts"`}
	sameGold(t, dir, want...)
	sameGold(t, filepath.Join(dir, "rdf-Arts-c.tsv"), want...)
	sameGold(t, write(t, "curlie-rdf-all.tar.gz", zipped(t, b.String())), want...)
	sameGold(t, write(t, "curlie-rdf-all.tar", b.String()), want...)
}

func TestReadGoldBad(t *testing.T) {
	for name, c := range map[string]struct{ content, says string }{
		"empty.tsv":  {"", "empty.tsv: the file is empty\n  a gold of categories has lines of"},
		"rows.tsv":   {"a\nb\nhttp://x.org\t\n", `2 × bad-row, the first rows.tsv:1: "a"`},
		"binary":     {"PAR1\x00\x00", "this is not text"},
		"struct.rdf": {"<?xml version='1.0'?><RDF xmlns:r='x'><Topic r:id='Top/A'/><Topic r:id='Top/B'/></RDF>", `2 × empty-category, the first struct.rdf:1: "Top/A"`},
		"page.html":  {"\n<!DOCTYPE html><p>No gold", "page.html:1: this is an HTML page\n  a gold of categories has lines of"},
		"kinds.tsv":  {"# new\told\tlabel\nhttp://x.org\thttps://y.org/b\tobsoletes\n", "kinds.tsv:2: two URLs on a line are a pair"},
		"lines.json": {`{"url":"http://x.org"}`, "lines.json:1: this is JSON"},
		"pairs.tsv":  {"# a\tb\nhttp://x.org\thttps://y.org/b\nhttp://z.org\thttp://w.org\n", "pairs.tsv:2: two URLs on a line are a pair; for pairs use: lshclust eval pairs RUN --gold "},
		"bad.gz":     {"\x1f\x8b\x08", "bad.gz"},
		"long.tsv":   {strings.Repeat("x", maxLine+1), "long.tsv:1: "},
	} {
		_, err := Read(write(t, name, c.content), urls.DefaultRules())
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	g, err := Read(write(t, "odd.tsv", "http://x.org\thttp://y.org\nhttp://z.org\tArts\n"), urls.DefaultRules())
	if err != nil || len(g.Labels) != 2 {
		t.Errorf("one odd category: %v, %v", g, err) // it may be one
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none"), urls.DefaultRules()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := Read(t.TempDir(), urls.DefaultRules()); err == nil {
		t.Error("an empty folder is a gold")
	}
}

// FuzzReadGold: reading any file ends without a panic, and all labels have a URL and a path.
func FuzzReadGold(f *testing.F) {
	f.Add([]byte(rows))
	f.Add([]byte(rdf))
	f.Add([]byte("<RDF><Topic r:id='a'><narrow resource='a'/>"))
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, read := range []func(io.Reader, string, *urls.Rules) (*Gold, error){readTSV, readDMOZ} {
			g, err := read(bytes.NewReader(content), "fuzz", urls.DefaultRules())
			if err != nil {
				continue
			}
			for _, l := range g.Labels {
				if l.URL == "" || len(l.Path) == 0 || slices.Contains(l.Path, "") {
					t.Errorf("label %+v", l)
				}
			}
			if _, err := score.NewDirectory(g.Labels, 3); err != nil && !errors.Is(err, score.ErrEmpty) {
				t.Error(err)
			}
		}
	})
}

func TestTrails(t *testing.T) {
	page := `<html><head><script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage"},
{"@type":["BreadcrumbList"],"itemListElement":[{"@type":"ListItem","position":"2","name":"Docs","item":"https://a.org/docs/"},
{"@type":"ListItem","position":1,"item":{"@id":"https://a.org/","name":"Home"}},{"@type":"ListItem","position":3,"name":"Start"}]}]}</script>
<script type="application/ld+json">{broken BreadcrumbList</script></head><body>
<ol itemscope itemtype="https://schema.org/BreadcrumbList">
<li itemprop="itemListElement" itemscope><a itemprop="item" href="/guides"><span itemprop="name">All
 guides</span></a><meta itemprop="position" content="1"></li>
<li itemprop="itemListElement" itemscope><span itemprop="name">Start</span><meta itemprop="position" content="2"></li></ol>`
	p := &crawl.Page{URL: "https://www.a.org/docs/start.html", Canonical: "https://a.org/docs/start.html"}
	var got []string
	for _, trail := range trails([]byte(page)) {
		got = append(got, strings.Join(trailPath(trail, p, urls.DefaultRules()), "/"))
	}
	if want := []string{"a.org/Docs", "a.org/All guides"}; !slices.Equal(got, want) {
		t.Errorf("trails %q, want %q", got, want)
	}
	for _, none := range []string{"", "<p>BreadcrumbList", `<script type="application/ld+json">{"@type":"BreadcrumbList"}</script>`} {
		if got := trails([]byte(none)); len(got) != 0 {
			t.Errorf("trails of %q: %v", none, got)
		}
	}
}
