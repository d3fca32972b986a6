package sample

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const site = "https://www.postgresql.org/docs/15/"

// read returns the HTML of every page by its URL, and the URLs in the order of the file.
func read(t *testing.T) (pages map[string]string, order []string) {
	t.Helper()
	pages = map[string]string{}
	lines := bufio.NewScanner(Open())
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var page struct{ URL, HTML string }
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&page); err != nil {
			t.Fatalf("line %d: %v", len(order)+1, err)
		}
		if _, twice := pages[page.URL]; twice {
			t.Errorf("%s is there twice", page.URL)
		}
		pages[page.URL] = page.HTML
		order = append(order, page.URL)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return pages, order
}

// hrefs returns the href attributes of the a elements of a page, as written.
func hrefs(page string) (found []string) {
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		if tok.Type != html.StartTagToken || tok.DataAtom != atom.A {
			continue
		}
		for _, attr := range tok.Attr {
			if attr.Key == "href" {
				found = append(found, attr.Val)
			}
		}
	}
	return found
}

func TestPages(t *testing.T) {
	pages, order := read(t)
	if len(pages) != 1144 {
		t.Errorf("%d pages, the package comment says 1,144", len(pages))
	}
	if len(Pages()) > 2<<20 {
		t.Errorf("%d bytes packed, more than 2 MB", len(Pages()))
	}
	for i, u := range order {
		if !strings.HasPrefix(u, site) || !strings.HasSuffix(u, ".html") {
			t.Errorf("%s is not the URL of a page of the manual", u)
		}
		if i > 0 && u <= order[i-1] {
			t.Errorf("%s comes after %s", u, order[i-1])
		}
		if page := pages[u]; !strings.HasPrefix(page, "<?xml") || !strings.HasSuffix(page, "</body></html>") {
			t.Errorf("%s is not a whole page", u)
		}
	}
}

func TestNavigationIsCut(t *testing.T) {
	pages, _ := read(t)
	for u, page := range pages {
		for _, mark := range []string{"navheader", "navfooter", "accesskey", `rel="prev"`, `rel="next"`} {
			if strings.Contains(page, mark) {
				t.Errorf("%s still holds %s", u, mark)
			}
		}
	}
}

// TestLinks checks that relative links between the pages resolve, and that there are enough of them to cluster the
// pages. Only targets that were left out on purpose are missing.
func TestLinks(t *testing.T) {
	pages, order := read(t)
	sources := map[string]map[string]bool{} // by page that is linked from others
	links := 0
	for _, from := range order {
		base, err := url.Parse(from)
		if err != nil {
			t.Fatal(err)
		}
		for _, href := range hrefs(pages[from]) {
			ref, err := url.Parse(href)
			if err != nil {
				t.Errorf("%s: %v", from, err)
				continue
			}
			if ref.IsAbs() {
				if strings.HasPrefix(href, site) {
					t.Errorf("%s: link within the manual %q is not relative", from, href)
				}
				continue
			}
			target := base.ResolveReference(ref)
			target.Fragment = ""
			to := target.String()
			if _, ok := pages[to]; !ok && !isLeftOut(to) {
				t.Errorf("%s: link %q leads to no page", from, href)
			}
			if to == from {
				continue
			}
			links++
			if sources[to] == nil {
				sources[to] = map[string]bool{}
			}
			sources[to][from] = true
		}
	}
	if links < 6*len(pages) {
		t.Errorf("%d links to other pages, fewer than 6 a page", links)
	}
	well := 0
	histogram := make([]int, 21) // pages by the number of pages that link to them; the last stands for 20 and more
	for _, u := range order {
		n := len(sources[u])
		histogram[min(n, 20)]++
		if n >= 3 {
			well++
		}
	}
	if well != 719 {
		t.Errorf("%d pages are linked from three others or more, the package comment says 719", well)
	}
	t.Logf("%d links; pages linked from 0, 1, 2 ... 20 or more others: %v", links, histogram)
}

// isLeftOut repeats leftOut of make.go.
func isLeftOut(u string) bool {
	name := strings.TrimPrefix(u, site)
	return name == "index.html" || name == "bookindex.html" || strings.HasPrefix(name, "release")
}

// TestPagesAreWhatOpenReads decompresses Pages as a reader of files would.
func TestPagesAreWhatOpenReads(t *testing.T) {
	dec, err := zstd.NewReader(bytes.NewReader(Pages()))
	if err != nil {
		t.Fatal(err)
	}
	defer dec.Close()
	packed, err := io.ReadAll(dec)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := io.ReadAll(Open())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(packed, opened) {
		t.Error("Pages and Open differ")
	}
}

func TestPagesIsACopy(t *testing.T) {
	Pages()[0]++
	if _, order := read(t); len(order) == 0 {
		t.Error("a change to Pages has reached Open")
	}
}

func TestNoticeIsThatOfTheManual(t *testing.T) {
	pages, _ := read(t)
	notice, err := os.ReadFile("COPYRIGHT")
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(strings.Fields(string(notice)), " ")
	for _, want := range []string{
		"Portions Copyright © 1996-2026, PostgreSQL Global Development Group",
		"Portions Copyright © 1994, The Regents of the University of California",
		"provided that the above copyright notice and this paragraph and the following two paragraphs appear in all copies.",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the notice does not say %q", want)
		}
		if !strings.Contains(strings.Join(strings.Fields(pages[site+"legalnotice.html"]), " "), want) {
			t.Errorf("the manual does not say %q", want)
		}
	}
}
