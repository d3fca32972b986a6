package score

import (
	"encoding/binary"
	"slices"
)

// view is a directory restricted to the paths of at least a given depth, cut off at that depth.
type view struct {
	d      *Directory
	depth  int
	leaves [][]int32 // paths of each target; nil if the target is not in the view
	len    int       // number of targets in the view
}

// whole returns the view of all paths.
func (d *Directory) whole() *view { return &view{d, d.depth, d.leaves, d.Len()} }

// deep returns the view of the paths that have at least the given depth.
func (d *Directory) deep(depth int) *view {
	v := &view{d: d, depth: depth, leaves: make([][]int32, d.Len())}
	for i, leaves := range d.leaves {
		for _, leaf := range leaves {
			if int(d.nodes[leaf].level) >= depth {
				v.leaves[i] = appendNew(v.leaves[i], d.above(leaf, depth))
			}
		}
		if v.leaves[i] != nil {
			v.len++
		}
	}
	return v
}

func appendNew(set []int32, x int32) []int32 {
	if slices.Contains(set, x) {
		return set
	}
	return append(set, x)
}

// at appends the distinct categories of a target at a level, in ascending order.
func (v *view) at(out []int32, target int32, level int) []int32 {
	from := len(out)
	for _, leaf := range v.leaves[target] {
		if int(v.d.nodes[leaf].level) >= level {
			if n := v.d.above(leaf, level); !slices.Contains(out[from:], n) {
				out = append(out, n)
			}
		}
	}
	slices.Sort(out[from:])
	return out
}

// together counts, for each member, the members that share a category of the level with it, itself included. The count
// is 0 for a member without a category at that level. For a member in one category, the count is the size of the
// category. For each set of several categories, together counts the union of their members once.
func (v *view) together(members []int32, level int) []int {
	in := map[int32][]int{} // members of each category, by their index
	unions := map[string]int{}
	of := make([][]int32, len(members))
	for j, m := range members {
		of[j] = v.at(nil, m, level)
		for _, c := range of[j] {
			in[c] = append(in[c], j)
		}
	}
	out, seen := make([]int, len(members)), make([]int, len(members))
	var key []byte
	for j, set := range of {
		if len(set) < 2 {
			for _, c := range set {
				out[j] = len(in[c])
			}
			continue
		}
		key = key[:0]
		for _, c := range set {
			key = binary.LittleEndian.AppendUint32(key, uint32(c))
		}
		n, ok := unions[string(key)]
		if !ok {
			for _, c := range set {
				for _, i := range in[c] {
					if seen[i] != j+1 {
						seen[i] = j + 1
						n++
					}
				}
			}
			unions[string(key)] = n
		}
		out[j] = n
	}
	return out
}

// prospects says what a query can expect: how many targets share at least k levels with it, and how many levels a given
// target shares with it.
type prospects struct {
	*view
	before [][]int // before[k][target] is the number of targets that share at least k+1 levels with it, itself included
	marks  []int32 // a node on a path of the query has the mark query+1

	asked bool  // whether the query is in the view
	sizes []int // sizes[k] counts the other targets, not barred, that share at least k levels with the query
	query int32
}

func (v *view) prospects() *prospects {
	p := &prospects{view: v, marks: make([]int32, len(v.d.nodes)), sizes: make([]int, v.depth+1)}
	all := make([]int32, len(v.leaves))
	for i := range all {
		all[i] = int32(i)
	}
	for k := range v.depth {
		p.before = append(p.before, v.together(all, k+1))
	}
	return p
}

// in reports whether a target is in the view.
func (p *prospects) in(target int32) bool { return p.leaves[target] != nil }

// ask moves on to another query.
func (p *prospects) ask(query int32, barred []int32) {
	p.query, p.asked = query, p.in(query)
	if !p.asked {
		return
	}
	for _, leaf := range p.leaves[query] {
		for n := leaf; p.marks[n] != query+1; n = p.d.nodes[n].parent { // the root is its own parent
			p.marks[n] = query + 1
		}
	}
	p.sizes[0] = p.len - 1
	for k := 1; k <= p.depth; k++ {
		p.sizes[k] = max(0, p.before[k-1][query]-1)
	}
	for _, b := range barred {
		if !p.in(b) {
			continue
		}
		for k := range p.shared(b) + 1 {
			p.sizes[k]--
		}
	}
}

// shared returns the number of levels that a target shares with the query. All nodes above a marked node are marked
// too, so the first marked node on the way up is the deepest.
func (p *prospects) shared(target int32) (most int) {
	for _, n := range p.leaves[target] {
		for p.marks[n] != p.query+1 {
			n = p.d.nodes[n].parent
		}
		most = max(most, int(p.d.nodes[n].level))
	}
	return most
}
