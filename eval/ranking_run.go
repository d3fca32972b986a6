package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lshclust/lshclust/query"
)

// Match is the targets of a directory in a run.
type Match struct {
	IDs     []uint32 // of each target the document, or NoDocument
	Known   int      // targets that the run holds
	Unknown []string // the first few that it does not hold
	InLinks []int    // of each target the pages that link to it, -1 unknown
}

// NoDocument is the id of no document.
const NoDocument = ^uint32(0)

// ErrNoOverlap is wrapped by the error of Find when the run holds none of the targets.
var ErrNoOverlap = errors.New("the run holds none of the URLs of the gold")

// Find looks the targets of a directory up in a run.
func (d *Directory) Find(r *query.Run) (Match, error) {
	m := Match{IDs: make([]uint32, d.Len()), InLinks: make([]int, d.Len())}
	for i, url := range d.urls {
		id, err := r.Lookup(url)
		if err != nil {
			m.IDs[i], m.InLinks[i] = NoDocument, -1
			if len(m.Unknown) < skippedExamples {
				m.Unknown = append(m.Unknown, url)
			}
			continue
		}
		m.IDs[i], m.InLinks[i] = id, int(r.Document(id).InLinks)
		m.Known++
	}
	if m.Known == 0 {
		return m, fmt.Errorf("%w: it looked for %d, the first is %s", ErrNoOverlap, d.Len(), d.urls[0])
	}
	return m, nil
}

// targets returns for each document of the run its target, -1 for none.
func (m *Match) targets(documents int) []int32 {
	out := make([]int32, documents)
	for i := range out {
		out[i] = -1
	}
	for t, id := range m.IDs {
		if id != NoDocument {
			out[id] = int32(t)
		}
	}
	return out
}

// Related ranks the targets near each target as the run does: by exact similarity, over all stored pairs. Documents that
// are no targets are passed over.
func (m *Match) Related(ctx context.Context, r *query.Run, name string) (Ranking, error) {
	out := Ranking{Name: name, Lists: make([][]Neighbour, len(m.IDs))}
	target := m.targets(r.Len())
	for t, id := range m.IDs {
		if id == NoDocument {
			continue
		}
		if err := ctx.Err(); err != nil {
			return out, err
		}
		out.Lists[t] = among(target, r.Related(id, math.MaxInt))
	}
	return out, nil
}

// Clusters looks at a clustering of the documents of a run, center[id] being the center of each, from the targets.
func (m *Match) Clusters(name string, center []uint32) Clusters {
	c := Clusters{Name: name, Of: make([]uint32, len(m.IDs)), Size: make([]int, len(m.IDs))}
	size := make([]int, len(center))
	for _, of := range center {
		size[of]++
	}
	for t, id := range m.IDs {
		c.Of[t] = NoCluster
		if id != NoDocument {
			c.Of[t], c.Size[t] = center[id], size[center[id]]
		}
	}
	return c
}

// CurvePoint is what the clusters of one threshold of CENTER are worth.
type CurvePoint struct {
	Threshold float64       `json:"threshold"`
	Scores    ClusterScores `json:"scores"`
}

// Curve clusters the stored pairs of a run anew at each threshold and scores the clusters.
func (d *Directory) Curve(ctx context.Context, r *query.Run, m *Match, thresholds []float64, o Options) ([]CurvePoint, error) {
	var out []CurvePoint
	for _, t := range thresholds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		centers, err := r.TopicalCentersAt(t, r.Config.Order)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("threshold %g", t)
		out = append(out, CurvePoint{t, d.ScoreClusters(m.Clusters(name, centers), o)})
	}
	return out, nil
}

// Best returns the place of the point with the greatest B-cubed F at a level, -1 if none has one; of equal ones the
// first.
func Best(curve []CurvePoint, level int) int {
	best := -1
	var most float64
	for i, p := range curve {
		f := p.Scores.Levels[level-1].BCubed.F
		if f.Defined() && (best < 0 || f.Value > most) {
			best, most = i, f.Value
		}
	}
	return best
}

// among keeps the neighbours that are targets.
func among(target []int32, near []query.Neighbour) []Neighbour {
	var out []Neighbour
	for _, n := range near {
		if other := target[n.ID]; other >= 0 {
			out = append(out, Neighbour{other, float64(n.Similarity)})
		}
	}
	return out
}

// searched is the number of targets whose lists are searched at a time; their lists hold all documents.
const searched = 1 << 14

// Search ranks the targets near each target as the index of the run finds them among all documents, be they stored or not.
func (m *Match) Search(ctx context.Context, r *query.Run, name string) (Ranking, error) {
	return m.search(r, name, func(_, some []uint32) ([][]query.Neighbour, error) { return r.Search(ctx, some, math.MaxInt) })
}

// SearchAmong ranks the targets near each target as the index of the run would find them if it held the targets alone.
func (m *Match) SearchAmong(ctx context.Context, r *query.Run, name string) (Ranking, error) {
	return m.search(r, name, func(all, some []uint32) ([][]query.Neighbour, error) {
		return r.SearchAmong(ctx, all, some, math.MaxInt)
	})
}

// StoredAmong ranks the targets near each target as the run would store them if it held the targets alone: of what its
// index finds then, the pairs in which either is among the nearest of the other, as many as the run keeps.
func (m *Match) StoredAmong(ctx context.Context, r *query.Run, name string) (Ranking, error) {
	found, err := m.SearchAmong(ctx, r, name)
	if err == nil && r.Config.Neighbours > 0 {
		found = found.nearestOfEither(r.Config.Neighbours)
	}
	return found, err
}

// nearestOfEither keeps the neighbours that are among the nearest of a target, or the target among theirs.
func (r Ranking) nearestOfEither(most int) Ranking {
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

// search ranks the targets of the lists that find returns for some targets, given the documents of all.
func (m *Match) search(r *query.Run, name string, find func(all, some []uint32) ([][]query.Neighbour, error)) (Ranking, error) {
	out := Ranking{Name: name, Lists: make([][]Neighbour, len(m.IDs))}
	target := m.targets(r.Len())
	var ids []uint32
	var of []int // target of each
	for t, id := range m.IDs {
		if id != NoDocument {
			ids, of = append(ids, id), append(of, t)
		}
	}
	for from := 0; from < len(ids); from += searched {
		some := ids[from:min(from+searched, len(ids))]
		lists, err := find(ids, some)
		if err != nil {
			return out, err
		}
		for i, near := range lists {
			out.Lists[of[from+i]] = among(target, near)
		}
	}
	return out, nil
}
