package resemble

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"

	"github.com/lshclust/lshclust/internal/extsort"
)

// ClusterConfig holds the settings that turn pairs into clusters.
type ClusterConfig struct {
	Policy
	// Weight, if not nil, makes the document with the largest weight, such as its number of inbound links, the
	// representative of its cluster, or the one with the lowest id of several. Without Weight, it is the document with
	// the lowest id.
	Weight func(id uint32) float64
	// Effort is the maximum number of links to follow to find the diameter of one cluster; 2^20. If more are needed,
	// only bounds of the diameter are known.
	Effort int
	Resources
}

// Via is the kind of tie between a document and the representative of its cluster.
type Via uint8

// The ties, from the strongest to the weakest.
const (
	ViaSelf  Via = iota // it is the representative
	ViaEqual            // it equals the representative
	ViaPair             // it or its equal has a link to the representative or its equal
	ViaChain            // only through links to other members
)

// String returns the name of the tie in tables.
func (v Via) String() string { return [...]string{"self", "equal", "pair", "chain"}[v&3] }

// Member is the place of a document in its cluster.
type Member struct {
	Representative uint32
	Via            Via
	// Relation ties the document to the representative: a level of equality, or Similar. It is Alone for the
	// representative itself.
	Relation Relation
	// Resemblance to the representative; 0, for unknown, if the document is tied by a chain.
	Resemblance float64
}

// Group is a cluster of at least two documents.
type Group struct {
	Representative uint32
	Documents      int // equal ones included
	Distinct       int // representatives of equal documents
	Chained        int // documents without a link to the representative
	Links          uint64
	// Lowest is the resemblance of the weakest link of the maximum spanning tree: at a higher threshold the cluster
	// falls apart. It is 1 if all documents are equal.
	Lowest float64
	// The diameter, the largest number of links on a shortest path between two members, is from DiameterLow to
	// DiameterHigh. These are equal if it was computed.
	DiameterLow, DiameterHigh int
	from                      int // place of the first member in Clusters.order
}

// Clusters is a partition of the documents.
type Clusters struct {
	groups      []Group  // ascending by representative
	of          []uint32 // representative of each document
	via         []Via
	relation    []Relation
	resemblance []float32
	order       []uint32 // members of groups, group after group
}

// Cluster connects the representatives of equal documents by the links among the pairs (union-find, [S1] section 4),
// and gives every document the cluster of its representative. It needs only the pairs, so another policy takes only
// another call, as long as its thresholds are not below those of Pairs. Cluster iterates over pairs twice; pairs must
// yield each pair of representatives once.
func Cluster(ctx context.Context, equal *Equal, pairs iter.Seq2[Pair, error], c ClusterConfig) (*Clusters, error) {
	var err error
	if c.Policy, err = c.Policy.withDefaults(); err != nil {
		return nil, err
	}
	c.Effort = cmp.Or(c.Effort, 1<<20)
	b := clustering{c: c, equal: equal, pairs: pairs, union: NewUnionFind(equal.Len()), lowest: make([]float32, equal.Len())}
	if err := b.unite(ctx); err != nil {
		return nil, err
	}
	b.place()
	if err := b.tie(ctx); err != nil {
		return nil, err
	}
	return b.out, nil
}

type clustering struct {
	c      ClusterConfig
	equal  *Equal
	pairs  iter.Seq2[Pair, error]
	union  *UnionFind
	lowest []float32 // by root: the weakest link that joined the component
	group  []uint32  // by root: number in out.groups + 1
	out    *Clusters
}

// links calls take for every link.
func (b *clustering) links(take func(Pair) error) error {
	for p, err := range b.pairs {
		if err != nil {
			return err
		}
		if !b.c.Links(p) {
			continue
		}
		if n := uint64(b.equal.Len()); uint64(p.A) >= n || uint64(p.B) >= n || p.A == p.B {
			return fmt.Errorf("%w: pair of documents %d and %d of %d", ErrTable, p.A, p.B, n)
		}
		if err := take(p); err != nil {
			return err
		}
	}
	return nil
}

// linkRecord is the size of a record of a link.
const linkRecord = 16

// sortLinks sorts the links between different representatives, as fill makes records of them, and passes each to take.
func (b *clustering) sortLinks(ctx context.Context, fill func(rec *[linkRecord]byte, x, y uint32, p Pair), take func(rec []byte) error) error {
	s, err := newSorting(extsort.Config{Size: linkRecord}, b.c.Resources, b.c.memory())
	if err != nil {
		return err
	}
	defer s.close()
	err = b.links(func(p Pair) error {
		x, y := b.equal.Representative(p.A), b.equal.Representative(p.B)
		if x == y {
			return nil
		}
		var rec [linkRecord]byte
		fill(&rec, x, y, p)
		return s.out[0].Append(rec[:])
	})
	if err != nil {
		return err
	}
	return s.records(ctx, take)
}

// unite takes the links from the strongest to the weakest (Kruskal's algorithm), so that the last link that connects
// two parts of a component is the weakest of its tree.
func (b *clustering) unite(ctx context.Context) error {
	return b.sortLinks(ctx, func(rec *[linkRecord]byte, x, y uint32, p Pair) { // inverted resemblance, x, y
		binary.BigEndian.PutUint64(rec[:], ^math.Float64bits(p.Resemblance()))
		binary.BigEndian.PutUint32(rec[8:], x)
		binary.BigEndian.PutUint32(rec[12:], y)
	}, func(rec []byte) error {
		x, y := binary.BigEndian.Uint32(rec[8:]), binary.BigEndian.Uint32(rec[12:])
		if b.union.Union(x, y) {
			b.lowest[b.union.Find(x)] = float32(math.Float64frombits(^binary.BigEndian.Uint64(rec)))
		}
		return nil
	})
}

// root returns the lowest document of a document's cluster.
func (b *clustering) root(id uint32) uint32 { return b.union.Find(b.equal.Representative(id)) }

// place chooses the representatives and lists the members of each cluster.
func (b *clustering) place() {
	n := b.equal.Len()
	o := &Clusters{of: make([]uint32, n), via: make([]Via, n), relation: make([]Relation, n), resemblance: make([]float32, n)}
	b.out = o
	chosen, members := make([]uint32, n), make([]uint32, n) // by root
	for id := range uint32(n) {
		r := b.root(id)
		members[r]++
		if id == r || b.c.Weight != nil && b.c.Weight(id) > b.c.Weight(chosen[r]) {
			chosen[r] = id
		}
	}
	for id := range uint32(n) {
		o.of[id] = chosen[b.root(id)]
	}
	at := 0
	b.group = make([]uint32, n)
	for id := range uint32(n) {
		r := b.root(id)
		if o.of[id] != id || members[r] < 2 {
			continue
		}
		o.groups = append(o.groups, Group{Representative: id, Documents: int(members[r]), Lowest: cmp.Or(float64(b.lowest[r]), 1), from: at})
		b.group[r] = uint32(len(o.groups))
		at += int(members[r])
	}
	b.list(at)
}

// list fills the list of members and ties those that are equal to their representative. The others are tied by chains
// until a link is found.
func (b *clustering) list(members int) {
	o := b.out
	o.order = make([]uint32, members)
	next := make([]int, len(o.groups))
	for id := range uint32(len(o.of)) {
		number := b.group[b.root(id)]
		if number == 0 {
			o.resemblance[id] = 1
			continue
		}
		g := &o.groups[number-1]
		o.order[g.from+next[number-1]] = id
		next[number-1]++
		if b.equal.Relation(id) == Alone {
			g.Distinct++
		}
		level, equal := b.equal.Between(id, g.Representative)
		switch {
		case id == g.Representative:
			o.resemblance[id] = 1
		case equal:
			o.via[id], o.relation[id], o.resemblance[id] = ViaEqual, level, 1
		default:
			o.via[id], o.relation[id] = ViaChain, Similar
		}
	}
}

// UnionFind maintains the connected components of a graph to which links are added. It takes 4 bytes a node. Create one
// with NewUnionFind.
type UnionFind struct{ up []uint32 }

// NewUnionFind returns n nodes, each in a component of its own.
func NewUnionFind(n int) *UnionFind {
	u := &UnionFind{make([]uint32, n)}
	for i := range u.up {
		u.up[i] = uint32(i)
	}
	return u
}

// Find returns the lowest node of the component of x.
func (u *UnionFind) Find(x uint32) uint32 {
	for u.up[x] != x {
		u.up[x] = u.up[u.up[x]]
		x = u.up[x]
	}
	return x
}

// Union connects the components of two nodes and reports whether they were different.
func (u *UnionFind) Union(x, y uint32) bool {
	x, y = u.Find(x), u.Find(y)
	if x == y {
		return false
	}
	u.up[max(x, y)] = min(x, y)
	return true
}
