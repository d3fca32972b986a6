package eval

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"strconv"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"golang.org/x/sync/errgroup"
)

// Related ranks the neighbours of each target as [query.Run.Related] answers with a lookup. It takes whole lists, whatever
// the Top of the lookup is, and skips documents that are not targets.
func (m *Match) Related(ctx context.Context, r *query.Run, how query.Lookup, name string) (score.Ranking, error) {
	out := score.Ranking{Name: name, Lists: make([][]score.Neighbour, len(m.IDs))}
	target := m.targets(r.Len())
	how.Top = math.MaxInt
	workers := runtime.GOMAXPROCS(0)
	g, ctx := errgroup.WithContext(ctx)
	for w := range workers {
		g.Go(func() error {
			for t := w; t < len(m.IDs); t += workers {
				if m.IDs[t] == NoDocument {
					continue
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				out.Lists[t] = among(target, r.Related(m.IDs[t], how))
			}
			return nil
		})
	}
	return out, g.Wait()
}

// Stored ranks the neighbours of each target by exact similarity over all stored pairs.
func (m *Match) Stored(ctx context.Context, r *query.Run, name string) (score.Ranking, error) {
	return m.Related(ctx, r, query.Lookup{}, name)
}

// lookup returns the lookup of an evaluation: that of the options or, if they have none, that of the command related.
func (o *Options) lookup() query.Lookup {
	if o.Lookup == (query.Lookup{}) {
		return query.DefaultLookup
	}
	return o.Lookup
}

// expansionName is the form of the names of baselines that expand the stored lists: related-2x100 for two rounds over 100
// neighbours.
var expansionName = regexp.MustCompile(`^related-(\d{1,2})x(\d{1,6})$`)

// expansion returns the baseline of a name such as related-2x100.
func expansion(name string) (b Baseline, ok bool) {
	found := expansionName.FindStringSubmatch(name)
	if found == nil {
		return b, false
	}
	rounds, _ := strconv.Atoi(found[1]) // at most six digits
	width, _ := strconv.Atoi(found[2])
	return Baseline{
		Name: name, Candidates: AllDocuments,
		About: fmt.Sprintf("what related answers with --rounds %d --width %d", rounds, width),
		find: func(m *Match, ctx context.Context, r *query.Run, name string) (score.Ranking, error) {
			return m.Related(ctx, r, query.Lookup{Rounds: rounds, Width: width}, name)
		},
	}, true
}
