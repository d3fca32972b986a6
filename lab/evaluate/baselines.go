package evaluate

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/lab/score"
)

// Baseline is another way to find related pages, to compare with the lists of a run.
type Baseline struct {
	Name       string
	About      string // one line of explanation
	Candidates string // AllDocuments or TargetsAlone
	Rank       func(ctx context.Context, s *Subject) (score.Ranking, error)
}

// The documents among which a baseline looks for neighbours. A run does not know about golds. It looks for neighbours
// among all its documents, and scoring skips those that are not targets. But these still fill the buckets, which are
// not paired in full if they are large, and take places among the nearest neighbours, of which a run stores only some.
const (
	AllDocuments = "all documents"
	TargetsAlone = "targets alone"
)

// AllBaselines returns all baselines.
func AllBaselines() []Baseline {
	return []Baseline{
		{"stored", "the nearest of what the index finds, which the run stores; related begins with these", AllDocuments, stored},
		{"exact", "the bags of the run, compared exactly; the most that its index can reach", TargetsAlone, exact},
	}
}

// ParseBaselines returns the baselines with the given names in their usual order. "all" selects all of them.
func ParseBaselines(names []string) (out []Baseline, err error) {
	known := []string{"all"}
	for _, b := range AllBaselines() {
		known = append(known, b.Name)
		if slices.Contains(names, b.Name) || slices.Contains(names, "all") {
			out = append(out, b)
		}
	}
	for _, n := range names {
		if !slices.Contains(known, n) {
			return nil, fmt.Errorf("baseline %q is not one of %s", n, strings.Join(known, ", "))
		}
	}
	return out, nil
}

// stored ranks by exact similarity over the stored pairs.
func stored(ctx context.Context, s *Subject) (score.Ranking, error) {
	return s.Related(ctx, topics.Lookup{Stored: true})
}

// exact ranks by the exact similarity of the bags of the run.
func exact(ctx context.Context, s *Subject) (score.Ranking, error) {
	target := s.targets()
	wanted := func(_, other uint32) bool { _, ok := target[other]; return ok }
	return s.rank(ctx, func(id uint32) ([]score.Neighbour, error) {
		near, err := topics.Exact(ctx, s.Run, []uint32{id}, len(s.IDs), topics.ByBoth, wanted)
		if err != nil {
			return nil, err
		}
		out := make([]score.Neighbour, len(near[0]))
		for i, n := range near[0] {
			out[i] = score.Neighbour{Target: target[n.ID], Similarity: float64(n.Similarity)}
		}
		slices.SortFunc(out, func(a, b score.Neighbour) int {
			return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Target, b.Target))
		})
		return s.cut(int(target[id]), out), nil
	})
}
