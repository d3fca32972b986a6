package ask

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// TestClusterByID checks that every cluster is found by its id, that its members can be listed in portions, and that
// other ids are refused.
func TestClusterByID(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40)))
	topical, syntactic := 0, 0
	for id := range uint32(r.Len()) {
		want, err := topics.ClusterOf(r, id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := topics.ClusterByID(r, want.ID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
		var members []topics.TopicalMember
		for skip := 0; skip < got.Size; skip += 2 {
			members = append(members, topics.Members(r, got, skip, 2)...)
		}
		if !reflect.DeepEqual(members, topics.Members(r, want, 0, want.Size)) {
			t.Fatalf("cluster %s by pages of two: %v", want.ID, members)
		}
		topical = max(topical, want.Size)
		if !r.Document(id).Crawled {
			continue
		}
		all, err := texts.ClusterOf(r, id)
		if err != nil {
			t.Fatal(err)
		}
		one, err := texts.ClusterByID(r, all.ID)
		whole, some := texts.Members(r, all, 0, all.Size), texts.Members(r, one, 1, 1)
		if err != nil || one.Size != all.Size || len(whole) != all.Size || len(some) != min(1, all.Size-1) || len(some) > 0 && some[0] != whole[1] {
			t.Fatalf("%v, %v, %v, want the second of %v", one, some, err, whole)
		}
		syntactic = max(syntactic, all.Size)
	}
	if topical < 2 || syntactic < 2 {
		t.Errorf("the largest clusters have %d and %d documents", topical, syntactic)
	}
	for _, id := range []string{"", "x", "0123456789abcdef", "0123456789abcdef0", fmt.Sprintf("%016X.1", 0)} {
		_, a := topics.ClusterByID(r, id)
		_, b := texts.ClusterByID(r, id)
		if !errors.Is(a, runs.ErrNoCluster) || !errors.Is(b, runs.ErrNoCluster) {
			t.Errorf("%q: %v, %v", id, a, b)
		}
	}
}
