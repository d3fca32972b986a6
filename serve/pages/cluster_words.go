package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/serve/api"
)

// holding returns the words that many of the members contain and few other documents do, each with the number of
// these members.
func holding(r *api.Run, members []query.TopicalMember) *Bars {
	type word struct {
		term   uint32
		have   int
		weight float64
	}
	words := map[uint32]*word{}
	for _, m := range members {
		bag := r.Bag(m.ID)
		for i, t := range bag.Terms {
			w := words[t]
			if w == nil {
				w = &word{term: t}
				words[t] = w
			}
			w.have++
			w.weight += float64(bag.Counts[i]) / float64(max(1, bag.Sum()))
		}
	}
	var all []*word
	for _, w := range words {
		if 4*w.have >= len(members) && w.have > 1 {
			w.weight *= math.Log(float64(r.Len()) / float64(max(1, r.TermDocuments(w.term))))
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b *word) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.term, b.term)) })
	b := &Bars{Caption: fmt.Sprintf("Heaviest words, and how many of the %d leading members have them", len(members))}
	for _, w := range all[:min(len(all), mostWords)] {
		name := r.TermWord(w.term)
		b.List = append(b.List, Bar{Label: Link{Text: name}, Value: w.have, Share: float64(w.have) / float64(len(members)), View: Web})
	}
	if b.List == nil {
		return nil
	}
	return b
}
