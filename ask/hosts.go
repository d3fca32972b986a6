package ask

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// HostsAnswer lists hosts.
type HostsAnswer struct {
	Items []Host `json:"items" doc:"those with the most documents first"`
	Portion
}

// Host counts what a run holds of a host.
type Host struct {
	Name      string `json:"host" row:"true"`
	Documents int    `json:"documents" doc:"crawled or only linked to"`
	Crawled   int    `json:"crawled"`
	InLinks   int    `json:"inlinks" doc:"pages that link to these documents, a page that links to several counted for each"`
}

// HostAnswer is a host with its documents.
type HostAnswer struct {
	Host
	Topics []HostTopic `json:"topics" doc:"topical clusters with the most of its documents"`
	Items  []Member    `json:"items" doc:"documents, those with the most links first"`
	Absent
	Portion
}

// HostTopic is a topical cluster with documents of a host.
type HostTopic struct {
	ID        string `json:"id" doc:"of the cluster"`
	Label     string `json:"label"`
	Documents int    `json:"documents" doc:"of the host, in the cluster"`
}

func (h *Host) add(d Document) {
	h.Documents++
	h.InLinks += int(d.InLinks)
	if d.Crawled {
		h.Crawled++
	}
}

// mostHostsListed is the maximum number of hosts in all portions of an answer.
const mostHostsListed = 10_000

// Hosts asks of which hosts the run has documents.
type Hosts struct {
	Window `limit:"100"`
}

// hosts are the hosts with the most documents, and the number of all.
type hosts struct {
	list  []Host
	total int
}

// Ask answers the question. The hosts are counted once.
func (o Hosts) Ask(ctx context.Context, r *Run) (*HostsAnswer, error) {
	all, err := runs.Result(ctx, r, nil, "hosts", "The documents of each host are being counted, which takes a while for a large run, and once.",
		func(ctx context.Context) (hosts, error) { return everyHost(ctx, r) })
	if err != nil {
		return nil, err
	}
	o.Most = mostHostsListed
	out := &HostsAnswer{}
	out.Items = Cut(&out.Portion, all.list, o.Window)
	out.Total = all.total
	return out, nil
}

// everyHost counts the documents of each host. It scans the documents.
func everyHost(ctx context.Context, r *Run) (of hosts, err error) {
	var all []Host
	at := map[string]int{}
	for id := range uint32(r.Len()) {
		if id%65536 == 0 && ctx.Err() != nil {
			return of, ctx.Err()
		}
		d := r.Document(id)
		name := urls.Host(d.URL)
		i, ok := at[name]
		if !ok {
			i = len(all)
			at[name] = i
			all = append(all, Host{Name: name})
		}
		all[i].add(d)
	}
	slices.SortFunc(all, func(a, b Host) int { return cmp.Or(cmp.Compare(b.Documents, a.Documents), cmp.Compare(a.Name, b.Name)) })
	return hosts{slices.Clone(all[:min(mostHostsListed, len(all))]), len(all)}, r.Err()
}

// OnHost asks what the run holds of a host: its documents, and the topical clusters that have the most of them.
type OnHost struct {
	Host   string `required:"true" most:"300" doc:"name of the host, or a URL on it" example:"postgresql.org"`
	Window `limit:"100"`
}

// Ask answers the question. If the run has no document of the host, the error wraps [ErrNoHost].
func (o OnHost) Ask(ctx context.Context, r *Run) (*HostAnswer, error) {
	name := o.Host
	for _, u := range []string{name, "https://" + name} {
		if canonical, err := r.Canonical(u); err == nil {
			name = urls.Host(canonical)
			break
		}
	}
	out := &HostAnswer{Host: Host{Name: name}, Topics: []HostTopic{}, Items: []Member{}, Absent: absentFrom(r)}
	var ids []uint32
	for id := range uint32(r.Len()) {
		if id%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if urls.Host(r.URL(id)) == name {
			ids = append(ids, id)
			out.add(r.Document(id))
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("%w %s", ErrNoHost, name)
	}
	if r.Config.Has(config.Topical) {
		out.Topics = topicsOf(r, ids)
	}
	links := func(id uint32) uint32 { return r.Document(id).InLinks }
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Or(cmp.Compare(links(b), links(a)), cmp.Compare(r.URL(a), r.URL(b))) })
	for _, id := range Cut(&out.Portion, ids, o.Window) {
		out.Items = append(out.Items, member(r, id, 0))
	}
	return out, r.Err()
}

// topicsOf returns the topical clusters with the most of some documents, but at least two.
func topicsOf(r *Run, ids []uint32) []HostTopic {
	const most = 12
	n := map[uint32]int{}
	for _, id := range ids {
		n[topics.CenterOf(r, id)]++
	}
	var centers []uint32
	for c, k := range n {
		if k > 1 {
			centers = append(centers, c)
		}
	}
	slices.SortFunc(centers, func(a, b uint32) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	out := []HostTopic{}
	for _, c := range centers[:min(len(centers), most)] {
		if m := topics.MembershipOf(r, c); m.Label != "" {
			out = append(out, HostTopic{m.ID, m.Label, n[c]})
		}
	}
	return out
}
