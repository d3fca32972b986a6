package report_test

import (
	"bytes"
	"fmt"
	"log"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/report"
)

// A page on which a person marks the one neighbour of a query.
func ExampleWriteSample() {
	s := &eval.Sample{
		Gold: "gold.tsv", Methods: []eval.SampleMethod{{Name: "anchors", Title: "Words around links"}},
		Queries: []eval.SampleQuery{{URL: "https://apple.example", Lists: []eval.SampleList{
			{Method: "anchors", Neighbours: []eval.SampleNeighbour{{Rank: 1, URL: "https://pear.example", Similarity: .8}}},
		}}},
	}
	var page bytes.Buffer
	if err := report.WriteSample(&page, s); err != nil {
		log.Fatal(err)
	}
	fmt.Println(strings.Count(page.String(), `type="radio"`), "buttons")
	// Output: 3 buttons
}
