package pages

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/chart"
	"pgregory.net/rapid"
)

// randomGraph draws a graph with some lines, also one without any, or in several parts.
func randomGraph(t *rapid.T) *graph {
	g := &graph{}
	n := rapid.IntRange(1, mostNodes).Draw(t, "nodes")
	for i := range n {
		g.nodes = append(g.nodes, node{id: uint32(i), hop: min(i, 1), name: rapid.StringN(0, 60, 200).Draw(t, "name")})
		g.nodes[i].doc.InLinks = rapid.Uint32Max(1_000_000).Draw(t, "links")
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "lines") {
		a, b := rapid.IntRange(0, n-1).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")
		if a < b {
			g.lines = append(g.lines, line{a, b, rapid.Float64Range(0, 1).Draw(t, "similarity"), rapid.Bool().Draw(t, "text")})
		}
	}
	return g
}

// A picture is the same each time. Its nodes are in the frame and apart, and no label is on another one or on a node.
func TestPicture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t)
		p := draw(g, Links{"", Served})
		if diff := cmp.Diff(p, draw(g, Links{"", Served}), cmp.AllowUnexported(placed{}, spot{}, area{})); diff != "" {
			t.Fatalf("another picture: %s", diff)
		}
		for i, a := range p.Nodes {
			if a.X < mapFrame.margin || a.Y < mapFrame.margin || a.X > p.Width-mapFrame.margin || a.Y > p.Height-mapFrame.margin || math.IsNaN(a.X+a.Y) {
				t.Fatalf("node %d is at %v, %v", i, a.X, a.Y)
			}
			for j, b := range p.Nodes[:i] {
				if d := math.Hypot(a.X-b.X, a.Y-b.Y); d < nodeGap*0.94 {
					t.Fatalf("nodes %d and %d of %d are %v apart", j, i, len(p.Nodes), d)
				}
			}
		}
		checkLabels(t, p)
	})
}

func checkLabels(t *rapid.T, p *picture) {
	for i, a := range p.Nodes {
		if a.Label.Text == "" {
			continue
		}
		if !a.Label.box.inside(mapFrame) {
			t.Fatalf("label %d %q leaves the frame: %+v", i, a.Label.Text, a.Label.box)
		}
		for j, b := range p.Nodes {
			circle := area{b.X - b.Radius + 0.1, b.Y - b.Radius + 0.1, 2*b.Radius - 0.2, 2*b.Radius - 0.2}
			if a.Label.box.overlaps(circle) || j < i && b.Label.Text != "" && a.Label.box.overlaps(b.Label.box) {
				t.Fatalf("label %d %q is on node or label %d", i, a.Label.Text, j)
			}
		}
	}
}

// Similar nodes are nearer to each other than nodes that only others connect.
func TestSpread(t *testing.T) {
	g := &graph{make([]node, 6), []line{{0, 1, 0.9, false}, {1, 2, 0.9, false}, {2, 3, 0.1, false}, {3, 4, 0.9, false}, {4, 5, 0.9, false}}}
	at := spread(g.distances())
	for _, c := range [][4]int{{0, 1, 2, 3}, {3, 4, 2, 3}, {0, 1, 0, 5}} {
		if near, far := at[c[0]].minus(at[c[1]]).length(), at[c[2]].minus(at[c[3]]).length(); near >= far {
			t.Errorf("%d and %d are %.2f apart, %d and %d %.2f", c[0], c[1], near, c[2], c[3], far)
		}
	}
}

func TestShortestWays(t *testing.T) {
	d := [][]float64{{0, 1, 0, 0}, {1, 0, 2, 0}, {0, 2, 0, 0}, {0, 0, 0, 0}}
	shortestWays(d)
	if diff := cmp.Diff([][]float64{{0, 1, 3, 3.6}, {1, 0, 2, 3.6}, {3, 2, 0, 3.6}, {3.6, 3.6, 3.6, 0}}, d, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })); diff != "" {
		t.Error(diff)
	}
}

// Nodes that begin at one place get places of their own.
func TestSeparate(t *testing.T) {
	at := make([]spot, mostNodes)
	mapFrame.separate(at, nodeGap)
	for i, a := range at {
		for j, b := range at[:i] {
			if a.minus(b).length() < nodeGap*0.8 {
				t.Errorf("nodes %d and %d are %.1f apart", i, j, a.minus(b).length())
			}
		}
	}
}

// A label that does not fit is shortened, and left out if even that does not help.
func TestPlace(t *testing.T) {
	small := frame{width: 180, height: 60, margin: 10}
	fitted := func(s string, room float64) (string, float64) { return chart.Fit(s, labelSize, room) }
	long := strings.Repeat("long title ", 20)
	labels := small.place([]spot{{30, 30}, {90, 30}}, []float64{10, 10}, []string{"", long}, fitted)
	if labels[0].Text != "" || !strings.HasSuffix(labels[1].Text, "…") {
		t.Errorf("%+v", labels)
	}
	tiny := frame{width: 40, height: 40, margin: 10}
	if got := tiny.place([]spot{{20, 20}}, []float64{10}, []string{long}, fitted); got[0].Text != "" {
		t.Errorf("%+v", got)
	}
}

func TestConnect(t *testing.T) {
	g := &graph{nodes: []node{{id: 0}, {id: 1, hop: 1, copy: "similar"}, {id: 2, hop: 1}, {id: 3, hop: 2, via: 2}}}
	g.connect(func(a, b uint32) float64 {
		if a+b == 5 {
			return 0.5
		}
		return 0.01
	})
	want := []line{{0, 1, 0.01, true}, {0, 2, 0.01, false}, {2, 3, 0.5, false}}
	if diff := cmp.Diff(want, g.lines, cmp.AllowUnexported(line{})); diff != "" {
		t.Error(diff)
	}
	g.cut(2)
	if diff := cmp.Diff(want[:1], g.lines, cmp.AllowUnexported(line{})); diff != "" || len(g.nodes) != 2 {
		t.Error(diff)
	}
}
