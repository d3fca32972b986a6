package bags_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"pgregory.net/rapid"
)

// documents are bags with frequent hash collisions.
type documents []bags.Bag

func (d documents) Len() int              { return len(d) }
func (d documents) At(id uint32) bags.Bag { return d[id] }
func (d documents) Hash(id uint32) uint64 { return uint64(d[id].Sum() % 3) }

// Nodes are numbered in the order of their first documents, and two documents have the same node if and only if their
// bags are equal and not empty, however many hashes are equal.
func TestNodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bag := rapid.Custom(func(t *rapid.T) bags.Bag {
			b := bags.Bag{Terms: rapid.SliceOfNDistinct(rapid.Uint32Range(0, 3), 0, 2, rapid.ID[uint32]).Draw(t, "terms")}
			slices.Sort(b.Terms)
			for range b.Terms {
				b.Counts = append(b.Counts, rapid.Uint16Range(1, 2).Draw(t, "count"))
			}
			return b
		})
		docs := documents(rapid.SliceOfN(bag, 0, 30).Draw(t, "documents"))
		var wantOf, wantFirst []uint32
		seen := map[string]uint32{}
		for id, b := range docs {
			if b.Len() == 0 {
				wantOf = append(wantOf, bags.NoNode)
				continue
			}
			key := fmt.Sprint(b.Terms, b.Counts)
			if _, ok := seen[key]; !ok {
				seen[key] = uint32(len(wantFirst))
				wantFirst = append(wantFirst, uint32(id))
			}
			wantOf = append(wantOf, seen[key])
		}
		nodeOf, first := bags.Nodes(docs)
		if !slices.Equal(nodeOf, wantOf) || !slices.Equal(first, wantFirst) {
			t.Errorf("nodes %v, first %v; want %v, %v", nodeOf, first, wantOf, wantFirst)
		}
	})
}
