package query

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lshclust/lshclust/center"
)

// TestReclusterTopical checks that with the settings of the run the clusters are those of the run, including labels,
// and that at a higher threshold each member still has a stored pair with its center.
func TestReclusterTopical(t *testing.T) {
	for _, order := range center.Orders() {
		c := preset(t, "web")
		c.Order, c.Views, c.Threshold = order, []string{"topical"}, .2
		r := opened(t, c, samplePages(t, 60))
		want, err := r.TopicalClusters()
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.ReclusterTopical(.2, order)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.LabelTopicalClusters(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(TopicalCluster{}), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("order %s: other clusters than those of the run: %s", order, d)
		}
		higher, err := r.ReclusterTopical(.4, order)
		if err != nil || len(higher) == 0 {
			t.Fatalf("order %s: %d clusters, %v", order, len(higher), err)
		}
		for _, cluster := range higher {
			for _, m := range r.TopicalMembers(cluster, 0, cluster.Size) {
				near := r.Related(m.ID, Lookup{Top: r.Len(), Stored: true})
				i := slices.IndexFunc(near, func(n Neighbour) bool { return n.ID == cluster.Center })
				if m.ID != cluster.Center && (i < 0 || near[i].Similarity < .4 || near[i].Similarity != m.Similarity) {
					t.Errorf("order %s: %d is not near its center %d", order, m.ID, cluster.Center)
				}
			}
		}
		for _, bad := range []float64{c.Similarity / 2, 1.1} {
			if _, err := r.ReclusterTopical(bad, order); err == nil {
				t.Errorf("threshold %g: no error", bad)
			}
		}
		if _, err := r.ReclusterTopical(.4, "random"); err == nil {
			t.Error("order random: no error")
		}
	}
}
