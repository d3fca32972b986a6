package topics

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestReclusterTopical checks that with the settings of the run the clusters are those of the run, including labels,
// and that at a higher threshold each member still has a stored pair with its center.
func TestReclusterTopical(t *testing.T) {
	for _, order := range center.Orders {
		c := runtest.Preset(t, "web")
		c.Order, c.Views, c.Threshold = order, []string{"topical"}, .2
		r := runtest.Opened(t, c, runtest.SamplePages(t, 60))
		want, err := Clusters(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Recluster(r, .2, order)
		if err != nil {
			t.Fatal(err)
		}
		if err := LabelClusters(t.Context(), r, got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, cmp.AllowUnexported(TopicalCluster{}), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("order %s: other clusters than those of the run: %s", order, d)
		}
		higher, err := Recluster(r, .4, order)
		if err != nil || len(higher) == 0 {
			t.Fatalf("order %s: %d clusters, %v", order, len(higher), err)
		}
		for _, cluster := range higher {
			for _, m := range Members(r, cluster, 0, cluster.Size) {
				near := Related(r, m.ID, Lookup{Top: r.Len(), Stored: true})
				i := slices.IndexFunc(near, func(n Neighbour) bool { return n.ID == cluster.Center })
				if m.ID != cluster.Center && (i < 0 || near[i].Similarity < .4 || near[i].Similarity != m.Similarity) {
					t.Errorf("order %s: %d is not near its center %d", order, m.ID, cluster.Center)
				}
			}
		}
		for _, bad := range []float64{c.Similarity / 2, 1.1} {
			if _, err := Recluster(r, bad, order); err == nil {
				t.Errorf("threshold %g: no error", bad)
			}
		}
		if _, err := Recluster(r, .4, "random"); err == nil {
			t.Error("order random: no error")
		}
	}
}
