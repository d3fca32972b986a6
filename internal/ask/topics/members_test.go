package topics

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestMembersOf checks that the members found from the center are those that name it as their center.
func TestMembersOf(t *testing.T) {
	for _, name := range []string{"web", "paper2000"} {
		r := runtest.Opened(t, runtest.Preset(t, name), runtest.SamplePages(t, 60))
		want := map[uint32][]uint32{}
		for id, center := range r.Clusters.Centers() {
			want[center] = append(want[center], uint32(id))
		}
		several := 0
		for center, members := range want {
			if got := membersOf(r, center); !slices.Equal(got, members) {
				t.Fatalf("%s: center %d: %v, want %v", name, center, got, members)
			}
			several += min(len(members)-1, 1)
		}
		if several < 10 {
			t.Errorf("%s: %d clusters of two or more", name, several)
		}
	}
}
