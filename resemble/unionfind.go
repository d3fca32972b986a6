package resemble

// UnionFind keeps the connected components of a graph whose links come one by one.
// Make it with NewUnionFind; it takes 4 bytes a node.
type UnionFind struct{ up []uint32 }

// NewUnionFind returns n nodes, each a component of its own.
func NewUnionFind(n int) *UnionFind {
	u := &UnionFind{make([]uint32, n)}
	for i := range u.up {
		u.up[i] = uint32(i)
	}
	return u
}

// Find returns the lowest node of a node's component.
func (u *UnionFind) Find(x uint32) uint32 {
	for u.up[x] != x {
		u.up[x] = u.up[u.up[x]]
		x = u.up[x]
	}
	return x
}

// Union joins the components of two nodes and reports whether they were two.
func (u *UnionFind) Union(x, y uint32) bool {
	x, y = u.Find(x), u.Find(y)
	if x == y {
		return false
	}
	u.up[max(x, y)] = min(x, y)
	return true
}
