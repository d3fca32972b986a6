package pages

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/serve/api"
)

func hostPage() *Page {
	return &Page{
		Name: "host", Path: "/host", Heavy: true,
		Params: []api.Param{{Name: "host", Doc: "name of a host", Kind: api.Text, Required: true, Most: 300}},
		Show:   showHost,
	}
}

// host is what a run holds of a host.
type host struct {
	Name    string
	Facts   Facts
	Topics  Bars
	Rows    Rows
	Shown   int
	Limited bool // there are more documents than Rows has
}

// mostOfHost is the number of documents of a host that are listed.
const mostOfHost = 60

// showHost looks through the URLs of all documents.
func showHost(ctx context.Context, q *Question) (*View, error) {
	name := strings.TrimSpace(q.Args.Text("host"))
	for _, u := range []string{name, "https://" + name} {
		if canonical, err := q.Run.Rules().Canonical(u); err == nil {
			name = hostOf(canonical)
			break
		}
	}
	ids, err := documentsOf(ctx, q.Run, name)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, api.NewProblem(404, "unknown-host", "There is no such thing in this run", "The run holds no document on the host "+name+".", "Search for words, or ask about a URL that the run holds.")
	}
	h := &host{Name: name, Limited: len(ids) > mostOfHost}
	crawled, links := 0, 0
	for _, id := range ids {
		d := q.Run.Document(id)
		if d.Crawled {
			crawled++
		}
		links += int(d.InLinks)
	}
	h.Facts = Facts{{"Documents", len(ids)}, {"Crawled", crawled}, {"Links to them", links}}
	h.Topics = topicsOf(q, ids)
	slices.SortFunc(ids, func(a, b uint32) int {
		x, y := q.Run.Document(a), q.Run.Document(b)
		return cmp.Or(cmp.Compare(y.InLinks, x.InLinks), cmp.Compare(x.URL, y.URL))
	})
	h.Rows = Rows{Name: "Documents"}
	for _, id := range ids[:min(len(ids), mostOfHost)] {
		h.Rows.List = append(h.Rows.List, hostRow(q, id))
	}
	h.Shown = len(h.Rows.List)
	return &View{Title: name, Data: h}, nil
}

// documentsOf returns the documents on a host.
func documentsOf(ctx context.Context, r *api.Run, name string) (ids []uint32, err error) {
	for id := range uint32(r.Len()) {
		if id%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if hostOf(r.Document(id).URL) == name {
			ids = append(ids, id)
		}
	}
	return ids, r.Err()
}

func hostRow(q *Question, id uint32) Row {
	d := q.Run.Document(id)
	row := q.Row(d.URL, d.Title)
	row.Notes = []string{counted(int(d.InLinks), "link", "links")}
	return row
}

// topicsOf returns the topical clusters that most of some documents are in.
func topicsOf(q *Question, ids []uint32) Bars {
	const most = 12
	if q.Run.Need("topical") != nil {
		return Bars{}
	}
	n := map[uint32]int{}
	for _, id := range ids {
		n[q.Run.TopicalMembership(id).Center]++
	}
	var centers []uint32
	for c, k := range n {
		if k > 1 {
			centers = append(centers, c)
		}
	}
	slices.SortFunc(centers, func(a, b uint32) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	out := Bars{Caption: "What its documents are about"}
	for _, c := range centers[:min(len(centers), most)] {
		if m := q.Run.TopicalMembership(c); len(m.Label) > 0 {
			out.List = append(out.List, Bar{Link{phrases(m.Label), q.Cluster("topical", m.ID)}, n[c], float64(n[c]) / float64(n[centers[0]]), Web})
		}
	}
	return out
}
