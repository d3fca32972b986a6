package classify_test

import (
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/topic/classify"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// Four labelled documents, and one to classify by them. Terms are numbers: 1 and 2 stand for databases, 7 for editors.
func Example() {
	examples := inverted.List{
		{Terms: []uint32{1, 2}, Counts: []uint16{6, 4}},
		{Terms: []uint32{1, 3}, Counts: []uint16{5, 5}},
		{Terms: []uint32{2, 4}, Counts: []uint16{2, 8}},
		{Terms: []uint32{3, 7}, Counts: []uint16{1, 9}},
	}
	tree := classify.NewExamples([][][]string{
		{{"databases", "embedded"}}, {{"databases", "embedded"}}, {{"databases", "servers"}}, {{"editors"}},
	}, 2)
	document := bags.Bag{Terms: []uint32{1, 3}, Counts: []uint16{7, 3}}
	var near []classify.Neighbour
	for _, h := range inverted.Of(examples, 10).Nearest(nil, document, inverted.Options{Top: classify.K}) {
		near = append(near, classify.Neighbour{Example: int32(h.Node), Similarity: h.Similarity})
		fmt.Printf("%.2f %s\n", h.Similarity, strings.Join(tree.Paths(int32(h.Node))[0], "/"))
	}
	for _, l := range tree.Vote(near) {
		fmt.Printf("%.2f of the votes for %s\n", l.Share, strings.Join(tree.Path(l.Category), "/"))
	}
	// Output:
	// 0.67 databases/embedded
	// 0.43 databases/embedded
	// 0.05 editors
	// 1.00 of the votes for databases
	// 1.00 of the votes for databases/embedded
}
