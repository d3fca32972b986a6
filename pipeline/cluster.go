package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
	"github.com/lshclust/lshclust/run"
)

// The steps of the stage cluster.
const (
	clusterKeys    = "cluster-keys"    // the keys by which CENTER scans the nodes, by ranges of nodes; not in the order of the ids
	clusterCenters = "cluster-centers" // CENTER over the nodes, in one part
	clusterLabels  = "cluster-labels"  // by ranges of clusters
)

func (b *build) clustering() stage {
	return stage{name: "cluster", outputs: []string{tables.ClustersFile}, work: b.inSteps("cluster", b.joinClusters)}
}

func (b *build) clusterSteps() []stepOf {
	steps := []stepOf{{clusterCenters, b.centersStep}, {clusterLabels, b.labelsStep}}
	if b.config.Order == center.ByID {
		return steps
	}
	return append([]stepOf{{clusterKeys, b.keysOfNodesStep}}, steps...)
}

// keysOfNodesStep makes the keys of the nodes, for which it reads all pairs.
func (b *build) keysOfNodesStep(name string) (*step, error) {
	nodes, err := b.countNodes()
	return &step{name: name, parts: partsOf(nodes, b.sizes.partNodes(nodes)), open: func(context.Context, int) (parter, error) {
		t, set, err := openClustering(b)
		return nodeKeysParter{b, t, set}, err
	}}, err
}

type nodeKeysParter struct {
	b   *build
	t   *topical.Tables
	set *tables.Set
}

func (p nodeKeysParter) close() { p.set.Close() }

func (p nodeKeysParter) part(_ context.Context, _, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, p.b.sizes.partNodes(p.t.Nodes.Len()), p.t.Nodes.Len())
	keys := p.t.Keys(p.b.config.Order, from, to, float32(p.b.config.Threshold))
	err := create(out.path(""), func(w io.Writer) error { return writeRecord(w, appendU64s(nil, keys)) })
	return nil, cmp.Or(err, p.set.Err())
}

// readKeys reads the keys of all nodes, nil if they are scanned in the order of the ids.
func (b *build) readKeys(ctx context.Context) (keys []uint64, err error) {
	for i := range b.filesOf("cluster", clusterKeys) {
		err = eachOfSize(ctx, b.dir.Path(stepFile(clusterKeys, "", i)), 1, func(body []byte) error {
			d := codec.Decoder{B: body}
			keys = decodeU64s(&d, keys)
			return d.Err
		})
		if err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// centersStep runs CENTER over the nodes.
func (b *build) centersStep(name string) (*step, error) {
	return &step{name: name, parts: 1, open: func(context.Context, int) (parter, error) { return centersParter{b}, nil }}, nil
}

type centersParter struct{ b *build }

func (centersParter) close() {}

// part writes the center of every node.
func (p centersParter) part(ctx context.Context, _, _ int, out *partFiles) (counts, error) {
	keys, err := p.b.readKeys(ctx)
	if err != nil {
		return nil, err
	}
	t, set, err := openClustering(p.b)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	if nodes := t.Nodes.Len(); p.b.config.Order != center.ByID && len(keys) != nodes {
		return nil, fmt.Errorf("%d keys of %d nodes", len(keys), nodes)
	}
	centers := t.CentersByKeys(keys, float32(p.b.config.Threshold))
	err = create(out.path(""), func(w io.Writer) error { return writeRecord(w, appendU32s(nil, centers)) })
	return counts{"several": int64(len(several(t, centers)))}, cmp.Or(err, set.Err())
}

// readCenters reads the center of every node.
func (b *build) readCenters(ctx context.Context) (centers []uint32, err error) {
	err = eachOfSize(ctx, b.dir.Path(stepFile(clusterCenters, "", 0)), 1, func(body []byte) error {
		d := codec.Decoder{B: body}
		decodeU32s(&d, &centers)
		return d.Err
	})
	return centers, err
}

// joinClusters gives every document the center of its node, and writes the table with the labels of the clusters.
func (b *build) joinClusters(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	t, set, err := openClustering(b)
	if err != nil {
		return stats, err
	}
	defer set.Close()
	centers, err := b.readCenters(ctx)
	if err != nil {
		return stats, err
	}
	centerOf, similarity := t.Spread(centers)
	w, err := tables.CreateClusters(b.dir.Temp(tables.ClustersFile), centerOf, similarity)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	clusters := several(t, centers)
	labelled, err := b.eachLabel(ctx, "cluster", clusterLabels, func(i int, label []string) {
		w.Label(t.Nodes.First(centers[clusters[i][0]]), label)
	})
	if err == nil && labelled != len(clusters) {
		err = fmt.Errorf("%d labels of %d clusters", labelled, len(clusters))
	}
	if err != nil {
		return stats, err
	}
	stats.In = int64(len(centerOf))
	countClusters(centerOf, &stats)
	return stats, cmp.Or(set.Err(), w.Close())
}

// openClustering opens the tables that topical clusters are formed from, which the set closes.
func openClustering(b *build) (*topical.Tables, *tables.Set, error) {
	t, opened := &topical.Tables{}, b.partTables()
	set := &opened
	t.Bags = tables.Open(set, b.dir.Path(tables.BagsFile), tables.OpenBags)
	t.Nodes = tables.Open(set, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	t.Pairs = tables.Open(set, b.dir.Path(tables.PairsFile), tables.OpenPairs)
	t.Terms = tables.Open(set, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	t.Documents = tables.Open(set, b.dir.Path(tables.DocumentsFile), tables.OpenDocuments)
	t.Evidence = tables.Open(set, b.dir.Path(tables.EvidenceFile), tables.OpenEvidence)
	return t, set, set.Ready()
}

// countClusters counts the clusters by their sizes.
func countClusters(centerOf []uint32, stats *run.StageStats) {
	size := make([]uint32, len(centerOf))
	for _, c := range centerOf {
		size[c]++
	}
	most, alone := int64(0), int64(0)
	for _, n := range size {
		most = max(most, int64(n))
		if n > 0 {
			stats.Out++
		}
		if n == 1 {
			alone++
		}
	}
	stats.Counts["singletons"], stats.Counts["clusters_of_two_or_more"] = alone, stats.Out-alone
	stats.Counts["largest_cluster"] = most
}
