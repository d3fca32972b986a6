package texts

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/resemble"
)

// Methods of ReclusterSyntactic.
const (
	MethodPairs         = "pairs"          // union-find over the stored pairs
	MethodSuperShingles = "super-shingles" // pairs that share super-shingles [S1]; finds very similar pages fast
	MethodGreedy        = "greedy"         // each page joins the representative that it resembles most ([S2] 4.4); no chains
)

// Methods lists the methods of ReclusterSyntactic.
var Methods = []string{MethodPairs, MethodSuperShingles, MethodGreedy}

// Recluster clusters the pages again under another policy or by another method, one of [Methods],
// and returns the clusters of two or more pages with their members, largest first. It neither reads the crawl again
// nor changes the run. MethodPairs uses the stored pairs, so it returns an error for a policy with lower thresholds
// than those of the run. The other methods compare the stored shingles; MethodGreedy ignores the containment of the
// policy.
func Recluster(ctx context.Context, r *runs.Run, method string, p resemble.Policy) ([]SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	if method != MethodPairs && slices.Contains(Methods, method) {
		if err := runs.NeedShingles(r, "method "+method); err != nil {
			return nil, err
		}
	}
	equal, err := r.Equal.Load()
	if err != nil {
		return nil, err
	}
	pairs := r.Similar.All()
	switch method {
	case MethodPairs:
		err = storedUnder(r, p)
	case MethodSuperShingles:
		pairs, err = superPairs(ctx, r, equal, p)
	case MethodGreedy:
		return greedy(ctx, r, equal, p)
	default:
		err = fmt.Errorf("method %q is not one of %s", method, strings.Join(Methods, ", "))
	}
	if err != nil {
		return nil, err
	}
	c, err := resemble.Cluster(ctx, equal, pairs, resemble.ClusterConfig{Policy: p})
	if err != nil {
		return nil, err
	}
	var out []SyntacticCluster
	for _, g := range c.Groups() {
		out = append(out, newCluster(r, g, c.Members(g)))
	}
	sortClusters(r, out)
	return out, nil
}

// storedUnder returns an error if a policy requires pairs that the run has not stored.
func storedUnder(r *runs.Run, p resemble.Policy) error {
	switch {
	case p.Threshold < r.Config.Resemblance:
		return fmt.Errorf("resemblance %g: the run stores pairs with a resemblance of %g or more; build one with --resemblance %g", p.Threshold,
			r.Config.Resemblance, p.Threshold)
	case p.Containment > 0 && !runs.Containment(r):
		return runs.NeedContainment(r)
	case p.Containment > 0 && p.Containment < r.Config.Containment:
		return fmt.Errorf("containment %g: the run stores pairs with a containment of %g or more; build one with --set containment=%g",
			p.Containment, r.Config.Containment, p.Containment)
	}
	return nil
}

// superPairs finds pairs by super-shingles.
func superPairs(ctx context.Context, r *runs.Run, equal *resemble.Equal, p resemble.Policy) (iter.Seq2[resemble.Pair, error], error) {
	var found []resemble.Pair
	_, err := resemble.SuperPairs(ctx, r.Pages, equal, r.Boilerplate, pairConfig(r, p), func(pairs []resemble.Pair) error {
		found = append(found, pairs...)
		return nil
	})
	return func(yield func(resemble.Pair, error) bool) {
		for _, x := range found {
			if !yield(x, nil) {
				return
			}
		}
	}, err
}

func pairConfig(r *runs.Run, p resemble.Policy) resemble.Config {
	c := resemble.Config{M: r.Config.Modulus, Floor: p.Threshold, Containment: 2, MaxCommon: r.Config.MaxCommon}
	if p.Containment > 0 {
		c.Containment = p.Containment
	}
	return c
}

// greedy forms clusters around representatives.
func greedy(ctx context.Context, r *runs.Run, equal *resemble.Equal, p resemble.Policy) ([]SyntacticCluster, error) {
	of, _, err := resemble.Greedy(ctx, r.Pages, equal, r.Boilerplate, pairConfig(r, p))
	if err != nil {
		return nil, err
	}
	members := map[uint32][]uint32{}
	for page, rep := range of {
		members[rep] = append(members[rep], uint32(page))
	}
	var out []SyntacticCluster
	for rep, pages := range members {
		if len(pages) < 2 {
			continue
		}
		distinct := 0
		for _, page := range pages {
			if equal.Representative(page) == page {
				distinct++
			}
		}
		out = append(out, newCluster(r, resemble.Group{Representative: rep, Documents: len(pages), Distinct: distinct}, pages))
	}
	sortClusters(r, out)
	return out, nil
}

// Boilerplate returns the number of distinct shingles of a page, and how many of them comparisons leave out as
// boilerplate of its host.
func Boilerplate(r *runs.Run, id uint32) (shingles, leftOut int, err error) {
	page, err := r.PageOf(id)
	if err != nil {
		return 0, 0, err
	}
	values := r.Pages.Values(page)
	return len(values), r.Boilerplate.Dropped(r.Pages.Host(page), values), nil
}
