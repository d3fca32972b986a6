package score

import (
	"math"
	"testing"
)

// TestScoreAnswers compares the figures with those counted by hand.
func TestScoreAnswers(t *testing.T) {
	d, err := NewDirectory([]Label{
		{"a", []string{"x", "1"}}, {"b", []string{"x", "1"}}, {"c", []string{"x", "2"}}, {"d", []string{"y"}}, {"d", []string{"z", "3"}},
	}, 2)
	if err != nil {
		t.Fatal(err)
	}
	s := d.ScoreAnswers("test", []Answered{
		{[]string{"x", "1"}, []float64{.95, .9}, 1, .9},
		{[]string{"x", "2"}, []float64{.8, .5}, 0, .8},
		{[]string{"y"}, []float64{.7}, 3, .1},
		{Nearest: -1},
	}, Options{})
	got := map[string]Figure{}
	for _, n := range s.Figures() {
		got[n.Name] = n.Figure
	}
	for name, want := range map[string]float64{
		"accuracy_1": .5, "accuracy_2": .25, "nearest_1": .5, "nearest_2": .5, "majority_1": .75, "majority_2": .5,
		"chance_1": .5, "chance_2": 1. / 6, "over_1": (.95 + .8 + .7 - 2) / 3, "over_2": (1.4 - 1) / 2,
		"coverage_1_0.8": .5, "accuracy_1_0.8": 1, "nearest_1_0.8": 1, "coverage_1_0.7": .75, "accuracy_1_0.7": 2. / 3, "nearest_1_0.7": 2. / 3,
		"coverage_2_0.9": .25, "accuracy_2_0.9": 1, "coverage_2_0.95": 0, "ece_1": (.05 + .2 + .7) / 3,
	} {
		if math.Abs(got[name].Value-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got[name].Value, want)
		}
	}
	if got["accuracy_2_0.95"].Defined() {
		t.Error("the accuracy of no answer is defined")
	}
	if s.Queries != 4 || s.Lists != 3 {
		t.Errorf("%d queries in %d lists", s.Queries, s.Lists)
	}
}
