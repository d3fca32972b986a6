package score

import (
	"fmt"
	"testing"
)

// A neighbour is kept if it is the nearest of the target, or if the target is the nearest of it.
func TestNearestOfEither(t *testing.T) {
	r := Ranking{Lists: [][]Neighbour{{{1, .9}, {2, .5}, {3, .1}}, {{0, .9}, {2, .3}}, {{0, .5}, {1, .3}}, {{0, .1}}}}
	got := fmt.Sprint(r.NearestOfEither(1).Lists)
	if want := "[[{1 0.9} {2 0.5} {3 0.1}] [{0 0.9}] [{0 0.5}] [{0 0.1}]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
