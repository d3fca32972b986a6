package pages

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/ask"
)

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
	h.Topics.Caption = "Topics of its documents"
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

// hosts lists hosts.
type hosts struct {
	Lead string
	List Table
	pager
}

const (
	hostsOfPage = 60
	mostHosts   = 10_000 // that the answer has
)

func showHosts(ctx context.Context, q *Question) (*View, error) {
	all, err := ask.Hosts{}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	rows, p := q.portion(min(all.Total, mostHosts), hostsOfPage, "/hosts")
	a, err := ask.Hosts{Window: rows}.Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	lead := counted(a.Total, "host has", "hosts have") + " pages that were crawled or are linked to."
	d := &hosts{lead, Table{Caption: "Hosts, those with the most pages first", Columns: []string{"host", "pages", "of them crawled", "links to them"}}, p}
	left := room(60_000)
	for _, h := range a.Items {
		if left.spend(1, h.Name, h.Name) {
			d.List.Rows = append(d.List.Rows, []any{Link{h.Name, q.Host(h.Name)}, h.Documents, h.Crawled, h.InLinks})
		}
	}
	return &View{Title: "Hosts", JSON: q.JSON("hosts"), Data: d, List: a}, nil
}
