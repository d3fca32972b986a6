package tree

import (
	"context"
	"slices"
)

// partition divides the nodes of a graph into groups.
type partition struct {
	g        *graph
	of       []uint32 // group of each node
	groups   []group
	expected float64  // resolution / twice the sum of all links
	near     []uint32 // groups to which the node that look was called for has links
}

// group is a group of nodes.
type group struct {
	strength uint64
	links    uint64 // to it from the node that look was called for
}

// partitionOf returns a partition, given the group of each node.
func partitionOf(g *graph, of []uint32, resolution float64) *partition {
	p := &partition{g: g, of: of, groups: make([]group, g.len())}
	for u, group := range of {
		p.groups[group].strength += g.strength[u]
	}
	p.expected = resolution / float64(max(1, g.total()))
	return p
}

// look adds up the links of a node to each group. Groups are all over the memory, so it has no branches that depend on them:
// a processor then loads several at once, which takes half the time.
func (p *partition) look(u uint32) {
	to, sums := p.next(u)
	n, near := 0, p.near
	for i, v := range to {
		of := p.of[v]
		links := &p.groups[of].links
		near[n] = of
		more := n + 1
		if *links != 0 {
			more = n
		}
		n = more
		*links += sums[i]
	}
	p.near = near[:n]
}

// lookWithin is look for the links to nodes of a group of another partition.
func (p *partition) lookWithin(u uint32, other *partition, group uint32) {
	to, sums := p.next(u)
	n := 0
	for i, v := range to {
		if other.of[v] != group {
			continue
		}
		of := p.of[v]
		if p.groups[of].links == 0 {
			p.near[n] = of
			n++
		}
		p.groups[of].links += sums[i]
	}
	p.near = p.near[:n]
}

// next returns the links of a node, which are to be added up, and makes room for the groups near it.
func (p *partition) next(u uint32) (to []uint32, sums []uint64) {
	for _, of := range p.near {
		p.groups[of].links = 0
	}
	to, sums = p.g.of(0, u)
	p.near = slices.Grow(p.near[:0], len(to))[:len(to)]
	return to, sums[:len(to)]
}

// gain returns by how much more than expected are the links from something of a strength to others. The products are
// converted, so that no processor fuses them with the difference, which would round differently.
func (p *partition) gain(links, strength, of uint64) float64 {
	return float64(links) - float64(float64(strength)*float64(of)*p.expected)
}

// best returns the group near a node that gains most by the node, with the gain, if that is at least a given one; or the
// given group. The node is in no group.
func (p *partition) best(u uint32, least float64, or uint32, fits func(group uint32) bool) (uint32, float64) {
	for _, group := range p.near {
		if fits != nil && !fits(group) {
			continue
		}
		to := &p.groups[group]
		gain := p.gain(to.links, p.g.strength[u], to.strength)
		if gain > least || gain == least && group < or {
			least, or = gain, group
		}
	}
	return or, least
}

// visits is how often move looks at a node on average, at most.
const visits = 100

// move moves nodes between groups until no move gains a link of the least similarity. A node is looked at again when a
// neighbour has moved elsewhere, but on average no more than visits times: in a damaged table, whose pairs are not symmetric,
// moves may never end.
func (p *partition) move(ctx context.Context) error {
	queue, waits, empty := identity(p.g.len()), make([]bool, p.g.len()), p.empty()
	for i := range waits {
		waits[i] = true
	}
	for n := 0; len(queue) > 0 && n < visits*p.g.len(); n++ {
		if n%block == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		u := queue[0]
		queue, waits[u] = queue[1:], false
		p.look(u)
		own, strength := p.of[u], p.g.strength[u]
		from := &p.groups[own]
		from.strength -= strength
		to, gain := p.best(u, p.gain(from.links, strength, from.strength)+1, own, nil)
		if last := len(empty) - 1; gain < 0 && last >= 0 {
			to, empty = empty[last], empty[:last]
		}
		p.of[u] = to
		p.groups[to].strength += strength
		if to == own {
			continue
		}
		if from.strength == 0 {
			empty = append(empty, own)
		}
		next, _ := p.g.of(0, u)
		for _, v := range next {
			if !waits[v] && p.of[v] != to {
				queue, waits[v] = append(queue, v), true
			}
		}
	}
	return nil
}

// empty returns the groups without nodes.
func (p *partition) empty() (out []uint32) {
	used := make([]bool, len(p.groups))
	for _, group := range p.of {
		used[group] = true
	}
	for group, used := range used {
		if !used {
			out = append(out, uint32(group))
		}
	}
	return out
}

// refine returns a partition that divides each group further: into groups that grow from single nodes as far as their
// links to the rest of the group are more than expected. Such groups are connected.
func (p *partition) refine(resolution float64) *partition {
	fine := partitionOf(p.g, identity(p.g.len()), resolution)
	outer := make([]uint64, p.g.len()) // links of each fine group to the rest of the group that it is in
	for u := range outer {
		to, sums := p.g.of(0, uint32(u))
		of, sum := p.of[u], uint64(0)
		for i, v := range to {
			more := sums[i]
			if p.of[v] != of {
				more = 0
			}
			sum += more
		}
		outer[u] = sum
	}
	alone := make([]bool, p.g.len())
	for u := range alone {
		alone[u] = true
	}
	wellLinked := func(group, of uint32) bool {
		return fine.gain(outer[group], fine.groups[group].strength, p.groups[of].strength-fine.groups[group].strength) >= 0
	}
	for u := range uint32(p.g.len()) {
		of := p.of[u]
		if !alone[u] || !wellLinked(u, of) {
			continue
		}
		fine.lookWithin(u, p, of)
		to, _ := fine.best(u, 0, u, func(group uint32) bool { return wellLinked(group, of) })
		if to == u {
			continue
		}
		alone[u], alone[to] = false, false
		fine.of[u] = to
		fine.groups[to].strength += fine.groups[u].strength
		fine.groups[u].strength = 0
		outer[to] = outer[to] + outer[u] - 2*fine.groups[to].links
	}
	return fine
}

// number numbers the groups in the order of their first nodes and returns their number.
func number(of []uint32) (groups int) {
	numbers := make([]uint32, len(of)) // 1 more than the number of each group
	for u, group := range of {
		if numbers[group] == 0 {
			groups++
			numbers[group] = uint32(groups)
		}
		of[u] = numbers[group] - 1
	}
	return groups
}

// passes is how often communities are found anew from those that were found. For the parts of a topic, a second pass is worth
// nothing that the golds of lab/quality.md could tell.
const passes = 2

// communities returns the community of each node, and the number of communities. In the end, nodes move one by one. The
// communities are numbered in the order of their first nodes.
func (g *graph) communities(ctx context.Context, resolution float64, passes int, c Config) (of []uint32, n int, err error) {
	of = identity(g.len())
	for range passes {
		if of, err = g.improve(ctx, of, resolution, c); err != nil {
			return nil, 0, err
		}
	}
	err = partitionOf(g, of, resolution).move(ctx)
	return of, number(of), err
}

// improve returns communities that begin with given ones, whose numbers are below those of the nodes.
func (g *graph) improve(ctx context.Context, of []uint32, resolution float64, c Config) ([]uint32, error) {
	at := identity(g.len()) // node of h in which each node is
	h := g
	defer func() {
		if h != g && h != nil {
			h.free()
		}
	}()
	for {
		p := partitionOf(h, of, resolution)
		if err := p.move(ctx); err != nil {
			return nil, err
		}
		fine := p.refine(resolution).of
		groups := number(fine)
		if groups == h.len() {
			return chosen(p.of, at), nil
		}
		joined, err := h.join(ctx, fine, groups, c)
		if h != g {
			h.free()
		}
		h = joined
		if err != nil {
			return nil, err
		}
		of = make([]uint32, groups)
		first := make([]uint32, len(fine)) // the first fine group of each group, which gives it its number
		for u := len(fine) - 1; u >= 0; u-- {
			first[p.of[u]] = fine[u]
		}
		for u, group := range fine {
			of[group] = first[p.of[u]]
		}
		at = chosen(fine, at)
	}
}

// chosen returns the elements of a slice with some indexes.
func chosen(from, indexes []uint32) []uint32 {
	out := make([]uint32, len(indexes))
	for i, at := range indexes {
		out[i] = from[at]
	}
	return out
}

func identity(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}
