package golds

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
)

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

func TestDMOZ(t *testing.T) {
	var out strings.Builder
	to := &rows{to: &out}
	if err := dmoz(strings.NewReader(rdf), to); err != nil || to.left != 2 {
		t.Error(to.left, err)
	}
	if want := "http://film.org/\tArts/Film\nhttp://cinema.org/a?b=1&c=2\tArts/Film\nhttp://film.org/\tBusiness/Film\n"; out.String() != want {
		t.Errorf("%s", out.String())
	}
}

const (
	curlieS = "11\tTop/Arts\t0\tAll arts\n12\tTop/Arts/Film\t2\t\nbroken\n"
	curlieC = "http://film.org/\tFilm\tAbout films\t12\nhttp://lost.org/\tLost\t\t99\nhttp://short.org/\n"
)

func TestCurlie(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"rdf-Arts-s.tsv": curlieS, "rdf-Arts-c.tsv": curlieC} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	to := &rows{to: &out}
	if err := curlieFolder(dir, to); err != nil || to.left != 2 || out.String() != "http://film.org/\tArts/Film\n" {
		t.Error(out.String(), to.left, err)
	}
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
