package pipeline

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/config"
)

// ClusterUntil is Cluster that stops after a stage, as if the process had been killed there.
func ClusterUntil(ctx context.Context, last, out string, inputs []string, c config.Config, o Options) error {
	b, err := begin(ctx, out, inputs, c, o)
	if err != nil {
		return err
	}
	defer b.dir.Close()
	stages := b.stages()
	i := slices.IndexFunc(stages, func(s stage) bool { return s.name == last })
	if i < 0 {
		return fmt.Errorf("no stage %q", last)
	}
	return b.mended(func() error { return b.doAll(ctx, stages[:i+1]) })
}

// SmallParts divides the steps into so many parts that a small run has several. The returned function ends that.
func SmallParts() (end func()) {
	nodes, rows, keys, read, labels, holes := leastNodes, leastRows, leastKeys, bytesOfPart, leastLabels, leastHoles
	leastNodes, leastRows, leastKeys, bytesOfPart, leastLabels, leastHoles = 40, 1, 6, 16<<10, 10, 0
	return func() {
		leastNodes, leastRows, leastKeys, bytesOfPart, leastLabels, leastHoles = nodes, rows, keys, read, labels, holes
	}
}

// MakeHoles lets runs of any size make holes in the files of the stage read, until the test ends.
func MakeHoles(t *testing.T) {
	old := leastHoles
	leastHoles = 0
	t.Cleanup(func() { leastHoles = old })
}

// ChainFrom sets the number of nodes from which on they are chained, until the test ends.
func ChainFrom(t *testing.T, nodes int) {
	old := chainedFrom
	chainedFrom = nodes
	t.Cleanup(func() { chainedFrom = old })
}

// SetPartSize sets the size in bytes of the parts of the read stage, and returns a function that restores it.
func SetPartSize(bytes int64) (restore func()) {
	was := bytesOfPart
	bytesOfPart = bytes
	return func() { bytesOfPart = was }
}

// SmallTables divides tables of more than a few rows, until the test ends.
func SmallTables(t *testing.T) {
	old := tableRows
	tableRows = 16
	t.Cleanup(func() { tableRows = old })
}
