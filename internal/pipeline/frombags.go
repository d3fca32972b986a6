package pipeline

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// BytesOfDocument is the memory per document that the stages after weigh need whatever the limit is. The stage pair
// needs the most, for large buckets and a part of the keys.
const BytesOfDocument = 64

// Bags writes the tables of the stages group and weigh, so that an experiment can begin a run with bags.
type Bags struct {
	Source    run.Input // identifies the contents
	Documents int
	Group     func(ctx context.Context, dir *run.Dir) (run.StageStats, error) // tables of documents
	Weigh     func(ctx context.Context, dir *run.Dir) (run.StageStats, error) // tables of terms and bags
}

// ErrBags says that a run cannot begin with these bags.
var ErrBags = errors.New("a run from bags has the topical view only, and fewer than 2^32-1 documents")

// ClusterBags builds the topical view of a run in the directory out from bags, as [Cluster] does from pages.
func ClusterBags(ctx context.Context, out string, from Bags, c config.Config, o Options) (Result, error) {
	if !slices.Equal(c.Views, []string{config.Topical}) || int64(from.Documents) >= math.MaxUint32 {
		return Result{}, ErrBags
	}
	if err := c.Validate(); err != nil {
		return Result{}, err
	}
	dir, err := run.Create(out, c, []run.Input{from.Source})
	if err != nil {
		return Result{}, err
	}
	r := newRunner(dir, c, nil, o)
	defer r.dir.Close()
	if err := r.verifyStopped(ctx); err != nil {
		return Result{}, err
	}
	stages := []stage{
		{name: "group", writes: []string{
			ledgerFile, run.DroppedList, tables.DocumentsFile, tables.EvidenceFile, tables.SourcesFile, tables.CapturesFile, tables.RedirectsFile,
		}, work: func(ctx context.Context) (run.StageStats, error) {
			if err := writeJSON(dir.Temp(ledgerFile), []crawl.Tally{}); err != nil {
				return run.StageStats{}, err
			}
			return from.Group(ctx, dir)
		}},
		{name: "weigh", writes: []string{tables.TermsFile, tables.BagsFile}, work: func(ctx context.Context) (run.StageStats, error) {
			return from.Weigh(ctx, dir)
		}},
	}
	return r.finish(ctx, append(stages, r.stages()[4:]...), o.Version) // from sign on
}
