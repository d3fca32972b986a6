package resemble

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
