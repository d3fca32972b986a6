package anchors

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// The sources of a group are the distinct pages with a link to the target, ascending and InLinks in number, whether the
// records fit into memory or not.
func TestSources(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := map[string]map[uint64]bool{}
		var records []Record
		for i := range rapid.IntRange(1, 60).Draw(t, "records") {
			url := rapid.StringMatching("[a-d]").Draw(t, "target")
			r := link(url, uint64(url[0]/2), rapid.Uint64Range(0, 9).Draw(t, "source"), 0, "")
			r.Kind, r.Capture = rapid.SampledFrom([]Kind{OfPage, OfLink, OfSource, OfLinkRow}).Draw(t, "kind"), uint64(i%20)
			if !r.Kind.IsLink() {
				r.Source = r.TargetHash << 8
			}
			records = append(records, r)
			if want[url] == nil {
				want[url] = map[uint64]bool{}
			}
			if r.Kind.IsLink() && r.Capture != 7 && url != "c" {
				want[url][r.Source] = true
			}
		}
		by := Grouping{
			Superseded: func(c uint64) bool { return c == 7 },
			Redirected: func(_ uint64, url []byte) bool { return string(url) == "c" },
		}
		err := by.Groups(bucketOf(records...), func(g *Group) error {
			got := slices.Collect(g.Sources())
			if d := cmp.Diff(slices.Sorted(maps.Keys(want[string(g.URL)])), got, cmpopts.EquateEmpty()); d != "" || uint64(len(got)) != g.InLinks {
				t.Errorf("%s, linked from %d pages: %s", g.URL, g.InLinks, d)
			}
			for range g.Sources() {
				break
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
