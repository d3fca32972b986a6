package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
)

// ClusterUntil is like Cluster but stops after a stage, as if the process had been killed there.
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

// WithPartSize returns options in which the parts of the read stage have a size in bytes.
func (o Options) WithPartSize(bytes int64) Options {
	return o.with(func(s *sizes) { s.read = bytes })
}

// ChainedFrom returns options that chain nodes if there are at least this many.
func (o Options) ChainedFrom(nodes int) Options { return o.with(func(s *sizes) { s.chained = nodes }) }

// WithTables returns options that divide tables of more than this many rows.
func (o Options) WithTables(rows int) Options { return o.with(func(s *sizes) { s.table = rows }) }

func (o Options) with(change func(*sizes)) Options {
	s := o.partSizes()
	change(&s)
	o.sizes = &s
	return o
}
