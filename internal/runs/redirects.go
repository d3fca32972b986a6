package runs

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/tables"
)

// RedirectHere is a URL that redirects to a document.
type RedirectHere struct {
	URL  string    `json:"url"`
	By   string    `json:"by" doc:"what redirects first: a status of HTTP or a table of redirects, a refresh, or a canonical link that the run trusts" enum:"http,refresh,canonical"`
	Hops int       `json:"hops" doc:"redirects on the way"`
	Time time.Time `json:"time,omitzero" doc:"when the redirect was fetched; missing if the crawl does not say"`
}

// RedirectsTo returns at most most URLs that the crawl redirects to a document, sorted, and the number of all. If
// there are more, it makes a random choice, which is always the same.
//
// The first call for a run scans all redirects. The run keeps 4 bytes for each.
func RedirectsTo(r *Run, id uint32, most int) (list []RedirectHere, all int) {
	if r.targets == nil { // a file of sketches
		return nil, 0
	}
	to := r.Docs.URL(id)
	if url, _, ok := capture.Cut(to); ok && r.Captures.Rows() > 0 {
		to = url
	}
	rows, h := r.targets(), tables.Hash(to)
	hash := func(i int) uint64 { return tables.Hash(r.Redirects.At(int(rows[i])).To) }
	first := sort.Search(len(rows), func(i int) bool { return hash(i) >= h })
	all = sort.Search(len(rows)-first, func(i int) bool { return hash(first+i) > h })
	for _, row := range rows[first : first+min(all, most)] {
		from := r.Redirects.At(int(row))
		if from.To != to {
			continue
		}
		list = append(list, RedirectHere{from.From, from.By.String(), int(from.Hops), Instant(from.Time)})
	}
	slices.SortFunc(list, func(a, b RedirectHere) int { return strings.Compare(a.URL, b.URL) })
	return list, all
}

// findTargets returns the rows of the redirects, sorted by the hashes of their targets.
func findTargets(r *Run) []uint32 {
	type target struct {
		hash uint64
		row  uint32
	}
	all := make([]target, r.Redirects.Len())
	for i := range all {
		all[i] = target{tables.Hash(r.Redirects.At(i).To), uint32(i)}
	}
	slices.SortFunc(all, func(a, b target) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row)) })
	rows := make([]uint32, len(all))
	for i, t := range all {
		rows[i] = t.row
	}
	return rows
}
