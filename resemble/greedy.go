package resemble

import (
	"context"
	"slices"
)

// Greedy clusters without pairs ([S2] 4.4). A document joins the cluster whose representative it resembles most, if by
// at least Floor, and otherwise becomes the representative of a new cluster. Every member resembles its representative,
// so no cluster is a chain. The clusters depend on the order of the documents, which is that of the ids. Greedy holds
// only the sketches of the representatives, and estimates the resemblance from the sketches; it is exact for documents
// that are sampled entirely.
//
// Greedy returns for each document the representative of its cluster and the estimate, which is 1 for the
// representative and its equals. It is one pass on one goroutine. It uses only Floor, M, MinShingles and MaxCommon of
// c. Once more than MaxCommon representatives have a shingle, Greedy ignores it.
func Greedy(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, c Config) (of []uint32, estimate []float32, err error) {
	c.Workers = 1
	s, err := newSearch(docs, equal, strip, c, nil)
	if err != nil {
		return nil, nil, err
	}
	g := greedy{search: s, with: make(map[uint64][]uint32), sketch: make(map[uint32][]uint64)}
	of, estimate = make([]uint32, docs.Len()), make([]float32, docs.Len())
	for id := range uint32(docs.Len()) {
		if id%blockOf == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if r := equal.Representative(id); r != id {
			of[id], estimate[id] = of[r], estimate[r]
			continue
		}
		of[id], estimate[id] = g.add(id)
	}
	return of, estimate, nil
}

type greedy struct {
	*search
	with   map[uint64][]uint32 // sample -> representatives that have it, nil once common
	sketch map[uint32][]uint64 // of the representatives
	near   []uint32            // representatives that share samples, with repeats
	sample []uint64
}

// add finds the cluster of a document.
func (g *greedy) add(id uint32) (of uint32, estimate float32) {
	own, ok := g.own(0, id)
	if !ok {
		return id, 1
	}
	g.sample = g.tiers.sample(g.sample[:0], own, g.tier[id])
	g.near = g.near[:0]
	for _, v := range g.sample {
		g.near = append(g.near, g.with[v]...)
	}
	slices.Sort(g.near)
	best, most := id, 0.0
	for _, r := range slices.Compact(g.near) {
		if e := g.estimate(id, r); e >= g.c.Floor && e > most {
			best, most = r, e
		}
	}
	if best == id {
		g.represent(id)
		return id, 1
	}
	return best, float32(most)
}

// estimate compares a document with a representative at the coarser modulus.
func (g *greedy) estimate(id, r uint32) float64 {
	c := &g.comps[0]
	t := max(g.tier[id], g.tier[r])
	c.sampleA = g.tiers.sample(c.sampleA[:0], g.sample, t)
	c.sampleB = g.tiers.sample(c.sampleB[:0], g.sketch[r], t)
	e, _ := overlap(c.sampleA, c.sampleB).Resemblance()
	return e
}

func (g *greedy) represent(id uint32) {
	g.sketch[id] = slices.Clone(g.sample)
	for _, v := range g.sample {
		list, known := g.with[v]
		switch {
		case known && list == nil: // common
		case len(list) == g.c.MaxCommon:
			g.with[v] = nil
		default:
			g.with[v] = append(list, id)
		}
	}
}
