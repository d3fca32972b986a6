package evaluate

import (
	"context"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// NearestTops are the numbers of nearest documents of each NearestRecall.
var NearestTops = []int{10, 50}

// NearestRecall says how many of the exact nearest neighbours of documents a list of neighbours holds.
type NearestRecall struct {
	List   string       `json:"list"`   // what made the list: "stored", or "related", as Related answers by default
	Apart  bool         `json:"apart"`  // whether to count only neighbours that are not co-linked with the document
	Top    int          `json:"top"`    // number of nearest neighbours
	Recall score.Figure `json:"recall"` // share of them that the list holds, over all documents of the sample
}

// recallList is a kind of list of neighbours.
type recallList struct {
	name  string
	apart bool
	of    func(id uint32, top int) []topics.Neighbour
}

// recallLists returns the lists whose recall to measure.
func recallLists(r *runs.Run) (lists []recallList) {
	for _, apart := range []bool{false, true} {
		for _, name := range []string{"stored", "related"} {
			lists = append(lists, recallList{name, apart, func(id uint32, top int) []topics.Neighbour {
				return topics.Related(r, id, topics.Lookup{Top: top, Stored: name == "stored", Apart: apart, BySimilarity: true})
			}})
		}
	}
	return lists
}

// measureNearest compares lists of neighbours with the exact nearest neighbours of some documents, as far as these are
// similar enough to be stored at all.
func measureNearest(ctx context.Context, r *runs.Run, ids []uint32, lists []recallList, o RecallOptions) ([]NearestRecall, error) {
	exact := map[bool][][]topics.Neighbour{} // by recallList.apart
	for apart, wanted := range map[bool]func(id, other uint32) bool{
		false: nil, true: func(id, other uint32) bool { return topics.Together(r, id, other) == 0 },
	} {
		near, err := topics.Exact(ctx, r, ids, slices.Max(NearestTops), topics.ByBoth, wanted)
		if err != nil {
			return nil, err
		}
		for i := range near {
			near[i] = slices.DeleteFunc(near[i], func(n topics.Neighbour) bool { return n.Similarity < float32(r.Config.Similarity) })
		}
		exact[apart] = near
	}
	var out []NearestRecall
	for _, list := range lists {
		got := make([][]topics.Neighbour, len(ids))
		err := parallel.Each(ctx, len(ids), runtime.GOMAXPROCS(0), func(_, i int) error {
			got[i] = list.of(ids[i], slices.Max(NearestTops))
			return nil
		})
		if err != nil {
			return nil, err
		}
		for _, top := range NearestTops {
			var rows [][]float64
			for i := range ids {
				if found, of := nearestFound(exact[list.apart][i], got[i], top); of > 0 {
					rows = append(rows, []float64{float64(found), float64(of)})
				}
			}
			out = append(out, NearestRecall{list.name, list.apart, top, shareOf(rows, o)})
		}
	}
	return out, nil
}

// nearestFound returns how many of the top nearest neighbours a list holds, and how many there are. Of neighbours as
// similar as the last one, any counts.
func nearestFound(exact, list []topics.Neighbour, top int) (found, of int) {
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

// shareOf divides the sum of the first numbers of the rows by the sum of the second ones.
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
