package pipeline

import (
	"fmt"
	"strings"
)

// sizes are the numbers that, besides the inputs and the configuration, determine the parts of the steps.
type sizes struct {
	// read is the size at which a part of large inputs ends: of the content, or of the bytes read if that is more.
	// 256 MiB take about eight seconds of processor time to read (41 MB/s of generated pages), which is the most that
	// a kill costs, and a terabyte has few enough parts to open them all for each partition.
	read int64
	// nodes is the least number of nodes of a part. Signing 16,384 bags takes half a second, and finding their
	// neighbours two.
	nodes int
	// rows and keys are the least numbers of rows, one for each key of a node, and of keys of a part of the search
	// for pairs. Making keys together takes less time.
	rows, keys int
	// chained is the number of nodes from which on alike nodes are chained. With fewer, the tables of signatures and
	// bags are small enough that the order of the linking pages alone is nearly as fast.
	chained int
	// labels is the least number of labels of a part, unless there are fewer clusters. A label takes about 0.1 ms.
	labels int
	// table is the least number of rows of a share of a table. Unlike the other numbers it determines bytes.
	table int
}

// mostParts is the number of parts of a step above which parts grow; labelParts is that of steps that make labels.
const (
	mostParts  = 256
	labelParts = 64
)

// partSizes returns the sizes of parts that options ask for.
func (o Options) partSizes() sizes {
	if o.sizes != nil {
		return *o.sizes
	}
	s := sizes{read: 256 << 20, nodes: 1 << 14, rows: 1 << 23, keys: 8, chained: 1 << 19, labels: 256, table: 1 << 18}
	if o.SmallParts {
		s.read, s.nodes, s.rows, s.keys, s.labels = 16<<10, 40, 1, 6, 10
	}
	return s
}

// partNodes returns the number of nodes of each part of a step over n nodes.
func (s sizes) partNodes(n int) int { return max(s.nodes, (n+mostParts-1)/mostParts) }

// partKeys returns the number of keys of each part of the search for pairs among some nodes.
func (s sizes) partKeys(nodes, keys int) int {
	least := max(s.keys, (s.rows+nodes-1)/max(nodes, 1))
	parts := max(1, keys/least)
	return (keys + parts - 1) / parts
}

// partLabels returns the number of labels of each part of a step that makes n of them.
func (s sizes) partLabels(n int) int { return max(s.labels, (n+labelParts-1)/labelParts) }

// shareRows returns the number of rows of each share of a table.
func (s sizes) shareRows(rows int) int { return max(s.table, (rows+mostParts-1)/mostParts) }

// recordedSizes returns the numbers by which a run recognizes parts made by a process with other sizes: they depend
// on Options.SmallParts and the version of the program. They are recorded when a run begins.
//
// Change "steps" whenever a stage gets other steps or a step is divided by something else.
func (r *runner) recordedSizes() map[string]int64 {
	s := r.sizes
	return map[string]int64{
		"steps": 6, "partitions": int64(r.partitions), "parts": mostParts, "nodes": int64(s.nodes), "rows": int64(s.rows),
		"keys": int64(s.keys), "labels": int64(s.labels), "parts_of_labels": labelParts, "chained_from": int64(s.chained),
		"read_bytes": s.read, "table_rows": int64(s.table),
	}
}

// setSizes records the sizes of parts. If a process with other sizes began the run, the unfinished stage starts over.
// The parts of the stage read are kept, because they say what they cover.
func (r *runner) setSizes() error {
	stage, diffs, err := r.dir.SetSizes(r.recordedSizes(), "read")
	if err == nil && stage != "" {
		r.report.Damaged(stage, errSizes(diffs))
	}
	return err
}

// errSizes says that another build of lshclust began a run.
func errSizes(diffs []string) error {
	return fmt.Errorf("another build of lshclust began this run, with other sizes of parts (%s)", strings.Join(diffs, ", "))
}

// checkSizes returns an error if a process with other sizes began the run, so that its parts do not fit those of this
// process.
func (r *runner) checkSizes() error {
	if diffs := r.dir.DiffSizes(r.recordedSizes()); len(diffs) > 0 {
		return fmt.Errorf("%w: %w; go on with that build, or with lshclust cluster", ErrTask, errSizes(diffs))
	}
	return nil
}
