package score

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Directory holds the targets of a gold, in the order of their URLs, with the paths of their categories. It is
// immutable.
//
// The prefixes of all paths form a tree. A path is represented by its last node, so the number of levels that two paths
// share is found by walking up the tree.
type Directory struct {
	urls   []string
	leaves [][]int32 // distinct paths of each target, cut to the depth, sorted
	lists  []string  // list of each target; see List
	nodes  []node
	depth  int
	usual  int
}

// node is a prefix of a path. Node 0 is the empty prefix.
type node struct {
	parent int32
	level  int32
	name   string
}

// ErrEmpty reports a directory without targets.
var ErrEmpty = errors.New("the gold has no labels")

// NewDirectory numbers the targets of the labels and cuts their paths to a depth, usually 3.
func NewDirectory(labels []Label, depth int) (*Directory, error) {
	if depth < 1 {
		return nil, fmt.Errorf("depth %d of a directory: must be 1 or more", depth)
	}
	if len(labels) == 0 {
		return nil, ErrEmpty
	}
	sorted := slices.Clone(labels)
	slices.SortStableFunc(sorted, func(a, b Label) int {
		if c := strings.Compare(a.URL, b.URL); c != 0 {
			return c
		}
		return slices.Compare(a.Path, b.Path)
	})
	d := &Directory{nodes: make([]node, 1), depth: depth, usual: usualDepth(labels, depth)}
	children := map[node]int32{}
	for _, l := range sorted {
		if len(l.Path) == 0 {
			return nil, fmt.Errorf("the label of %s has no category", l.URL)
		}
		if n := len(d.urls); n == 0 || d.urls[n-1] != l.URL {
			d.urls = append(d.urls, l.URL)
			d.leaves = append(d.leaves, nil)
			d.lists = append(d.lists, strings.Join(l.Path[:min(2, len(l.Path))], "/"))
		}
		t := len(d.urls) - 1
		if leaf := d.leaf(children, l.Path); !slices.Contains(d.leaves[t], leaf) {
			d.leaves[t] = append(d.leaves[t], leaf)
		}
	}
	return d, nil
}

// leaf returns the node of a path, and creates it if it is new.
func (d *Directory) leaf(children map[node]int32, path []string) int32 {
	at := int32(0)
	for i, name := range path[:min(len(path), d.depth)] {
		key := node{at, int32(i + 1), name}
		next, ok := children[key]
		if !ok {
			next = int32(len(d.nodes))
			d.nodes = append(d.nodes, key)
			children[key] = next
		}
		at = next
	}
	return at
}

// usualDepth returns the greatest depth, between 1 and most, that at least half of the labels have.
func usualDepth(labels []Label, most int) int {
	usual := 1
	for k := 2; k <= most; k++ {
		deep := 0
		for _, l := range labels {
			if len(l.Path) >= k {
				deep++
			}
		}
		if 2*deep >= len(labels) {
			usual = k
		}
	}
	return usual
}

// Len returns the number of targets.
func (d *Directory) Len() int { return len(d.urls) }

// Depth returns the number of levels that the directory distinguishes.
func (d *Directory) Depth() int { return d.depth }

// UsualDepth returns the greatest depth that at least half of the labels have, at which gamma is measured.
func (d *Directory) UsualDepth() int { return d.usual }

// URL returns the canonical URL of target i.
func (d *Directory) URL(i int) string { return d.urls[i] }

// Index returns the number of the target with the given canonical URL.
func (d *Directory) Index(url string) (int, bool) {
	return sort.Find(len(d.urls), func(i int) int { return strings.Compare(url, d.urls[i]) })
}

// Paths returns the distinct paths of target i, sorted and cut to the depth.
func (d *Directory) Paths(i int) [][]string {
	out := make([][]string, len(d.leaves[i]))
	for j, leaf := range d.leaves[i] {
		out[j] = d.path(leaf)
	}
	return out
}

func (d *Directory) path(n int32) []string {
	out := make([]string, d.nodes[n].level)
	for ; n != 0; n = d.nodes[n].parent {
		out[d.nodes[n].level-1] = d.nodes[n].name
	}
	return out
}

// List returns the name of the list of target i: the first two levels of its smallest path, or its only level. The
// targets of a list were chosen together, so intervals resample lists, and a list is never split between halves.
func (d *Directory) List(i int) string { return d.lists[i] }

// Categories returns the number of categories of a level; the first level is 1.
func (d *Directory) Categories(level int) (n int) {
	for _, x := range d.nodes[1:] {
		if int(x.level) == level {
			n++
		}
	}
	return n
}

// Shared returns the number of levels that targets a and b share, the maximum over their paths.
func (d *Directory) Shared(a, b int) (most int) {
	for _, x := range d.leaves[a] {
		for _, y := range d.leaves[b] {
			most = max(most, d.common(x, y))
		}
	}
	return most
}

// common returns the level of the deepest node that is or lies above both nodes.
func (d *Directory) common(x, y int32) int {
	for x != y {
		if d.nodes[x].level >= d.nodes[y].level {
			x = d.nodes[x].parent
		} else {
			y = d.nodes[y].parent
		}
	}
	return int(d.nodes[x].level)
}

// above returns the ancestor of a node at a level, or the node itself.
func (d *Directory) above(n int32, level int) int32 {
	for int(d.nodes[n].level) > level {
		n = d.nodes[n].parent
	}
	return n
}

// Deepest returns the depth of the deepest category of target t.
func (d *Directory) Deepest(t int) (deep int) {
	for _, leaf := range d.leaves[t] {
		deep = max(deep, int(d.nodes[leaf].level))
	}
	return deep
}
