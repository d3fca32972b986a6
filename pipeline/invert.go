package pipeline

import (
	"context"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/inverted"
	"github.com/lshclust/lshclust/run"
)

func (b *build) inverting() stage {
	return stage{name: "invert", outputs: []string{tables.InvertedFile}, work: b.invert}
}

// invert lists the nodes whose bags hold each term, so that the exact neighbours of a bag can be found.
func (b *build) invert(ctx context.Context) (run.StageStats, error) {
	set := b.tables()
	of := tables.NodeBags{
		Bags:  tables.Open(&set, b.dir.Path(tables.BagsFile), tables.OpenBags),
		Nodes: tables.Open(&set, b.dir.Path(tables.NodesFile), tables.OpenNodes),
	}
	if err := set.Ready(); err != nil {
		return run.StageStats{}, err
	}
	defer set.Close()
	path := b.dir.Temp(tables.InvertedFile)
	w, err := tables.CreateInverted(path)
	if err != nil {
		return run.StageStats{}, err
	}
	defer w.Abort()
	ends := inverted.Ends(of)
	b.report.Stage("invert", "bags", int64(of.Len()))
	workers := int(max(1, min(int64(b.workers), b.memory/4/inverted.BuilderMemory)))
	builders, postings := make([]inverted.Builder, workers), int64(0)
	err = parallel.Ordered(ctx, len(ends), workers, b.memory/8, func(worker, i int, emit func(inverted.Segment, int) error) error {
		from := uint32(0)
		if i > 0 {
			from = ends[i-1]
		}
		s := builders[worker].Build(of, from, ends[i])
		s.Terms, s.First, s.Lists = slices.Clone(s.Terms), slices.Clone(s.First), slices.Clone(s.Lists)
		return emit(s, 8*len(s.Terms)+2*len(s.Lists))
	}, func(i int, s inverted.Segment) error {
		postings += int64(s.Postings)
		b.report.At(int64(ends[i]))
		return w.Add(s)
	})
	if err != nil {
		return run.StageStats{}, err
	}
	if err := w.Close(); err != nil {
		return run.StageStats{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return run.StageStats{}, err
	}
	return run.StageStats{In: int64(of.Len()), Out: postings, Counts: map[string]int64{"segments": int64(len(ends)), "bytes": info.Size()}}, nil
}
