package browser

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
)

// maxUnexplained bounds the words and links of TestLongAgainstBrowser that no class explains: room for what the next
// release of the browser does in another way.
const maxUnexplained = 20

// start opens the browser with so many tabs. Where there is none the test is skipped, but with CI=true it fails.
func start(t *testing.T, tabs int) (*Browser, []*Tab) {
	t.Helper()
	path, err := Path()
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	b, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	all := make([]*Tab, tabs)
	for i := range all {
		if all[i], err = b.Tab(); err != nil {
			t.Fatal(err)
		}
	}
	return b, all
}

// show loads the pages in tabs side by side.
func show(t *testing.T, tabs []*Tab, pages []sample) []*View {
	t.Helper()
	views, next, work := make([]*View, len(pages)), make(chan int), sync.WaitGroup{}
	for _, tab := range tabs {
		work.Go(func() {
			for i := range next {
				v, err := tab.Show(pages[i].Page)
				if err != nil {
					t.Error(err)
				}
				views[i] = v
			}
		})
	}
	for i := range pages {
		next <- i
	}
	close(next)
	work.Wait()
	return views
}

// compare reads the pages both ways.
func compare(t *testing.T, pages []sample, read func(crawl.Page) *ours) *comparison {
	t.Helper()
	b, tabs := start(t, 2)
	version, err := b.Version()
	if err != nil {
		t.Fatal(err)
	}
	c := &comparison{}
	for i, v := range show(t, tabs, pages) {
		page, ok := pages[i].read(t)
		if !ok || v == nil {
			continue
		}
		o := read(page)
		c.charset(v, o)
		if takenForAnother(v, page) { // what it reads when it is told
			told := pages[i].Page
			told.ContentType = "text/html; charset=utf-8"
			if v, err = tabs[0].Show(told); err != nil {
				t.Fatal(err)
			}
		}
		c.page(v, o)
	}
	var table strings.Builder
	fmt.Fprintf(&table, "%s\n%d pages: words as on screen on %d, as in the tree by our rules on %d, links on %d\n", version, c.pages, c.screenPages, c.textPages, c.linkPages)
	fmt.Fprintf(&table, "%d words on screen, %d of them ours in the same order; %d links, %d equal; %d differences unexplained\n", c.screen, c.shared, c.links, c.equalLinks, c.unexplained)
	c.Print(&table)
	t.Log("\n" + table.String())
	for _, what := range []string{"innerText", "charset", "text", "cut", "links", "anchor", "URL", "base", "lang", "title"} {
		for _, e := range c.Examples("UNEXPLAINED " + what) {
			t.Logf("%s: %.600s", what, e)
		}
	}
	return c
}

func reader(t *testing.T) func(crawl.Page) *ours {
	t.Helper()
	vocabulary, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
	if err != nil {
		t.Fatal(err)
	}
	parser := &text.Parser{Vocabulary: vocabulary}
	return func(page crawl.Page) *ours { return read(parser, page) }
}

// TestLongAgainstBrowser holds words, links, title, base, language and charset of some hundred real pages against those of
// a browser. Every difference is of a class that a rule recognises.
func TestLongAgainstBrowser(t *testing.T) {
	c := compare(t, samples(t), reader(t))
	if c.pages < 400 {
		t.Errorf("%d pages, fewer than 400", c.pages)
	}
	if c.unexplained > maxUnexplained {
		t.Errorf("%d differences that nothing explains, more than %d", c.unexplained, maxUnexplained)
	}
}

// TestOddAgainstBrowser does so for constructs that parsers differ over; they show every class of words and links.
func TestOddAgainstBrowser(t *testing.T) {
	var pages []sample
	for i, o := range odd {
		p := Page{fmt.Sprintf("http://odd.example/%d/%s", i, strings.ReplaceAll(o.name, " ", "-")), "text/html; charset=utf-8", []byte(o.html)}
		if strings.HasPrefix(o.name, "charset") {
			p.ContentType = "text/html"
		}
		pages = append(pages, sample{p, "odd", record(p.URL, httpResponse(p.ContentType, p.Body))})
	}
	c := compare(t, pages, reader(t))
	if c.unexplained > 0 {
		t.Errorf("%d differences that nothing explains", c.unexplained)
	}
	if c.pages != len(odd) {
		t.Errorf("%d of %d pages were read", c.pages, len(odd))
	}
	for _, class := range classes {
		if c.Count(class) == 0 {
			t.Errorf("no page shows the class %q", class)
		}
	}
}

func TestSamples(t *testing.T) {
	sets := map[string]int{}
	for _, s := range samples(t) {
		sets[s.set]++
	}
	for _, set := range []string{"directory", "docs", "recoded", "versions-hugo", "versions-llvm", "warc"} {
		if sets[set] == 0 {
			t.Errorf("no page of %s", set)
		}
	}
	t.Log(sets)
}

// TestDeadTab crashes tabs. A new tab shows the next page.
func TestDeadTab(t *testing.T) {
	_, tabs := start(t, 2)
	for i, tab := range tabs {
		page := Page{fmt.Sprintf("http://dead.example/%d", i), "text/html", []byte("<title>alive</title>")}
		if _, err := tab.Show(page); err != nil {
			t.Fatal(err)
		}
		// The browser does not answer for a tab that crashes, so calls end with their time limits. The new tab has that of
		// the old one.
		tab.limit = 30 * time.Second
		ctx, cancel := context.WithTimeout(tab.ctx, time.Second)
		if err := chromedp.Do(ctx, chromedp.Navigate("chrome://crash")); err == nil {
			t.Error("a tab that crashed answers")
		}
		cancel()
		v, err := tab.Show(page)
		if err != nil {
			t.Fatal(err)
		}
		if v.Title != "alive" {
			t.Errorf("title %q", v.Title)
		}
	}
}
