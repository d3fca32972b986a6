package eval

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// Match holds the documents of a run that are the targets of a directory.
type Match struct {
	IDs     []uint32 // document of each target, or NoDocument
	Known   int      // number of targets that the run holds
	Unknown []string // the first few targets that it does not hold
	InLinks []int    // number of pages that link to each target, -1 if unknown
}

// NoDocument is the id of a target that is not a document of the run.
const NoDocument = ^uint32(0)

// ErrNoOverlap is wrapped by the error of Find if the run holds none of the targets.
var ErrNoOverlap = errors.New("the run holds none of the URLs of the gold")

// Find looks up the targets of a directory in a run.
func Find(r *query.Run, d *score.Directory) (Match, error) {
	m := Match{IDs: make([]uint32, d.Len()), InLinks: make([]int, d.Len())}
	for i := range d.Len() {
		url := d.URL(i)
		id, err := r.Lookup(url)
		if err != nil {
			m.IDs[i], m.InLinks[i] = NoDocument, -1
			if len(m.Unknown) < unknownExamples {
				m.Unknown = append(m.Unknown, url)
			}
			continue
		}
		m.IDs[i], m.InLinks[i] = id, int(r.Document(id).InLinks)
		m.Known++
	}
	if m.Known == 0 {
		return m, fmt.Errorf("%w: looked for %d, the first is %s", ErrNoOverlap, d.Len(), d.URL(0))
	}
	return m, nil
}

// targets returns the target that each document of the run is, or -1.
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

// Clusters restricts a clustering of the documents of a run to the targets. center[id] is the center of document id.
func (m *Match) Clusters(name string, center []uint32) score.Clusters {
	c := score.Clusters{Name: name, Of: make([]uint32, len(m.IDs)), Size: make([]int, len(m.IDs))}
	size := make([]int, len(center))
	for _, of := range center {
		size[of]++
	}
	for t, id := range m.IDs {
		c.Of[t] = score.NoCluster
		if id != NoDocument {
			c.Of[t], c.Size[t] = center[id], size[center[id]]
		}
	}
	return c
}

// among keeps the neighbours that are targets.
func among(target []int32, near []query.Neighbour) []score.Neighbour {
	var out []score.Neighbour
	for _, n := range near {
		if other := target[n.ID]; other >= 0 {
			out = append(out, score.Neighbour{Target: other, Similarity: float64(n.Similarity)})
		}
	}
	return out
}

// searched is the number of targets whose lists are searched at a time. While they are searched, their lists hold all
// documents.
const searched = 1 << 14

// Search ranks the neighbours of each target that the index of the run finds among all documents, stored or not.
func (m *Match) Search(ctx context.Context, r *query.Run, name string) (score.Ranking, error) {
	return m.search(r, name, func(_, some []uint32) ([][]query.Neighbour, error) { return r.Search(ctx, some, math.MaxInt) })
}

// SearchAmong ranks the neighbours of each target that the index of the run would find if it held only the targets.
func (m *Match) SearchAmong(ctx context.Context, r *query.Run, name string) (score.Ranking, error) {
	return m.search(r, name, func(all, some []uint32) ([][]query.Neighbour, error) {
		return r.SearchAmong(ctx, all, some, math.MaxInt)
	})
}

// StoredAmong ranks the neighbours of each target that the run would store if it held only the targets: of what its
// index finds then, the pairs in which either target is among the nearest of the other, as many as the run keeps.
func (m *Match) StoredAmong(ctx context.Context, r *query.Run, name string) (score.Ranking, error) {
	found, err := m.SearchAmong(ctx, r, name)
	if err == nil && r.Config.Neighbours > 0 {
		found = found.NearestOfEither(r.Config.Neighbours)
	}
	return found, err
}

// search ranks the neighbours of the targets. find returns the lists of some documents, given the documents of all
// targets.
func (m *Match) search(r *query.Run, name string, find func(all, some []uint32) ([][]query.Neighbour, error)) (score.Ranking, error) {
	out := score.Ranking{Name: name, Lists: make([][]score.Neighbour, len(m.IDs))}
	target := m.targets(r.Len())
	var ids []uint32
	var of []int // target of each document in ids
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

// unknownExamples is the number of unknown targets that are named.
const unknownExamples = 5
