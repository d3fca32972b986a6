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

// host is a host with its documents in the run.
type host struct {
	Name    string
	Facts   Facts
	Topics  Bars
	Rows    Rows
	Shown   int
	Limited bool // whether there are more documents than Rows
}

// mostOfHost is the maximum number of documents listed for a host.
const mostOfHost = 60

// onHost is a document on a host.
type onHost struct {
	id      uint32
	url     string
	inLinks uint32
	crawled bool
}

// showHost shows a host. It scans the URLs of all documents.
func showHost(ctx context.Context, q *Question) (*View, error) {
	name := strings.TrimSpace(q.Args.Text("host"))
	for _, u := range []string{name, "https://" + name} {
		if canonical, err := q.Run.Rules().Canonical(u); err == nil {
			name = hostOf(canonical)
			break
		}
	}
	docs, err := documentsOf(ctx, q.Run, name)
	if err != nil {
		return nil, err
	}
	if len(docs) == 0 {
		return nil, api.NewProblem(404, "unknown-host", "There is no such thing in this run", "The run holds no document on the host "+name+".", "Search for words, or ask about a URL that the run holds.")
	}
	h := &host{Name: name, Limited: len(docs) > mostOfHost, Topics: topicsOf(q, docs), Rows: Rows{Name: "Documents"}}
	crawled, links := 0, 0
	for _, d := range docs {
		links += int(d.inLinks)
		if d.crawled {
			crawled++
		}
	}
	h.Facts = Facts{{"Documents", len(docs)}, {"Crawled", crawled}, {"Links to them", links}}
	slices.SortFunc(docs, func(a, b onHost) int { return cmp.Or(cmp.Compare(b.inLinks, a.inLinks), cmp.Compare(a.url, b.url)) })
	for _, d := range docs[:min(len(docs), mostOfHost)] {
		h.Rows.List = append(h.Rows.List, hostRow(q, d))
	}
	h.Shown = len(h.Rows.List)
	return &View{Title: name, Data: h}, nil
}

// documentsOf returns the documents on a host.
func documentsOf(ctx context.Context, r *api.Run, name string) (docs []onHost, err error) {
	for id := range uint32(r.Len()) {
		if id%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if url := r.URL(id); hostOf(url) == name {
			d := r.Document(id)
			docs = append(docs, onHost{id, url, d.InLinks, d.Crawled})
		}
	}
	return docs, r.Err()
}

func hostRow(q *Question, d onHost) Row {
	row := q.Row(d.url, q.Run.NameOf(d.id))
	row.Notes = []string{counted(int(d.inLinks), "link", "links")}
	return row
}

// topicsOf returns the topical clusters with the most of the documents.
func topicsOf(q *Question, docs []onHost) Bars {
	const most = 12
	if q.Run.Need("topical") != nil {
		return Bars{}
	}
	n, all := map[uint32]int{}, q.Run.TopicalCenters()
	for _, d := range docs {
		n[all[d.id]]++
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
