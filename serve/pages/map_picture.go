package pages

import (
	"fmt"
	"math"

	"github.com/lshclust/lshclust/internal/chart"
)

// mapFrame is the area of a map. It is nearly square, so that it fits a telephone.
var mapFrame = frame{width: 760, height: 640, margin: 34}

// nodeGap is the least distance between two nodes, wide enough for a finger on a narrow screen.
const nodeGap = 62

// colours is the number of the colours of groups. Group 0 is for those that have none.
const colours = 6

// picture is a drawn graph.
type picture struct {
	Width, Height float64
	Lines         []drawnLine
	Nodes         []drawnNode
	Groups        []drawnGroup // that have a colour, with two nodes or more
}

type drawnLine struct {
	X1, Y1, X2, Y2 float64
	Weight         int // 1 to 4, the more similar the heavier
	Text           bool
}

type drawnNode struct {
	Number       int // from 1; 0 for the document in the middle
	X, Y, Radius float64
	Colour       int // of its group, 0 for none
	Name         string
	To           string
	Label        placed
	LabelX       float64
	LabelY       float64
	Beyond       bool // two steps away
}

type drawnGroup struct {
	Colour int
	Nodes  int
	Link   Link
}

// draw lays a graph out and draws it. to makes the link of a node.
func draw(g *graph, q Links) *picture {
	at := spread(g.distances())
	mapFrame.fit(at)
	mapFrame.separate(at, nodeGap)
	p := &picture{Width: mapFrame.width, Height: mapFrame.height}
	colour := p.group(g, q)
	radius, names := make([]float64, len(at)), make([]string, len(at))
	for i, n := range g.nodes {
		radius[i], names[i] = size(n), n.name
	}
	labels := mapFrame.place(at, radius, names, func(s string, room float64) (string, float64) { return chart.Fit(s, labelSize*1.25, room) })
	for _, l := range g.lines {
		a, b := at[l.from], at[l.to]
		p.Lines = append(p.Lines, drawnLine{tenth(a.x), tenth(a.y), tenth(b.x), tenth(b.y), weight(l.similarity), l.text})
	}
	for i, n := range g.nodes {
		d := drawnNode{
			Number: i, X: tenth(at[i].x), Y: tenth(at[i].y), Radius: tenth(radius[i]), Colour: colour[n.group], Name: names[i], To: q.Page(n.doc.URL),
			Label: labels[i], LabelX: tenth(labels[i].at.x), LabelY: tenth(labels[i].at.y), Beyond: n.hop > 1,
		}
		if i > 0 {
			d.Name = fmt.Sprintf("%d: %s, similarity %s", i, names[i], figure(n.score))
		}
		p.Nodes = append(p.Nodes, d)
	}
	return p
}

// group gives colours to the groups that have two nodes or more, in the order of the nodes, and returns them.
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
		p.Groups = append(p.Groups, drawnGroup{colour[n.group], count[n.group], Link{of.name, to}})
	}
	return colour
}

// size returns the radius of a node: the more pages link to it, the larger.
func size(n node) float64 {
	r := 9 + 2.2*math.Log10(1+float64(n.doc.InLinks))
	if n.hop == 0 {
		r += 4
	}
	return min(r, 20)
}

// weight returns the class of a line.
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
