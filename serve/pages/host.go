package pages

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/serve/api"
)

func hostPage() *Page {
	return &Page{
		Name: "host", Path: "/host", Heavy: true,
		Params: []api.Param{{Name: "host", Doc: "name of a host", Kind: ask.Text, Required: true, Most: 300}},
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

// showHost shows a host. It scans the URLs of all documents.
func showHost(ctx context.Context, q *Question) (*View, error) {
	a, err := ask.OnHost{Host: strings.TrimSpace(q.Args.Text("host")), Window: ask.Window{Limit: mostOfHost}}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	h := &host{Name: a.Name, Shown: len(a.Items), Limited: a.Documents > mostOfHost, Rows: Rows{Name: "Documents"}}
	h.Facts = Facts{{"Documents", a.Documents}, {"Crawled", a.Crawled}, {"Links to them", a.InLinks}}
	h.Topics.Caption = "What its documents are about"
	for _, t := range a.Topics {
		h.Topics.List = append(h.Topics.List, Bar{Link{t.Label, q.Cluster("topical", t.ID)}, t.Documents, float64(t.Documents) / float64(a.Topics[0].Documents), Web})
	}
	for _, m := range a.Items {
		row := q.Row(m.URL, m.Name)
		row.Notes = []string{counted(m.InLinks, "link", "links")}
		h.Rows.List = append(h.Rows.List, row)
	}
	return &View{Title: a.Name, JSON: q.JSON("host", "host", a.Name), Data: h, List: a}, nil
}
