package pages

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Two rings surround the document in the middle of a map; the first nodes are on the inner ring. Circles are far
// enough apart for a finger on a narrow screen.
const (
	mapSize   = 660
	innerRing = 18  // nodes on it
	innerWide = 190 // radius
	outerWide = 285
)

// colours is the number of colours for groups, including 0 for groups without a colour.
const colours = 6

// picture is a drawn graph.
type picture struct {
	Size   int
	Lines  []drawnLine
	Nodes  []drawnNode
	Groups []drawnGroup // groups with a colour, which have two or more nodes
}

type drawnLine struct {
	X1, Y1, X2, Y2 float64
	Weight         int // 1 to 4, heavier for more similar nodes
	Text           bool
}

type drawnNode struct {
	Number       int // from 1; 0 for the document in the middle
	X, Y, Radius float64
	Colour       int // colour of its group, 0 for none
	Pages        int // near-copies that it stands for, 0 for none
	Name         string
	To           string
}

type drawnGroup struct {
	Colour int
	Link   Link
}

// draw places the nodes of a graph on rings, those of one colour side by side, and draws the lines.
func draw(g *graph, q Links, trail string) *picture {
	p := &picture{Size: mapSize}
	colour := p.group(g, q)
	for i, n := range g.nodes {
		d := drawnNode{Number: i, X: mapSize / 2, Y: mapSize / 2, Radius: tenth(size(n)), Colour: colour[n.group], Pages: n.pages, Name: n.name, To: q.Page(n.doc.URL)}
		if i > 0 {
			d.Name, d.To = fmt.Sprintf("%d: %s, similarity %s", i, n.name, figure(n.score)), q.mapAlong(n.doc.URL, trail)
		}
		if n.pages > 0 {
			d.Name += ", " + nearCopies(n)
		}
		p.Nodes = append(p.Nodes, d)
	}
	ring(p.Nodes[1:min(len(p.Nodes), 1+innerRing)], innerWide)
	if len(p.Nodes) > 1+innerRing {
		ring(p.Nodes[1+innerRing:], outerWide)
	}
	for _, l := range g.lines {
		a, b := p.Nodes[l.from], p.Nodes[l.to]
		p.Lines = append(p.Lines, drawnLine{a.X, a.Y, b.X, b.Y, weight(l.similarity), l.text})
	}
	return p
}

// nearCopies says how many pages a node stands for.
func nearCopies(n node) string { return "one of " + counted(n.pages, "near-copy", "near-copies") }

// ring places nodes on a circle around the middle, ordered by colour.
func ring(nodes []drawnNode, radius float64) {
	order := make([]int, len(nodes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(nodes[a].Colour, nodes[b].Colour) })
	for place, i := range order {
		sin, cos := math.Sincos(2 * math.Pi * (float64(place) + 0.5) / float64(len(nodes)))
		nodes[i].X, nodes[i].Y = tenth(mapSize/2+radius*sin), tenth(mapSize/2-radius*cos)
	}
}

// group assigns colours to the groups with two or more nodes, in the order of the nodes, and returns them.
func (p *picture) group(g *graph, q Links) map[group]int {
	count, colour := map[group]int{}, map[group]int{}
	for _, n := range g.nodes {
		count[n.group]++
	}
	for _, n := range g.nodes {
		of := n.group
		if of == (group{}) || count[of] < 2 || colour[of] > 0 || len(p.Groups) == colours {
			continue
		}
		to := q.Host(of.host)
		if of.topical != "" {
			to = q.Cluster("topical", of.topical)
		}
		if of.name == "" {
			of.name = "a cluster without a label"
		}
		colour[n.group] = len(p.Groups) + 1
		p.Groups = append(p.Groups, drawnGroup{colour[n.group], Link{of.name, to}})
	}
	return colour
}

// size returns the radius of a node, which grows with the number of pages that link to it.
func size(n node) float64 {
	r := 9 + 2.2*math.Log10(1+float64(n.doc.InLinks))
	if n.hop == 0 {
		r += 4
	}
	return min(r, 20)
}

// weight returns the weight of a line.
func weight(similarity float64) int {
	switch {
	case similarity >= 0.5:
		return 4
	case similarity >= 0.3:
		return 3
	case similarity >= 0.15:
		return 2
	}
	return 1
}
