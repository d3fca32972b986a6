package pages

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/serve/api"
)

func mapPage() *Page {
	url, cluster := urlParam("url"), clusterParam("cluster")
	url.Required, cluster.Required = false, false
	return &Page{Name: "map", Path: "/map", Params: []api.Param{url, cluster}, Show: showMap}
}

// mapView is the map around a document or of a cluster.
type mapView struct {
	Heading  string
	What     string // shown below the heading
	Document string // URL of the document in the middle, "" for a cluster
	Back     Link   // link back to the page or the cluster
	Picture  *picture
	Rows     []Row
	Empty    Empty
	Copies   bool // whether some lines stand for similar texts
	Cluster  bool // whether it is the map of a cluster
}

func showMap(_ context.Context, q *Question) (*View, error) {
	switch url, cluster := q.Args.Text("url"), q.Args.Text("cluster"); {
	case url != "":
		return mapAround(q, url)
	case cluster != "":
		return mapOfCluster(q, cluster)
	}
	return nil, api.NewProblem(http.StatusBadRequest, "bad-request", "A map of what?", "A map needs the URL of a document, or the id of a topical cluster.", "Open the map from a page or from a cluster.")
}

func mapAround(q *Question, url string) (*View, error) {
	id, err := answer.Lookup(q.Run.Run, url)
	if err != nil {
		return nil, err
	}
	g := neighbourhood(q.Run, id)
	d := g.nodes[0].doc
	v := &mapView{Heading: g.nodes[0].name, Document: d.URL, Back: Link{"Its page", q.Page(d.URL)}}
	v.What = "The documents that the web describes most like it, and in turn the nearest of these. The heavier a line, the more similar; the larger a circle, the more pages link to the document."
	v.show(g, q)
	v.Empty = Empty{"Nothing in this run is related to it, so there is no map.", v.Back}
	return &View{Title: "Map of " + v.Heading, Accent: Web, JSON: q.JSON("related", "url", d.URL), Data: v}, nil
}

func mapOfCluster(q *Question, id string) (*View, error) {
	c, err := q.Run.TopicalClusterByID(id)
	if err != nil {
		return nil, err
	}
	g := members(q.Run, c)
	v := &mapView{Heading: labelOf(q.Run, c.Label, c.Center), Cluster: true, Back: Link{"The cluster", q.Cluster("topical", c.ID)}}
	v.What = fmt.Sprintf("The %s of a cluster of %s, around the one in the middle. The heavier a line, the more similar.", leading(len(g.nodes), c.Size), counted(c.Size, "document", "documents"))
	v.show(g, q)
	v.Empty = Empty{"The cluster has no other document.", v.Back}
	return &View{Title: "Map of " + v.Heading, Accent: Web, JSON: q.JSON("cluster", "id", c.ID), Data: v}, nil
}

// show fills in the picture and its table. It drops the last nodes if their links would make the page too long.
func (v *mapView) show(g *graph, q *Question) {
	g.shorten(q)
	if len(g.nodes) < 2 {
		return
	}
	v.Picture = draw(g, q.Links)
	middle := g.nodes[0].doc.URL
	for i, n := range g.nodes {
		r := Row{URL: n.doc.URL, Title: n.name, To: q.Page(n.doc.URL), Number: i, Colour: v.Picture.Nodes[i].Colour}
		if n.copy != "" {
			r.Notes, v.Copies = append(r.Notes, "similar text"), true
		}
		if i == 0 {
			continue
		}
		r.Score, r.Why, r.Map = &Score{n.score, "similarity", Web}, q.Explain(middle, n.doc.URL), q.Map(n.doc.URL)
		if n.copy != "" {
			r.Diff = q.Diff(middle, n.doc.URL)
		}
		if n.hop > 1 {
			r.Notes = append(r.Notes, fmt.Sprintf("by way of %d", n.via))
		}
		v.Rows = append(v.Rows, r)
	}
}

// mostMapBytes limits the bytes of the links of a map.
const mostMapBytes = 60_000

// shorten drops the last nodes if the links to all of them would make the page too long.
func (g *graph) shorten(q *Question) {
	total, middle := 0, len(q.Page(g.nodes[0].doc.URL))
	for i, n := range g.nodes {
		total += 900 + 7*len(q.Page(n.doc.URL)) + 2*len(n.name) + middle
		if i > 0 && total > mostMapBytes {
			g.cut(i)
			return
		}
	}
}

// cut keeps the first n nodes and the lines between them.
func (g *graph) cut(n int) {
	g.nodes = g.nodes[:n]
	kept := g.lines[:0]
	for _, l := range g.lines {
		if l.to < n {
			kept = append(kept, l)
		}
	}
	g.lines = kept
}

func leading(shown, all int) string {
	if shown < all {
		return fmt.Sprintf("%s leading documents", count(shown))
	}
	return "documents"
}

// labelOf returns the name of a topical cluster: its label, or the title of the center.
func labelOf(r *api.Run, label []string, center uint32) string {
	if len(label) > 0 {
		return strings.Join(label, ", ")
	}
	return nameOf(r, center)
}

// clusterParam returns a required parameter that takes the id of a cluster, or of a node of the tree.
func clusterParam(name string) api.Param {
	return api.Param{Name: name, Doc: "id of a cluster", Kind: api.Text, Required: true, Most: 30, Pattern: `^[0-9a-f]{16}(\.[0-9]{1,2})?$`}
}
