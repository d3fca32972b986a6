package crawl_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl"
)

// A source returns records, and a record returns a page. A ledger counts what is left out.
func Example() {
	lines := `{"url": "http://www.example.org/a.html", "html": "<p>one"}
{"url": "http://example.org/b/", "text": "two"}
{"url": "http://example.org/c", "html": "cut off
`
	src, err := crawl.NewSource("pages.jsonl", strings.NewReader(lines), crawl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer src.Close()
	var left crawl.Ledger
	for rec, err := range src.Records(context.Background()) {
		var page crawl.Page
		if err == nil {
			page, err = rec.Page()
		}
		if err != nil && !left.Add(err) {
			fmt.Println(err) // the error of the context
			return
		}
		if err == nil {
			fmt.Printf("%s %s%s\n", page.Canonical, page.HTML, page.Text)
		}
	}
	for _, t := range left.Tallies() {
		fmt.Printf("%d %s, first %v\n", t.Count, t.Reason, t.Examples[0].Pos)
	}
	// Output:
	// https://example.org/a.html <p>one
	// https://example.org/b two
	// 1 bad-json, first pages.jsonl at byte 107 (record 3)
}
