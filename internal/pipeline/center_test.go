package pipeline_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
)

// TestCenterOfRun checks the promises of CENTER on the tables of a real run, in each order, with an independent
// reader.
func TestCenterOfRun(t *testing.T) {
	for _, order := range center.Orders {
		c, dir := topicalOf(t, "web"), sampleRun(t).dir
		if order != c.Order {
			c.Order = order
			dir, _ = cluster(t, c, pipeline.Options{}, sampleRun(t).in)
		}
		m, err := run.Open(dir)
		must(t, err)
		table, err := tables.OpenClusters(filepath.Join(dir, tables.ClustersFile))
		must(t, err)
		defer table.Close()
		nodes, err := tables.OpenNodes(filepath.Join(dir, tables.NodesFile))
		must(t, err)
		defer nodes.Close()
		pairs, err := tables.OpenPairs(filepath.Join(dir, tables.PairsFile))
		must(t, err)
		defer pairs.Close()
		tabs := clusters.Tables{Nodes: nodes, Pairs: pairs}
		if want, _ := tabs.Spread(tabs.Centers(order, float32(c.Threshold))); !slices.Equal(table.Centers(), want) {
			t.Errorf("%s: the table has the centers %v, want %v", order, table.Centers(), want)
		}
		g := graph{nodes, pairs, float32(c.Threshold)}
		size := map[uint32]int{}
		for id := range uint32(table.Len()) {
			of, s := table.Center(id)
			size[of]++
			if own, _ := table.Center(of); own != of {
				t.Errorf("%s: the center %d of document %d has the center %d", order, of, id, own)
			}
			if of != id {
				if e, ok := g.edge(id, of); !ok || e != s {
					t.Errorf("%s: document %d has similarity %v to its center %d; edge %v, %v", order, id, s, of, e, ok)
				}
			}
		}
		if table.Len() != int(m.Manifest.Counts["documents"]) || len(size) != int(m.Manifest.Counts["topical_clusters"]) || len(size) == table.Len() {
			t.Errorf("%s: %d documents in %d clusters, the manifest says %v", order, table.Len(), len(size), m.Manifest.Counts)
		}
		if order == "id" {
			g.holdIDOrder(t, table)
		}
		for of, n := range size {
			if n > 1 && len(table.Label(of)) == 0 {
				t.Errorf("%s: the cluster of document %d has no label", order, of)
			}
		}
	}
}

// graph holds the documents with their edges at the threshold.
type graph struct {
	nodes     *tables.Nodes
	pairs     *tables.Pairs
	threshold float32
}

// edge is the similarity of two documents that have an edge.
func (g graph) edge(a, b uint32) (float32, bool) {
	x, y := g.nodes.Of(a), g.nodes.Of(b)
	if x == tables.None || y == tables.None {
		return 0, false
	}
	if x == y {
		return 1, true
	}
	i := slices.IndexFunc(g.pairs.Neighbours(x), func(e center.Edge) bool { return e.To == y })
	if i < 0 {
		return 0, false
	}
	s := g.pairs.Neighbours(x)[i].Similarity
	return s, s >= g.threshold
}

// holdIDOrder checks that no two centers share an edge, and that a document belongs to the first of the centers with
// which it has an edge.
func (g graph) holdIDOrder(t *testing.T, table *tables.Clusters) {
	members := 0
	for id := range uint32(table.Len()) {
		of, _ := table.Center(id)
		for other := range uint32(table.Len()) {
			if o, _ := table.Center(other); o != other || other == id {
				continue
			}
			if _, ok := g.edge(id, other); ok && (of == id || other < of) {
				t.Errorf("document %d has an edge to center %d, and belongs to %d", id, other, of)
			}
		}
		if of != id {
			members++
		}
	}
	if members < 30 {
		t.Errorf("%d members of clusters are too few to say anything", members)
	}
}
