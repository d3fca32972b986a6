package resemble

import (
	"context"
	"encoding/binary"
	"math"
)

// tie sorts the links by cluster and processes one cluster after another.
func (b *clustering) tie(ctx context.Context) error {
	t := tied{clustering: b}
	err := b.sortLinks(ctx, func(rec *[linkRecord]byte, x, y uint32, p Pair) { // root, x, y, resemblance
		binary.BigEndian.PutUint32(rec[:], b.union.Find(x))
		binary.BigEndian.PutUint32(rec[4:], x)
		binary.BigEndian.PutUint32(rec[8:], y)
		binary.BigEndian.PutUint32(rec[12:], math.Float32bits(float32(p.Resemblance())))
	}, t.link)
	if err == nil {
		err = t.end()
	}
	if err != nil {
		return err
	}
	b.spread()
	return nil
}

// tied is the cluster whose links tie is reading.
type tied struct {
	*clustering
	root  uint32
	group *Group
	node  uint32 // of the representative
	links []ids  // at most Effort
}

func (t *tied) link(rec []byte) error {
	root, a, b := binary.BigEndian.Uint32(rec), binary.BigEndian.Uint32(rec[4:]), binary.BigEndian.Uint32(rec[8:])
	if t.group == nil || root != t.root {
		if err := t.end(); err != nil {
			return err
		}
		t.root, t.group = root, &t.out.groups[t.clustering.group[root]-1]
		t.node = t.equal.Representative(t.group.Representative)
	}
	t.group.Links++
	if a == t.node || b == t.node {
		other := a ^ b ^ t.node
		t.out.via[other] = ViaPair
		t.out.resemblance[other] = math.Float32frombits(binary.BigEndian.Uint32(rec[12:]))
	}
	if len(t.links) <= t.c.Effort {
		t.links = append(t.links, ids{a, b})
	}
	return nil
}

// end finds the diameter of the cluster.
func (t *tied) end() error {
	if t.group == nil {
		return nil
	}
	g := t.group
	if len(t.links) > t.c.Effort {
		g.DiameterLow, g.DiameterHigh = 1, g.Distinct-1
	} else {
		g.DiameterLow, g.DiameterHigh = diameter(t.links, t.node, t.c.Effort)
	}
	t.links = t.links[:0]
	return nil
}

// spread gives equal documents the ties of their representatives.
func (b *clustering) spread() {
	o := b.out
	for i := range o.groups {
		g := &o.groups[i]
		node := b.equal.Representative(g.Representative)
		for _, id := range o.order[g.from : g.from+g.Documents] {
			if r := b.equal.Representative(id); r != node && r != id {
				o.via[id], o.resemblance[id] = o.via[r], o.resemblance[r]
			}
			if o.via[id] == ViaChain {
				g.Chained++
			}
		}
	}
}
