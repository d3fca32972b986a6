package query

import (
	"slices"
	"testing"
)

func TestChangeCounts(t *testing.T) {
	c := NewChangeCounts()
	for _, p := range []ChangedPage{
		{URL: "https://a.example", Change: Same, Resemblance: 1},
		{URL: "https://a.example/page", Change: Edited, Resemblance: 0.99},
		{URL: "https://a.example/docs/page", Change: Rewritten},
		{URL: "https://a.example/docs/other/page", Change: GonePage},
		{URL: "https://b.example/blog/post", Change: MovedAway, Resemblance: 1},
	} {
		c.Add(p)
	}
	if c.Pages != [len(Changes)]int{1, 1, 1, 1, 1, 0} || c.There() != 3 {
		t.Errorf("%v, %d there", c.Pages, c.There())
	}
	if want := []string{"a.example/docs/", "a.example/", "b.example/blog/"}; !slices.Equal(c.Busiest(), want) {
		t.Errorf("folders %v, want %v", c.Busiest(), want)
	}
	if c.Resemblance != [ResemblanceBins + 1]int{0: 1, 9: 1, 10: 1} {
		t.Errorf("resemblance %v", c.Resemblance)
	}
}
