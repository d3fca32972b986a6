package score_test

import (
	"fmt"

	"github.com/lshclust/lshclust/lab/score"
)

// fruit is a directory of five URLs.
func fruit() *score.Directory {
	var labels []score.Label
	for _, l := range [][2]string{{"apple", "Fruit"}, {"pear", "Fruit"}, {"plum", "Fruit"}, {"saddle", "Bicycles"}, {"spoke", "Bicycles"}} {
		labels = append(labels, score.Label{URL: "https://" + l[0] + ".example", Path: []string{l[1]}})
	}
	d, err := score.NewDirectory(labels, 1)
	if err != nil {
		panic(err)
	}
	return d
}

// The nearest neighbours of apple, pear and saddle are in their categories; plum has a wrong one and spoke none.
func ExampleDirectory_ScoreRanking() {
	d := fruit()
	r := score.Ranking{Name: "example", Lists: [][]score.Neighbour{
		{{Target: 1, Similarity: .9}}, {{Target: 0, Similarity: .9}}, {{Target: 3, Similarity: .2}},
		{{Target: 4, Similarity: .5}, {Target: 2, Similarity: .2}}, nil,
	}}
	s := d.ScoreRanking(r, score.Options{})
	fmt.Printf("coverage %.2f, same category %.2f, by chance %.2f\n", s.Coverage.Value, s.Levels[0].Hit.Value, s.Levels[0].Chance.Value)
	// Output: coverage 0.80, same category 0.60, by chance 0.40
}
