package capture

import (
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// Names of captures are their URLs, or Cut splits them into URL and mark again.
func TestName(t *testing.T) {
	const url = "https://a.example/p"
	at := time.Date(2020, 2, 3, 4, 5, 6, 0, time.FixedZone("", 3600))
	for _, c := range []struct {
		name string
		page crawl.Page
		all  bool
		want string
	}{
		{"the newest capture", crawl.Page{Time: at}, false, url},
		{"all captures", crawl.Page{Time: at}, true, url + "#20200203030506"},
		{"links of no time", crawl.Page{Links: []crawl.Link{{Target: "/"}}}, true, url},
	} {
		c.page.Canonical = url
		got := Name(&c.page, c.all)
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		base, mark, ok := Cut(got)
		if ok != (got != url) || ok && base+"#"+mark != got {
			t.Errorf("%s: Cut(%s) is %s, %s, %v", c.name, got, base, mark, ok)
		}
	}
	untimed := Name(&crawl.Page{Canonical: url, Text: []byte("words")}, true)
	if base, mark, ok := Cut(untimed); !ok || base != url || len(mark) != 16 {
		t.Errorf("a capture of no time is named %s", untimed)
	}
	for _, name := range []string{url, url + "#part", url + "#2020", "", "#"} {
		if _, _, ok := Cut(name); ok {
			t.Errorf("Cut(%q) finds a mark", name)
		}
	}
}

// Captures of equal content have equal digests, in whatever form the content comes.
func TestDigest(t *testing.T) {
	html, same := crawl.Page{HTML: []byte("<p>one")}, crawl.Page{HTML: []byte("<p>one"), URL: "https://other.example/"}
	if Digest(&html) != Digest(&same) || Digest(&html) == Digest(&crawl.Page{Text: []byte("one")}) {
		t.Error("digests are not those of the content")
	}
	if Digest(&crawl.Page{Features: []string{"a", "b"}}) == Digest(&crawl.Page{Features: []string{"ab"}}) {
		t.Error("other features, the same digest")
	}
}
