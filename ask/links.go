package ask

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/runs"
)

// LinksAnswer lists what is to be looked at in the links within the hosts of a run.
type LinksAnswer struct {
	Pages int           `json:"pages" doc:"of the hosts"`
	Links int           `json:"links" doc:"between them, each source, target and text once"`
	Kinds []LinkProblem `json:"kinds" doc:"what there is, the worst first: the share of the pages times how much it matters"`
	Items []LinkFinding `json:"items" doc:"kind by kind in this order, the most important first"`
	Total int           `json:"total" doc:"findings, listed or not"`
	Absent
}

// LinkCount is the number of findings of one kind.
type LinkCount struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"`
}

// Links asks what is to be looked at in the links within hosts. It reads the inputs of the run again.
type Links struct {
	Kind  LinkKind `value:"KIND" doc:"look for one kind only"`
	Host  string   `value:"HOST" most:"300" doc:"look at the pages of this host only"`
	Limit int      `default:"10" least:"1" value:"N" doc:"list at most this many of each kind"`
	LinkOptions
}

// Ask answers the question.
func (o Links) Ask(ctx context.Context, r *runs.Run) (*LinksAnswer, error) {
	if o.Start != "" {
		if _, err := LookupPage(r, o.Start); err != nil {
			return nil, err
		}
	}
	links, err := site.ReadLinks(ctx, r, o.Host)
	if err != nil {
		return nil, err
	}
	out, of := &LinksAnswer{Kinds: []LinkProblem{}, Items: []LinkFinding{}, Absent: absentFrom(r)}, map[string][]LinkFinding{}
	out.Pages, out.Links = links.Size()
	for _, kind := range kinds(site.LinkKinds, o.Kind) {
		found, err := links.Find(ctx, kind, o.LinkOptions)
		if err != nil {
			return nil, err
		}
		out.Kinds = append(out.Kinds, links.ProblemOf(kind, found))
		out.Total += len(found)
		of[kind] = found[:min(len(found), o.Limit)]
		for i := range of[kind] {
			of[kind][i].SeenTo = runs.SeenList(r, of[kind][i].To)
		}
	}
	slices.SortStableFunc(out.Kinds, site.ByWeight)
	for _, p := range out.Kinds {
		out.Items = append(out.Items, of[p.Kind]...)
	}
	return out, nil
}
