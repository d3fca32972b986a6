package eval

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// NearestTops are the numbers of nearest documents for which Recall has a NearestRecall.
var NearestTops = []int{10, 50}

// NearestRecall tells how many of the exact nearest neighbours of documents a list of neighbours holds.
type NearestRecall struct {
	List   string       `json:"list"`   // what made the list: "stored"
	Top    int          `json:"top"`    // number of nearest neighbours
	Recall score.Figure `json:"recall"` // share of them that the list holds, over all documents of the sample
}

// recallList is a kind of lists of neighbours.
type recallList struct {
	name string
	of   func(id uint32, top int) []query.Neighbour
}

// recallLists returns the lists whose recall is measured.
func recallLists(r *query.Run) []recallList {
	stored := func(id uint32, top int) []query.Neighbour { return r.Related(id, query.Lookup{Top: top}) }
	return []recallList{{"stored", stored}}
}

// measureNearest compares lists of neighbours with the exact nearest neighbours of some documents, as far as these are
// similar enough to be stored at all.
func measureNearest(ctx context.Context, r *query.Run, ids []uint32, lists []recallList, o RecallOptions) ([]NearestRecall, error) {
	most := slices.Max(NearestTops)
	exact, err := r.Exact(ctx, ids, most, nil)
	if err != nil {
		return nil, err
	}
	var out []NearestRecall
	for _, list := range lists {
		rows := make([][][]float64, len(NearestTops))
		for i, id := range ids {
			least := float32(r.Config.Similarity)
			want := slices.DeleteFunc(exact[i], func(n query.Neighbour) bool { return n.Similarity < least })
			got := list.of(id, most)
			for j, top := range NearestTops {
				if found, of := nearestFound(want, got, top); of > 0 {
					rows[j] = append(rows[j], []float64{float64(found), float64(of)})
				}
			}
		}
		for j, top := range NearestTops {
			out = append(out, NearestRecall{list.name, top, shareOf(rows[j], o)})
		}
	}
	return out, nil
}

// nearestFound returns how many of the top nearest neighbours a list holds, and how many there are. Of neighbours that
// are as similar as the last one, any will do.
func nearestFound(exact, list []query.Neighbour, top int) (found, of int) {
	if of = min(top, len(exact)); of == 0 {
		return 0, 0
	}
	for _, n := range list {
		if n.Similarity >= exact[of-1].Similarity {
			found++
		}
	}
	return min(found, of), of
}

// shareOf returns the sum of the first numbers of the rows divided by that of the second ones.
func shareOf(rows [][]float64, o RecallOptions) score.Figure {
	var num, den float64
	for _, r := range rows {
		num, den = num+r[0], den+r[1]
	}
	if den == 0 {
		return score.Figure{}
	}
	f := score.Figure{Value: num / den, N: int(den)}
	if o.Bootstrap > 0 {
		f.Resample(rows, score.Options{Bootstrap: o.Bootstrap, Seed: o.Seed})
	}
	return f
}
