package tune_test

import (
	"fmt"

	"github.com/lshclust/lshclust/tune"
)

// A set of 10,000 documents, of which 100 were compared with all others: each has 5 documents of similarity 0.4 and 200
// of similarity 0.05. The cheapest index that finds 95 % of the pairs of similarity 0.3 and above has
// almost no other survivors.
func Example() {
	set := tune.NewSimilarities(10_000)
	for range 100 {
		var similar []float64
		for i := range 205 {
			if i < 5 {
				similar = append(similar, 0.4)
			} else {
				similar = append(similar, 0.05)
			}
		}
		set.Add(similar)
	}
	model := tune.Model{Similarities: set, Rates: tune.DefaultRates}
	best := model.Tune(tune.Goal{Recall: 0.95, At: 0.3, Signatures: []int{80}})[0]
	fmt.Printf("k=%d l=%d floor %.3f\n", best.K, best.L, best.Floor)
	fmt.Printf("recall %.3f, %.0f of %.0f candidates survive\n", best.Recall.Value, best.Survivors.Value, best.Candidates.Value)
	// Output:
	// k=2 l=21 floor 0.275
	// recall 0.954, 23839 of 74039 candidates survive
}
