package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

// mostHosts is the maximum number of hosts in all portions of an answer.
const mostHosts = 10_000

// hosts are the hosts with the most documents, and the number of all.
type hosts struct {
	list  []answer.Host
	total int
}

func hostsOperation() *Operation {
	return &Operation{
		ID: "hosts", Path: "/v1/hosts", Summary: "Which hosts the run has documents of",
		Description: "The hosts with the most documents, at most 10,000. They are counted once.",
		Params:      listParams("100"),
		Answer:      &answer.HostsAnswer{},
		Heavy:       true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			all, err := Kept(ctx, q.Run, nil, "hosts", "The documents of each host are being counted, which takes a while for a large run, and once.",
				func(ctx context.Context) (hosts, error) {
					list, total, err := answer.EveryHost(ctx, q.Run.Run, mostHosts)
					return hosts{list, total}, err
				})
			if err != nil {
				return nil, err
			}
			out := &answer.HostsAnswer{Total: all.total}
			out.Items = answer.Cut(&out.Portion, all.list, q.window(mostHosts))
			return out, nil
		},
	}
}

func hostOperation() *Operation {
	return &Operation{
		ID: "host", Path: "/v1/host", Summary: "What the run holds of a host",
		Description: "The documents of a host, those with the most links first, and the topical clusters that have the most of them.",
		Params: append([]Param{
			{Name: "host", Doc: "name of the host, or a URL on it", Kind: Text, Required: true, Most: 300, Example: "postgresql.org"},
		}, listParams("100")...),
		Answer: &answer.HostAnswer{},
		Heavy:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return Host(ctx, q.Run, q.Args.Text("host"), q.window(0))
		},
	}
}

// Host describes a host of which the run has documents.
func Host(ctx context.Context, r *Run, name string, w answer.Window) (*answer.HostAnswer, error) {
	h, err := answer.HostOf(ctx, r.Run, name, w)
	if err == nil && h.Documents == 0 {
		err = notFound("unknown-host", "The run holds no document on the host "+brief(h.Name)+".", "Search for words, or ask about a URL that the run holds.")
	}
	return h, err
}
