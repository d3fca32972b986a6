package ask_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/lshclust/lshclust"
	"github.com/lshclust/lshclust/ask"
)

// The first crawl has pages that link to pages about pears and about vehicles, and pages with similar texts. In the
// second one the page about pears has moved.
const (
	links = `{"url": "https://a.example/", "html": "<p>Good <a href='https://pear.example/'>pear cake recipe</a><p>A <a href='https://tart.example/'>pear tart recipe</a>"}
{"url": "https://b.example/", "html": "<p>Try the <a href='https://pear.example/'>sweet pear cake</a><p>Bake this <a href='https://tart.example/'>sweet pear tart</a>"}
{"url": "https://c.example/", "html": "<p>The <a href='https://car.example/'>electric car review</a><p>An <a href='https://van.example/'>electric van review</a>"}
{"url": "https://d.example/", "html": "<p>Read an <a href='https://car.example/'>electric car test</a><p>Compare an <a href='https://van.example/'>electric van test</a>"}
{"url": "https://car.example/", "text": "The battery lasts for four hundred kilometres, and the seats are comfortable even on long journeys."}
{"url": "https://mirror.example/pear", "text": "Peel four pears, cut them into halves, mix butter with sugar and three eggs, add the flour, and bake everything for an hour until the cake is brown."}
`
	recipe   = "Peel four pears, cut them into halves, mix butter with sugar and three eggs, add the flour, and bake everything for an hour until the cake is golden."
	oldCrawl = links + `{"url": "https://pear.example/", "text": "` + recipe + `"}`
	newCrawl = links + `{"url": "https://pear.example/cake", "text": "` + recipe + `"}`
)

var (
	ctx    = context.Background()
	folder = sync.OnceValue(func() string { dir, _ := os.MkdirTemp("", "ask"); return dir })
	older  = sync.OnceValue(func() *ask.Run { return cluster("old", oldCrawl) })
	newer  = sync.OnceValue(func() *ask.Run { return cluster("new", newCrawl) })
)

// cluster builds a run of a crawl.
func cluster(name, crawl string) *ask.Run {
	pages := filepath.Join(folder(), name+".jsonl")
	if err := os.WriteFile(pages, []byte(crawl), 0o600); err != nil {
		panic(err)
	}
	run, err := lshclust.Cluster(ctx, filepath.Join(folder(), name), []string{pages}, lshclust.Options{})
	if err != nil {
		panic(err)
	}
	run.Name = name
	return run
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(folder())
	os.Exit(code)
}

func ExampleRelated() {
	found, err := ask.Related{URL: "pear.example", Window: ask.Window{Limit: 2}}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	for _, n := range found.Items {
		fmt.Printf("%s %.2f %s\n", n.URL, n.Similarity, n.Shared[:2])
	}
	// Output:
	// https://mirror.example/pear 0.50 [butter mix]
	// https://tart.example 0.27 [pear sweet]
}

func ExampleDuplicates() {
	found, err := ask.Duplicates{URL: "pear.example"}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	for _, d := range found.Items {
		fmt.Printf("%s %.2f\n", d.URL, d.Resemblance)
	}
	// Output:
	// https://mirror.example/pear 0.90
}

func ExampleSearch() {
	found, err := ask.Search{Words: "pear tart"}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Items[0].URL)
	// Output:
	// https://tart.example
}

func ExampleClusters() {
	found, err := ask.Clusters{View: "topical"}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	for _, c := range found.Items {
		members, err := ask.Members{ID: c.ID}.Ask(ctx, older())
		if err != nil {
			panic(err)
		}
		fmt.Println(c.Label, len(members.Items))
	}
	// Output:
	// pear, sweet, recipe, butter, mix 3
	// tart, pear, cake 2
	// electric, review, test, van, car 2
	// car 2
}

// ExampleBranch lists the topics at the top of the tree.
func ExampleBranch() {
	found, err := ask.Branch{}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	for _, topic := range found.Items {
		fmt.Println(topic.Label, topic.Size)
	}
	// Output:
	// pear, sweet, recipe, butter, mix 3
	// tart, pear, cake 2
	// electric, review, test, van, car 2
	// car 2
}

// ExampleQueryText asks who has a text that need not be in the run.
func ExampleQueryText() {
	found, err := ask.Defaults(ask.QueryText{Text: "Mix butter with sugar and three eggs, add the flour, and bake everything for an hour."}).Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	for _, h := range found.Items {
		fmt.Printf("%s %.2f\n", h.URL, h.ThisInOther)
	}
	// Output:
	// https://pear.example 1.00
	// https://mirror.example/pear 1.00
}

func ExampleMoved() {
	crawls, err := ask.NewCrawls(ctx, older(), newer())
	if err != nil {
		panic(err)
	}
	found, err := ask.Moved{URL: "pear.example", Limit: 1}.Ask(ctx, crawls)
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Items[0].How, found.Items[0].URL)
	// Output:
	// text https://pear.example/cake
}

// ExampleCompare compares the two views of a run.
func ExampleCompare() {
	found, err := ask.Compare{Corner: "same-text"}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Documents, "documents in both views,", len(found.Items), "pairs with the same text and different links")
	// Output:
	// 7 documents in both views, 1 pairs with the same text and different links
}

func ExampleClassify() {
	run := older()
	var examples []ask.Labelled
	for url, path := range map[string][]string{"tart.example": {"food", "cakes"}, "mirror.example/pear": {"food", "cakes"}, "car.example": {"travel", "cars"}, "van.example": {"travel", "cars"}} {
		id, err := run.Lookup(url)
		if err != nil {
			panic(err)
		}
		examples = append(examples, ask.Labelled{ID: id, Paths: [][]string{path}})
	}
	classifier, err := ask.Learn{Labelled: examples, Depth: 2}.Ask(ctx, run)
	if err != nil {
		panic(err)
	}
	found, err := ask.Classify{URL: "pear.example", ClassifyOptions: ask.ClassifyOptions{Limit: 1}}.Ask(ctx, classifier)
	if err != nil {
		panic(err)
	}
	fmt.Println(found.Near[0].URL, found.Near[0].Labels)
	// Output:
	// https://mirror.example/pear food/cakes
}

// ExampleEncoder exports an answer as CSV.
func ExampleEncoder() {
	found, err := ask.Clusters{View: "syntactic"}.Ask(ctx, older())
	if err != nil {
		panic(err)
	}
	out := ask.NewEncoder(os.Stdout, found, ask.Encoding{Format: ask.CSV})
	if err := out.Put(found); err != nil {
		panic(err)
	}
	if err := out.Close(); err != nil {
		panic(err)
	}
	// Output:
	// id,view,size,url,name,seen_url,label,crawled,hosts,host,on_host,distinct,chained,pairs,lowest_pair,diameter,diameter_most,center
	// 5c41f4280f66a959,syntactic,2,https://pear.example,pear cake recipe,https://pear.example/,,,,,,2,0,1,0.9,1,1,
}
