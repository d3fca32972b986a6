package score

import (
	"fmt"
)

// Neighbour is a target near another target.
type Neighbour struct {
	Target     int32
	Similarity float64
}

// Ranking lists the neighbours of each target of a directory, the most similar first. The neighbours are targets too; a
// list holds no duplicates and not the target itself. A target that is not listed has similarity 0.
type Ranking struct {
	Name  string
	Lists [][]Neighbour // one list for each target
}

// CoLinks lists, for each target, the other targets that some page links to together with it, in ascending order.
type CoLinks [][]int32

// Check returns an error that names the first list that breaks the rules for a ranking of d.
func (r Ranking) Check(d *Directory) error {
	if len(r.Lists) != d.Len() {
		return fmt.Errorf("ranking %s has %d lists for %d targets", r.Name, len(r.Lists), d.Len())
	}
	seen := make([]int32, d.Len()) // number of the last list that holds a target, from 1
	for i, list := range r.Lists {
		for j, n := range list {
			switch {
			case n.Target < 0 || int(n.Target) >= d.Len():
				return fmt.Errorf("ranking %s: a neighbour of %s is no target", r.Name, d.URL(i))
			case int(n.Target) == i || seen[n.Target] == int32(i+1):
				return fmt.Errorf("ranking %s: %s is listed twice for %s", r.Name, d.URL(int(n.Target)), d.URL(i))
			case !(n.Similarity >= 0) || j > 0 && n.Similarity > list[j-1].Similarity:
				return fmt.Errorf("ranking %s: the neighbours of %s do not descend", r.Name, d.URL(i))
			}
			seen[n.Target] = int32(i + 1)
		}
	}
	return nil
}

// NearestOfEither keeps a neighbour if it is among the nearest of the target, or the target is among the nearest of it.
func (r Ranking) NearestOfEither(most int) Ranking {
	out := Ranking{Name: r.Name, Lists: make([][]Neighbour, len(r.Lists))}
	near := map[[2]int32]bool{}
	for t, list := range r.Lists {
		for _, n := range list[:min(most, len(list))] {
			near[[2]int32{int32(t), n.Target}] = true
		}
	}
	for t, list := range r.Lists {
		for _, n := range list {
			if near[[2]int32{int32(t), n.Target}] || near[[2]int32{n.Target, int32(t)}] {
				out.Lists[t] = append(out.Lists[t], n)
			}
		}
	}
	return out
}
