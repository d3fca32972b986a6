package pipeline

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/tree"
)

func (b *build) nesting() stage {
	return stage{name: "tree", outputs: []string{tables.TreeFile}, work: b.nest, whole: true}
}

// nest joins the topical clusters level by level to a tree and labels its nodes.
func (b *build) nest(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	t, set, err := openClustering(b)
	if err != nil {
		return stats, err
	}
	flat := tables.Open(set, b.dir.Path(tables.ClustersFile), tables.OpenClusters)
	if err := set.Ready(); err != nil {
		return stats, err
	}
	defer set.Close()
	b.report.Stage("tree", "documents", int64(t.Nodes.Documents()))
	built, err := t.Tree(ctx, t.Centers(b.config.Order, float32(b.config.Threshold)), tree.Config{
		Thresholds: b.config.Tree, Order: b.config.Order, Workers: b.workers, Edges: int(b.memory / 4 / tree.EdgeBytes),
	})
	if err != nil {
		return stats, err
	}
	f := t.Forest(built)
	w, err := tables.CreateTree(b.dir.Temp(tables.TreeFile), f.LeafOf)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	if err := b.writeTree(ctx, t, f, flat, w); err != nil {
		return stats, err
	}
	countTree(f, &stats)
	return stats, w.Close()
}

// countTree counts the nodes.
func countTree(f *topical.Forest, stats *run.StageStats) {
	stats.Out = int64(f.Len())
	for i := range f.Len() {
		n := f.Node(uint32(i))
		if n.Level == 0 {
			stats.In++
		}
		if n.Parent == tables.None && n.Level > 0 {
			stats.Counts["roots_of_two_clusters_or_more"]++
			stats.Counts["documents_below_them"] += int64(n.Size)
			stats.Counts["largest_root"] = max(stats.Counts["largest_root"], int64(n.Size))
		}
		stats.Counts["levels"] = max(stats.Counts["levels"], int64(n.Level)+1)
	}
}

// writeTree labels the nodes and writes them. The nodes that are not leaves are labelled first, depth by depth, because
// a label depends on those above it; the leaves are labelled as they are written. A leaf without siblings keeps the label
// of the flat cluster.
func (b *build) writeTree(ctx context.Context, t *topical.Tables, f *topical.Forest, flat *tables.Clusters, w *tables.TreeWriter) error {
	labellers := make([]*topical.TreeLabeller, b.workers)
	for i := range labellers {
		l, err := t.NewLabeller(b.config.TextAnalysis())
		if err != nil {
			return err
		}
		labellers[i] = l.NewTreeLabeller(f)
	}
	labels := map[uint32][]string{}
	above := func(node uint32) (phrases []string) {
		for up := f.Node(node).Parent; up != tables.None; up = f.Node(up).Parent {
			phrases = append(phrases, labels[up]...)
		}
		return phrases
	}
	// label passes the labels of some nodes to take, nil for clusters of one document, in the order of the nodes.
	label := func(some []uint32, take func(node uint32, label []string)) error {
		blocks := slices.Collect(slices.Chunk(some, labelBlock))
		return parallel.Ordered(ctx, len(blocks), b.workers, b.memory/16, func(worker, i int, emit func([][]string, int) error) error {
			out := make([][]string, len(blocks[i]))
			for j, node := range blocks[i] {
				if old, ok := labels[node]; ok {
					out[j] = old
				} else if n := f.Node(node); n.Level == 0 && n.Parent == tables.None {
					out[j] = flat.Label(n.Center)
				} else if n.Size > 1 {
					out[j] = labellers[worker].Label(node, above(node))
				}
			}
			return emit(out, labelSize*len(out))
		}, func(i int, out [][]string) error {
			for j, node := range blocks[i] {
				take(node, out[j])
			}
			return nil
		})
	}
	for _, some := range byDepth(f) {
		made := map[uint32][]string{}
		if err := label(some, func(node uint32, label []string) { made[node] = label }); err != nil {
			return err
		}
		for node, label := range made {
			labels[node] = label
		}
	}
	all := make([]uint32, f.Len())
	for i := range all {
		all[i] = uint32(i)
	}
	done := int64(0)
	return label(all, func(node uint32, label []string) {
		n := f.Node(node)
		n.Label = label
		w.Add(n)
		if n.Level == 0 {
			done += int64(n.Size)
			b.report.At(done)
		}
	})
}

// byDepth returns the nodes that are not leaves by the number of nodes above them.
func byDepth(f *topical.Forest) [][]uint32 {
	var out [][]uint32
	depth := make([]uint32, f.Joined())
	for i := range f.Joined() {
		n := f.Node(uint32(i))
		if n.Parent != tables.None {
			depth[i] = depth[n.Parent] + 1
		}
		if n.Level == 0 {
			continue
		}
		for len(out) <= int(depth[i]) {
			out = append(out, nil)
		}
		out[depth[i]] = append(out[depth[i]], uint32(i))
	}
	return out
}
