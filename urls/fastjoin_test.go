package urls

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/klauspost/compress/gzip"

	"github.com/lshclust/lshclust/internal/shareddata"
)

// checkJoin compares fastJoin with Absolute and reports whether fastJoin returned a result.
func checkJoin(t interface{ Fatalf(string, ...any) }, base *url.URL, href string) bool {
	fast, ok := fastJoin(base, href)
	if !ok {
		return false
	}
	abs, err := Absolute(base, href)
	if err != nil {
		t.Fatalf("%q on %v: %q, but %v", href, base, fast, err)
	}
	r := DefaultRules()
	got, errGot := r.slowCanonical(fast)
	if want, err := r.slowCanonical(abs); got != want || err != errGot { //nolint:errorlint // Reasons
		t.Fatalf("%q on %v: %q, %v; slowly %q, %v", href, base, got, errGot, want, err)
	}
	return true
}

func TestFastJoin(t *testing.T) {
	piece := rapid.SampledFrom(append([]string{"../", "./", "..", ".", "/", "x", "a.html", "b c", ":", "?q=1", "#f"}, urlPieces...))
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string { return strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, name), "") }
		if base, err := Base("http://www.example.org:80/"+draw("page"), ""); err == nil {
			checkJoin(t, base, draw("href"))
		}
	})
}

func FuzzFastJoin(f *testing.F) {
	f.Add("http://example.org/a/../b/c?d", "../../x/./y")
	f.Add("https://example.org:8080/a/%2e%2e/.b//", "./.././/..")
	f.Add("https://[::1]", "#x")
	f.Add("http://example.org/%[", "")
	f.Fuzz(func(t *testing.T, page, href string) {
		if base, err := Base(page, ""); err == nil {
			checkJoin(t, base, href)
		}
	})
}

var hrefPattern = regexp.MustCompile(`href="([^"&]*)"`)

// TestFastJoinRealLinks checks that both ways of joining give the same for real links, and that nearly all relative
// links are joined by fastJoin.
func TestFastJoinRealLinks(t *testing.T) {
	f, err := os.Open(filepath.Join(shareddata.Dir(t, "docs"), "pages.jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	relative, fast := 0, 0
	for d := json.NewDecoder(z); d.More(); {
		var page struct{ URL, HTML string }
		if err := d.Decode(&page); err != nil {
			t.Fatal(err)
		}
		base, err := Base(page.URL, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range hrefPattern.FindAllStringSubmatch(page.HTML, -1) {
			href := m[1]
			if Scheme(href) != "" {
				continue
			}
			if relative++; checkJoin(t, base, href) {
				fast++
			}
		}
	}
	if t.Logf("%d relative links, %d of them fast", relative, fast); relative == 0 || fast < relative*95/100 {
		t.Errorf("only %d of %d relative links are fast", fast, relative)
	}
}
