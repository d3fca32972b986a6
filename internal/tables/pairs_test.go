package tables

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/center"
	"pgregory.net/rapid"
)

// TestPackedPairs checks that lists of neighbours are read as they were written: with the similarities of bags, which
// are fractions, and with any other number.
func TestPackedPairs(t *testing.T) {
	const nodes, sum = 5000, 1000
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		w := CreatePairs(filepath.Join(dir, "pairs"), sum)
		want := map[uint32][]center.Edge{}
		pairs := 0
		for _, node := range rapid.SliceOfNDistinct(rapid.Uint32Range(0, 9), 0, 5, rapid.ID).Draw(t, "nodes") {
			want[node] = nil
		}
		for node := range uint32(10) {
			if _, ok := want[node]; !ok {
				continue
			}
			block := NewPairsBlock(sum)
			to := uint32(0)
			for range rapid.IntRange(0, 40).Draw(t, "neighbours") {
				e := center.Edge{To: to + uint32(rapid.IntRange(1, 100).Draw(t, "gap"))}
				if total := sum * rapid.IntRange(1, 4).Draw(t, "fields of both"); total > sum {
					common := rapid.IntRange(0, total/2).Draw(t, "common")
					e.Similarity = float32(float64(common) / float64(total-common))
				} else {
					e.Similarity = rapid.Float32().Draw(t, "similarity")
				}
				to = e.To
				want[node] = append(want[node], e)
			}
			block.Add(node, want[node])
			pairs += block.Len()
			w.AddBlock(block)
		}
		if err := w.Close(nodes); err != nil {
			t.Fatal(err)
		}
		p, err := OpenPairs(filepath.Join(dir, "pairs"))
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for node := range uint32(10) {
			if d := cmp.Diff(want[node], p.Neighbours(node)); d != "" {
				t.Fatalf("node %d: %s", node, d)
			}
		}
		if p.Len() != nodes || p.Count() != pairs/2 || p.Err() != nil {
			t.Errorf("%d nodes, %d pairs, %v", p.Len(), p.Count(), p.Err())
		}
	})
}

// TestPackedSimilarity checks that a similarity of bags takes no more bits than what the two have in common.
func TestPackedSimilarity(t *testing.T) {
	for total := uint64(2000); total <= 4000; total += 1000 {
		for common := range total/2 + 1 {
			s := float32(float64(common) / float64(total-common))
			if packed := packSimilarity(s, 1000); packed > (total/2)<<2|2 || unpackSimilarity(packed, 1000) != s {
				t.Fatalf("%d of %d: %d", common, total, packed)
			}
		}
	}
}
