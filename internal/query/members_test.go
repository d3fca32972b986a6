package query

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
)

// TestClusterByID checks that every cluster is found by its id, that its members can be listed in portions, and that
// other ids are refused.
func TestClusterByID(t *testing.T) {
	r := opened(t, preset(t, "web"), copies(samplePages(t, 40)))
	topical, syntactic := 0, 0
	for id := range uint32(r.Len()) {
		want, err := r.TopicalCluster(id)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.TopicalClusterByID(want.ID)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %v, want %v", got, err, want)
		}
		var members []TopicalMember
		for skip := 0; skip < got.Size; skip += 2 {
			members = append(members, r.TopicalMembers(got, skip, 2)...)
		}
		if !reflect.DeepEqual(members, r.TopicalMembers(want, 0, want.Size)) {
			t.Fatalf("cluster %s by pages of two: %v", want.ID, members)
		}
		topical = max(topical, want.Size)
		if !r.Document(id).Crawled {
			continue
		}
		all, err := r.SyntacticCluster(id)
		if err != nil {
			t.Fatal(err)
		}
		one, err := r.SyntacticClusterByID(all.ID)
		whole, some := r.SyntacticMembers(all, 0, all.Size), r.SyntacticMembers(one, 1, 1)
		if err != nil || one.Size != all.Size || len(whole) != all.Size || len(some) != min(1, all.Size-1) || len(some) > 0 && some[0] != whole[1] {
			t.Fatalf("%v, %v, %v, want the second of %v", one, some, err, whole)
		}
		syntactic = max(syntactic, all.Size)
	}
	if topical < 2 || syntactic < 2 {
		t.Errorf("the largest clusters have %d and %d documents", topical, syntactic)
	}
	for _, id := range []string{"", "x", "0123456789abcdef", "0123456789abcdef0", fmt.Sprintf("%016X.1", 0)} {
		_, a := r.TopicalClusterByID(id)
		_, b := r.SyntacticClusterByID(id)
		if !errors.Is(a, ErrNoCluster) || !errors.Is(b, ErrNoCluster) {
			t.Errorf("%q: %v, %v", id, a, b)
		}
	}
}

// TestMembersOf checks that the members found from the center are those that name it as their center.
func TestMembersOf(t *testing.T) {
	for _, name := range []string{"web", "paper2000"} {
		r := opened(t, preset(t, name), samplePages(t, 60))
		want := map[uint32][]uint32{}
		for id, center := range r.TopicalCenters() {
			want[center] = append(want[center], uint32(id))
		}
		several := 0
		for center, members := range want {
			if got := r.membersOf(center); !slices.Equal(got, members) {
				t.Fatalf("%s: center %d: %v, want %v", name, center, got, members)
			}
			several += min(len(members)-1, 1)
		}
		if several < 10 {
			t.Errorf("%s: %d clusters of two or more", name, several)
		}
	}
}

// TestDuplicatesBound checks that a bound omits pages, adds none, and is reported.
func TestDuplicatesBound(t *testing.T) {
	pages := samplePages(t, 30)
	r := opened(t, preset(t, "web"), append(append(pages, copies(pages)...), copies(pages)...))
	bounded := 0
	for id := range uint32(r.Len()) {
		all, _, err := r.Duplicates(id, math.MaxInt)
		if err != nil {
			continue // it was not crawled
		}
		for most := range len(all) + 2 {
			some, whole, err := r.Duplicates(id, most)
			if err != nil || whole != (most >= len(all)) || len(some) != min(most, len(all)) {
				t.Fatalf("at most %d of %d: %d, %v, %v", most, len(all), len(some), whole, err)
			}
			for _, d := range some {
				if !slices.Contains(all, d) {
					t.Fatalf("%v is not in %v", d, all)
				}
			}
			if !whole {
				bounded++
			}
		}
	}
	if bounded < 10 {
		t.Errorf("%d bounded answers", bounded)
	}
}
