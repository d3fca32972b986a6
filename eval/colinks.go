package eval

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// maxCoLinks limits the number of pairs of co-linked targets, counted both ways, to 1 GiB.
const maxCoLinks = 1 << 28

// coLinks returns, for each target, the targets that are with it in one of the ascending lists of pages. It fails if
// there are too many pairs, for example because one page links to most of a large directory.
func coLinks(targets int, pages [][]int32) (score.CoLinks, error) {
	linking := inverse(targets, len(pages), func(p int) []int32 { return pages[p] })
	out := make(score.CoLinks, targets)
	last := make([]int32, targets) // last target whose list holds it, from 1
	total := 0
	for t := range out {
		last[t] = int32(t + 1)
		for _, p := range linking[t] {
			for _, u := range pages[p] {
				if last[u] != int32(t+1) {
					last[u] = int32(t + 1)
					out[t] = append(out[t], u)
				}
			}
		}
		slices.Sort(out[t])
		if total += len(out[t]); total > maxCoLinks {
			return nil, fmt.Errorf("more than %d pairs of targets are linked together by some page", maxCoLinks/2)
		}
	}
	return out, nil
}

// CoLinks returns, for each target, the targets that some page links to together with it. The run has recorded the links
// that it uses; so the link of a page to itself, whose words are in no bag, does not count. CoLinks fails if there are
// too many pairs.
func (m *Match) CoLinks(r *query.Run) (score.CoLinks, error) {
	type link struct {
		page   uint64
		target int32
	}
	var links []link
	for t, id := range m.IDs {
		if id != NoDocument {
			for _, page := range r.Sources(id) {
				links = append(links, link{page, int32(t)})
			}
		}
	}
	slices.SortFunc(links, func(a, b link) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.target, b.target)) })
	var pages [][]int32
	for i, l := range links {
		if i == 0 || links[i-1].page != l.page {
			pages = append(pages, nil)
		}
		at := &pages[len(pages)-1]
		*at = append(*at, l.target)
	}
	return coLinks(len(m.IDs), pages)
}
