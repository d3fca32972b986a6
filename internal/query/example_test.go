package query_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/query"
)

// crawl is seven pages as JSON Lines. Two link to pages about pears, two to pages about vehicles, and two have similar
// texts.
const crawl = `{"url": "https://a.example/", "html": "<p>Good <a href='https://pear.example/'>pear cake recipe</a><p>A <a href='https://tart.example/'>pear tart recipe</a>"}
{"url": "https://b.example/", "html": "<p>Try the <a href='https://pear.example/'>sweet pear cake</a><p>Bake this <a href='https://tart.example/'>sweet pear tart</a>"}
{"url": "https://c.example/", "html": "<p>The <a href='https://car.example/'>electric car review</a><p>An <a href='https://van.example/'>electric van review</a>"}
{"url": "https://d.example/", "html": "<p>Read an <a href='https://car.example/'>electric car test</a><p>Compare an <a href='https://van.example/'>electric van test</a>"}
{"url": "https://pear.example/", "text": "Peel four pears, cut them into halves, mix butter with sugar and three eggs, add the flour, and bake everything for an hour until the cake is golden."}
{"url": "https://mirror.example/pear", "text": "Peel four pears, cut them into halves, mix butter with sugar and three eggs, add the flour, and bake everything for an hour until the cake is brown."}
{"url": "https://car.example/", "text": "The battery lasts for four hundred kilometres, and the seats are comfortable even on long journeys."}
`

// build makes a run from the crawl and returns its path.
func build(dir string) (string, error) {
	pages, run := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	if err := os.WriteFile(pages, []byte(crawl), 0o600); err != nil {
		return "", err
	}
	c, err := config.Preset(config.DefaultPreset)
	if err != nil {
		return "", err
	}
	_, err = pipeline.Cluster(context.Background(), run, []string{pages}, c, pipeline.Options{})
	return run, err
}

// Example opens a run and asks both views about a page.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	run, err := build(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := query.Open(run)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	id, err := r.Lookup("pear.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range r.Related(id, query.Lookup{Top: 2, Stored: true}) {
		fmt.Printf("related: %s (%.2f), for %s\n", n.URL, n.Similarity, strings.Join(r.Shared(id, n.ID, query.ByBoth, 2), ", "))
	}
	duplicates, _, err := r.Duplicates(id, 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range duplicates {
		fmt.Printf("duplicate: %s (%.2f)\n", d.URL, d.Resemblance)
	}
	if err := r.Err(); err != nil {
		fmt.Println(err)
		return
	}
	// Output:
	// related: https://mirror.example/pear (0.50), for butter, mix
	// related: https://tart.example (0.27), for pear, sweet
	// duplicate: https://mirror.example/pear (0.90)
}
