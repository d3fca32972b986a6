package pipeline

import (
	"fmt"
	"strings"
)

// partSizes returns the numbers that decide, besides the inputs and the configuration, what the parts of the steps are.
// A build with the tag smallparts has other ones, and a later version may. They are recorded when a run begins.
//
// "steps" is another number whenever a stage has other steps or a step is divided by something else.
func (b *build) partSizes() map[string]int64 {
	return map[string]int64{
		"steps": 2, "partitions": int64(b.partitions), "parts": mostParts, "nodes": int64(leastNodes), "rows": int64(leastRows),
		"keys": int64(leastKeys), "labels": int64(leastLabels), "parts_of_labels": labelParts, "chained_from": int64(chainedFrom),
		"read_bytes": bytesOfPart, "table_rows": int64(tableRows),
	}
}

// setSizes records the sizes of parts. If a process with other sizes began the run, the stage that it has not finished
// is done again from its beginning. The parts of the stage read are kept: they say from where to where they reach.
func (b *build) setSizes() error {
	stage, diffs, err := b.dir.SetSizes(b.partSizes(), "read")
	if err == nil && stage != "" {
		b.report.Damaged(stage, errSizes(diffs))
	}
	return err
}

// errSizes says that another build of lshclust began a run.
func errSizes(diffs []string) error {
	return fmt.Errorf("another build of lshclust began this run, with other sizes of parts (%s)", strings.Join(diffs, ", "))
}

// checkSizes returns an error if a process with other sizes of parts began the run, so that its parts do not fit those
// of this process.
func (b *build) checkSizes() error {
	if diffs := b.dir.DiffSizes(b.partSizes()); len(diffs) > 0 {
		return fmt.Errorf("%w: %w; go on with that build, or with lshclust cluster", ErrTask, errSizes(diffs))
	}
	return nil
}
