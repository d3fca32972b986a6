package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/serve/api"
)

// holding returns the words that many of the members contain and few other documents do, each with the number of
// these members.
func holding(r *api.Run, members []uint32) *Bars {
	type word struct {
		text   string
		have   int
		weight float64
		last   int // member that was counted last
	}
	words := map[string]*word{}
	for i, id := range members {
		bag := topics.Bag(r.Run, id)
		for j, t := range bag.Terms {
			text := r.Run.Terms.Word(t)
			w := words[text]
			if w == nil {
				w = &word{text: text, last: -1}
				words[text] = w
			}
			if w.last != i {
				w.have, w.last = w.have+1, i
			}
			w.weight += float64(bag.Counts[j]) / float64(max(1, bag.Sum())) * math.Log(float64(r.Len())/float64(max(1, r.Run.Terms.DF(t))))
		}
	}
	var all []*word
	for _, w := range words {
		if 4*w.have >= len(members) && w.have > 1 && strings.ContainsFunc(w.text, unicode.IsLetter) {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b *word) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.text, b.text)) })
	b := &Bars{Caption: fmt.Sprintf("Heaviest words, and how many of the %d best linked have them", len(members))}
	for _, w := range all[:min(len(all), mostWords)] {
		b.List = append(b.List, Bar{Label: Link{Text: w.text}, Value: w.have, Share: float64(w.have) / float64(len(members)), View: Web})
	}
	if b.List == nil {
		return nil
	}
	return b
}
