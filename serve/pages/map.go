package pages

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/serve/api"
)

func mapPage() *Page {
	url, cluster := urlParam("url"), clusterParam("cluster")
	url.Required, cluster.Required = false, false
	trail := api.Param{Name: "trail", Doc: "documents whose maps were seen before", Kind: api.Text, Most: 100, Pattern: `^[0-9]{1,10}(\.[0-9]{1,10})*$`}
	return &Page{Name: "map", Path: "/map", Params: []api.Param{url, cluster, trail}, Show: showMap}
}

// mostTrail is the number of maps that the trail remembers.
const mostTrail = 6

// mapAlong returns the link to the map around a document for those who come along a trail.
func (l Links) mapAlong(url, trail string) string { return l.To("/map", "url", url, "trail", trail) }

// trailOf returns links to the maps that were seen before, and the trail that leads on from a document.
func trailOf(q *Question, id uint32) (seen []Link, next string) {
	var trail []string
	for _, s := range strings.Split(q.Args.Text("trail"), ".") {
		if of, err := strconv.ParseUint(s, 10, 32); err == nil && int(of) < q.Run.Len() && uint32(of) != id {
			seen = append(seen, Link{nameOf(q.Run, uint32(of)), q.mapAlong(q.Run.URL(uint32(of)), strings.Join(trail, "."))})
			trail = append(trail, s)
		}
	}
	trail = append(trail, strconv.Itoa(int(id)))
	return seen, strings.Join(trail[max(0, len(trail)-mostTrail):], ".")
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
	Trail    []Link
	Pages    int // near-copies that the document in the middle stands for, 0 for none
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
	v.What = "The documents that are most like it, and in turn the nearest of these. The heavier a line, the more similar; the larger a circle, the more pages link to it. A circle leads to the map around it."
	seen, trail := trailOf(q, id)
	v.Trail = seen
	v.show(g, q, trail)
	v.Empty = Empty{"Nothing in this run is related to it, so there is no map.", v.Back}
	return &View{Title: "Map of " + v.Heading, Accent: Web, JSON: q.JSON("related", "url", d.URL), Scripts: []string{"map.js"}, Data: v}, nil
}

func mapOfCluster(q *Question, id string) (*View, error) {
	c, err := q.Run.TopicalClusterByID(id)
	if err != nil {
		return nil, err
	}
	g := members(q.Run, c)
	v := &mapView{Heading: labelOf(q.Run, c.Label, c.Center), Cluster: true, Back: Link{"The cluster", q.Cluster("topical", c.ID)}}
	v.What = fmt.Sprintf("The %s of a cluster of %s, around the one in the middle. The heavier a line, the more similar.", leading(len(g.nodes), c.Size), counted(c.Size, "document", "documents"))
	v.show(g, q, "")
	v.Empty = Empty{"The cluster has no other document.", v.Back}
	return &View{Title: "Map of " + v.Heading, Accent: Web, JSON: q.JSON("cluster", "id", c.ID), Scripts: []string{"map.js"}, Data: v}, nil
}

// show fills in the picture and its table. It drops the last nodes if their links would make the page too long.
func (v *mapView) show(g *graph, q *Question, trail string) {
	g.shorten(q)
	if len(g.nodes) < 2 {
		return
	}
	v.Picture = draw(g, q.Links, trail)
	middle := g.nodes[0].doc.URL
	for i, n := range g.nodes {
		r := Row{URL: n.doc.URL, Title: n.name, To: q.Page(n.doc.URL), Number: i, Colour: v.Picture.Nodes[i].Colour}
		if n.copy != "" {
			r.Notes, v.Copies = append(r.Notes, "similar text"), true
		}
		if n.pages > 0 {
			r.Notes = append(r.Notes, nearCopies(n))
		}
		if i == 0 {
			v.Pages = n.pages
			continue
		}
		r.Score, r.Why, r.Map = &Score{n.score, "similarity", Web}, q.Explain(middle, n.doc.URL), q.mapAlong(n.doc.URL, trail)
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
