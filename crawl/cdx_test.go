package crawl

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/internal/warc"
)

func FuzzCDX(f *testing.F) {
	for _, s := range []string{`org,a)/ 2020 {"url": "http://a.org/", "offset": "7", "filename": "a.warc.gz"}`, "org,a)/ 2020 http://a.org/ text/html 200 X - - 9 7 a.warc.gz", `2020 {"a"`, " ", "a b c"} {
		f.Add(s, cdxColumns[11])
		f.Add(s, "a b V g")
	}
	f.Fuzz(func(t *testing.T, line, columns string) {
		c, err := parseCDX(line, columns)
		if err == nil && (c.filename != "" && c.offset < 0 && !strings.Contains(line, "locator") || c.status < 0) {
			t.Fatalf("%+v", c)
		}
	})
}

// fetcherOf returns a Fetcher for an archive that is open.
func fetcherOf(src *warc.Source) *Fetcher { return &Fetcher{src: src} }

// An index names the method of a request, or has it in the key; answers to forms are no pages.
func TestCDXMethod(t *testing.T) {
	for line, want := range map[string]bool{
		`org,a)/f 2020 {"url": "http://a.org/f", "method": "POST", "offset": "7", "filename": "a.warc.gz"}`:    true,
		`org,a)/f?__wb_method=post&q=1 2020 {"url": "http://a.org/f", "offset": "7", "filename": "a.warc.gz"}`: true,
		`org,a)/f 2020 {"url": "http://a.org/f", "method": "GET", "offset": "7", "filename": "a.warc.gz"}`:     false,
		`org,a)/f 2020 {"url": "http://a.org/f", "offset": "7", "filename": "a.warc.gz"}`:                      false,
	} {
		if c, err := parseCDX(line, ""); err != nil || c.post != want {
			t.Errorf("%s: post is %v, %v", line, c.post, err)
		}
	}
}
