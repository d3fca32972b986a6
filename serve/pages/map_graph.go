package pages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/serve/api"
)

// Bounds on a map, however large the run is.
const (
	mostNodes   = 36
	mostNear    = 14  // neighbours of the document in the middle
	mostCopies  = 6   // pages with a similar text
	mostBeyond  = 3   // neighbours of each neighbour
	copiesTried = 200 // pages whose texts are compared with that of the document in the middle
	ownLines    = 2   // lines from a node to those most similar to it, besides the one over which it was found
	leastLine   = 0.08
)

// graph holds the documents of a map and the lines between them. The first node is in the middle.
type graph struct {
	nodes []node
	lines []line
}

// node is a document of a map.
type node struct {
	id    uint32
	doc   query.Document
	name  string
	hop   int     // steps from the first node
	via   int     // node that led to it
	score float64 // similarity to the first node
	copy  string  // relation of its text to that of the first node, "" for none
	group group

	pages int    // pages of its group of near-copies, which the node stands for; 0 for none
	text  uint32 // document that represents the group
}

// group is what the nodes of one colour share: the topical cluster or, in the map of a cluster, the host.
type group struct {
	topical string // id of the cluster
	host    string
	name    string
}

// line is a line between two nodes, from < to.
type line struct {
	from, to   int
	similarity float64
	text       bool // whether the texts are similar
}

// neighbourhood returns the graph around a document: its neighbours, the pages with similar texts, and the stored
// neighbours of the neighbours, nearest first.
func neighbourhood(r *api.Run, id uint32) *graph {
	g := &graph{}
	g.add(r, node{id: id, score: 1})
	for _, n := range r.Related(id, query.Lookup{Top: mostNear}) {
		g.add(r, node{id: n.ID, hop: 1, score: float64(n.Similarity)})
	}
	g.addCopies(r, id)
	for via, n := range slices.Clone(g.nodes) {
		if n.hop != 1 {
			continue
		}
		beyond := 0
		for _, m := range r.Related(n.id, query.Lookup{Top: mostNear, Stored: true}) {
			if beyond < mostBeyond && g.add(r, node{id: m.ID, hop: 2, via: via, score: bags.Similarity(r.Bag(id), r.Bag(m.ID))}) {
				beyond++
			}
		}
	}
	g.connect(func(a, b uint32) float64 { return bags.Similarity(r.Bag(a), r.Bag(b)) })
	return g
}

// addCopies adds pages with texts similar to that of the document in the middle.
func (g *graph) addCopies(r *api.Run, id uint32) {
	same, _, err := r.Duplicates(id, copiesTried)
	if err != nil {
		return // the run does not have its text
	}
	added := 0
	for _, d := range same {
		if i := slices.IndexFunc(g.nodes, func(n node) bool { return n.id == d.ID }); i > 0 {
			g.nodes[i].copy = d.Relation
		} else if added < mostCopies && g.add(r, node{id: d.ID, hop: 1, score: bags.Similarity(r.Bag(id), r.Bag(d.ID)), copy: d.Relation}) {
			added++
		}
	}
}

// members returns the graph of the leading members of a topical cluster, around its center.
func members(r *api.Run, c query.TopicalCluster) *graph {
	g := &graph{}
	for _, m := range r.TopicalMembers(c, 0, mostNodes) {
		if g.add(r, node{id: m.ID, hop: min(1, len(g.nodes)), score: float64(m.Similarity)}) {
			host := hostOf(r.URL(m.ID))
			g.nodes[len(g.nodes)-1].group = group{host: host, name: host}
		}
	}
	g.connect(func(a, b uint32) float64 { return bags.Similarity(r.Bag(a), r.Bag(b)) })
	return g
}

// add adds a node unless it or a near-copy of it is already there, or the map is full. In a run without the topical
// view, near-copies are all that a map can show.
func (g *graph) add(r *api.Run, n node) bool {
	if c, err := r.SyntacticCluster(n.id); err == nil && c.Size > 1 && r.Need("topical") == nil {
		n.pages, n.text = c.Size, c.Representative
	}
	there := func(o node) bool { return o.id == n.id || n.pages > 0 && o.pages > 0 && o.text == n.text }
	if len(g.nodes) >= mostNodes || slices.ContainsFunc(g.nodes, there) {
		return false
	}
	n.doc, n.name = r.Document(n.id), nameOf(r, n.id)
	if r.Need("topical") == nil {
		m := r.TopicalMembership(n.id)
		n.group = group{topical: m.ID, name: strings.Join(m.Label, ", ")}
	}
	g.nodes = append(g.nodes, n)
	return true
}

// connect draws lines from each node to the one that led to it and to those most similar to it, and between the first
// node and the pages with similar texts.
func (g *graph) connect(similarity func(a, b uint32) float64) {
	n := len(g.nodes)
	all := make([][]float64, n)
	for i := range all {
		all[i] = make([]float64, n)
		for j := range i {
			all[i][j] = similarity(g.nodes[i].id, g.nodes[j].id)
			all[j][i] = all[i][j]
		}
	}
	drawn := map[[2]int]bool{}
	draw := func(i, j int, text bool) {
		if at := [2]int{min(i, j), max(i, j)}; i != j && !drawn[at] {
			drawn[at] = true
			g.lines = append(g.lines, line{at[0], at[1], all[i][j], text})
		}
	}
	for i := 1; i < n; i++ {
		if g.nodes[i].copy != "" {
			draw(0, i, true)
		}
		draw(i, g.nodes[i].via, false)
	}
	for i := range g.nodes {
		for _, j := range nearest(all[i], ownLines) {
			draw(i, j, false)
		}
	}
	slices.SortFunc(g.lines, func(a, b line) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
}

// nearest returns the indexes of at most most of the largest values, and of none below leastLine.
func nearest(values []float64, most int) (out []int) {
	for i, v := range values {
		if v >= leastLine {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return out[:min(len(out), most)]
}
