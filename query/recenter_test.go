package query

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/center"
)

// TestRecenter: at the threshold of the run the clusters are those of the run, in every order; at a higher one each
// member still has a stored pair with its center.
func TestRecenter(t *testing.T) {
	for _, order := range []center.Order{center.ByID, center.ByDegree, center.BySimilarity} {
		c := preset(t, "web")
		c.Order, c.Views, c.Threshold = order, []string{"topical"}, .2
		r := opened(t, c, samplePages(t, 60))
		got, err := r.Recenter(.2)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, r.Centers()) {
			t.Errorf("order %s: other clusters than those of the run", order)
		}
		higher, err := r.Recenter(.4)
		if err != nil {
			t.Fatal(err)
		}
		joined := 0
		for id, of := range higher {
			if of == uint32(id) {
				continue
			}
			joined++
			near := r.Related(uint32(id), r.Len())
			if i := slices.IndexFunc(near, func(n Neighbour) bool { return n.ID == of }); i < 0 || near[i].Similarity < .4 {
				t.Errorf("order %s: %d is not near its center %d", order, id, of)
			}
		}
		if joined == 0 {
			t.Errorf("order %s: no clusters", order)
		}
		for _, bad := range []float64{c.Similarity / 2, 1.1} {
			if _, err := r.Recenter(bad); err == nil {
				t.Errorf("threshold %g: no error", bad)
			}
		}
	}
}
