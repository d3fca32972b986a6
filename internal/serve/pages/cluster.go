package pages

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// cluster is a topical or syntactic cluster, or a topic.
type cluster struct {
	Heading  string
	Accent   string
	Lead     string
	Path     []Link // nodes above it in the tree
	Facts    Facts
	Warning  string
	Holds    string // what its members have in common
	Weakest  *weakest
	List     string // heading of the list of members
	Members  Rows
	Start    string     // link to the first members, "" if they are shown
	Best     *Bars      // documents that most hosts link to
	Branches *topicList // children of a node of the tree
	Picture  *overview  // of these
}

// weakest is the weakest link of a cluster.
type weakest struct {
	Text string
	Link Link
	Why  string
}

// Bounds on what the page of a cluster shows.
const (
	pageMembers = 30   // members on one page
	mostPaired  = 16   // leading members compared with one another
	longURL     = 1000 // a link to a document of more bytes gets no further links

	mostMemberBytes = 40_000 // bytes of the links and names of members
)

func showCluster(ctx context.Context, q *Question) (*View, error) {
	id, view := q.Args.Text("id"), q.Args.Text("view")
	if strings.Contains(id, ".") {
		return showTopic(ctx, q, id)
	}
	if view == "" {
		view = config.Topical
		if q.Run.Need(config.Topical) != nil {
			view = config.Syntactic
		}
	}
	of, err := ask.ClusterByID(q.Run.Run, view, id)
	if err != nil {
		return nil, err
	}
	m, err := membersOf(q, func(w ask.Window) (*ask.ClusterAnswer, error) { return of.Members(q.Run.Run, w), nil })
	if err != nil {
		return nil, err
	}
	c := &cluster{Accent: Web}
	c.list(q, m, view, id)
	if view == config.Topical {
		c.topical(q, m)
	} else {
		c.syntactic(q, m)
	}
	if view == config.Syntactic {
		resembling(q, m.URL, c.Members.List)
	}
	return &View{Title: c.Heading, Accent: c.Accent, JSON: q.JSON("cluster", "id", id, "view", view), Data: c, List: m}, nil
}

// list fills in the list of members.
func (c *cluster) list(q *Question, m *ask.ClusterAnswer, view, id string) {
	c.List = "Members"
	if q.Args.Has("cursor") {
		c.Start, c.List = q.Cluster(view, id), "More members"
	}
	c.Members = Rows{Name: "Members", List: memberRows(q, m), More: q.more(m, "/cluster", "id", id, "view", q.Args.Text("view"))}
}

// membersOf returns a cluster with as many members as fit on a page: fewer if they have long URLs.
func membersOf(q *Question, members func(ask.Window) (*ask.ClusterAnswer, error)) (m *ask.ClusterAnswer, err error) {
	window, err := q.window(0)
	if err != nil {
		return nil, err
	}
	if WantsCSV(q.Args) {
		return members(window)
	}
	for most := pageMembers; most > 0; most /= 2 {
		window.Limit = most
		if m, err = members(window); err != nil {
			return nil, err
		}
		bytes := 0
		for _, x := range m.Items {
			bytes += 6*len(q.Page(x.URL)) + len(x.Name)
		}
		if bytes < mostMemberBytes {
			break
		}
	}
	return m, nil
}

// memberRows returns the rows of members.
func memberRows(q *Question, m *ask.ClusterAnswer) (out []Row) {
	head := cmp.Or(m.Around, m.URL)
	for _, x := range m.Items {
		r := q.Row(x.URL, x.Name)
		if x.URL == head {
			r.Notes = append(r.Notes, map[string]string{config.Topical: "center", config.Syntactic: "representative"}[m.View])
		}
		if x.InLinks > 1 {
			r.Notes = append(r.Notes, "linked by "+count(x.InLinks))
		}
		if x.Similarity > 0 {
			r.Score = &Score{float64(x.Similarity), "similarity to the center", Web}
		}
		if x.URL != head && len(r.To) < longURL {
			if m.View == config.Topical {
				r.Why = q.Explain(head, x.URL)
			} else {
				r.Diff = q.Diff(m.URL, x.URL)
			}
		}
		out = append(out, r)
	}
	return out
}

// resembling adds to the rows of pages their resemblance to the representative.
func resembling(q *Question, holder string, rows []Row) {
	of, err := q.Run.Lookup(holder)
	if err != nil {
		return
	}
	for i := range rows {
		id, err := q.Run.Lookup(rows[i].URL)
		if err != nil {
			continue
		}
		if d, err := texts.Overlap(q.Run.Run, of, id); err == nil {
			rows[i].Score = &Score{d.Resemblance, "resemblance to the representative", Text}
		}
	}
}

// topical fills in the details of a topical cluster.
func (c *cluster) topical(q *Question, m *ask.ClusterAnswer) {
	of := *m.TopicalCluster
	c.Heading = labelOf(q.Run, of.Label, of.Center)
	c.Lead = fmt.Sprintf("%s that the web describes in similar words.", counted(m.Size, "document", "documents"))
	if path := pathLinks(q, topics.PathTo(q.Run.Run, of.Center)); len(path) > 1 {
		c.Facts = append(c.Facts, Fact{"Topic of its center", path[len(path)-1]})
	}
	if of.Host != "" {
		c.Facts = append(c.Facts, Fact{"Most common host", Link{fmt.Sprintf("%s (%s)", of.Host, count(of.OnHost)), q.Host(of.Host)}})
	}
	c.Facts = append(c.Facts, Fact{"Best known", Link{short(m.URL), q.Page(m.URL)}}, Fact{"Center", Link{short(m.Around), q.Page(m.Around)}})
	if m.Size < 2 || q.Args.Has("cursor") {
		return
	}
	leading := topics.Members(q.Run.Run, of, 0, mostPaired)
	c.Best = bestLinked(q, topics.BestLinkedMembers(q.Run.Run, of, mostBest))
	c.Holds = fmt.Sprintf("Every member has a similarity of %s or more to the center.", figure(q.Run.Config.Threshold))
	last := topics.Members(q.Run.Run, of, m.Size-1, 1)
	for _, far := range last {
		c.Weakest = &weakest{
			Text: "The member least like the center has a similarity of " + figure(float64(far.Similarity)) + ":",
			Link: Link{nameOf(q.Run, far.ID), q.Page(q.Run.URL(far.ID))}, Why: q.Explain(m.Around, q.Run.URL(far.ID)),
		}
	}
	c.Warning = apart(q.Run, leading)
}

// apart returns a warning if members are similar to the center but not to one another.
func apart(r *api.Run, members []topics.TopicalMember) string {
	pairs, below := 0, 0
	for i, m := range members {
		for _, n := range members[:i] {
			pairs++
			if bags.Similarity(topics.Bag(r.Run, m.ID), topics.Bag(r.Run, n.ID)) < r.Config.Threshold {
				below++
			}
		}
	}
	if pairs == 0 || 2*below < pairs {
		return ""
	}
	return fmt.Sprintf("%d of the %d pairs of its leading members are less similar than %s. They resemble the center, but not one another.",
		below, pairs, figure(r.Config.Threshold))
}

// syntactic fills in the details of a syntactic cluster.
func (c *cluster) syntactic(q *Question, m *ask.ClusterAnswer) {
	s := m.SyntacticCluster
	c.Accent, c.Heading = Text, nameOf(q.Run, s.Representative)
	c.Lead = fmt.Sprintf("%s that are connected by similar texts. This one represents them.", counted(m.Size, "page", "pages"))
	c.Facts = Facts{{"Representative", Link{short(m.URL), q.Page(m.URL)}}}
	if m.Size < 2 || q.Args.Has("cursor") {
		return
	}
	if who := q.Who(m.URL); who != "" {
		c.Facts = append(c.Facts, Fact{"Who has it", Link{"host by host", who}})
	}
	if s.Distinct > 1 {
		c.Facts = append(c.Facts, Fact{"Weakest link", &Score{s.Lowest, "resemblance", Text}})
		c.Holds = fmt.Sprintf("%s among %d different texts, each a pair with a resemblance of %s or more. At a threshold above %s the cluster falls apart.",
			counted(int(s.Links), "link", "links"), s.Distinct, figure(q.Run.Config.Resemblance), figure(s.Lowest))
	} else {
		c.Holds = "All pages have the same text."
	}
	c.Warning = chained(s, m.Size)
}

// chained returns a warning if pages are in a cluster only because others connect them.
func chained(s *texts.SyntacticCluster, size int) string {
	if s.Chained == 0 {
		return ""
	}
	longest := fmt.Sprint(s.DiameterLow)
	if s.DiameterHigh > s.DiameterLow {
		longest = fmt.Sprintf("%d to %d", s.DiameterLow, s.DiameterHigh)
	}
	return fmt.Sprintf("A chain: %s of %d have no link to the representative and are here only by way of others. The longest way between two members has %s links. The two ends of a chain may have little in common.",
		counted(s.Chained, "page", "pages"), size, longest)
}

// showTopic shows a topic: its parts or, if it has none, its documents.
func showTopic(ctx context.Context, q *Question, id string) (*View, error) {
	path, err := topics.Branch(q.Run.Run, id)
	if err != nil {
		return nil, err
	}
	n := path[len(path)-1]
	c := &cluster{Accent: Web, Heading: cmp.Or(n.Label, nameOf(q.Run, n.Center)), Path: pathLinks(q, path[:len(path)-1])}
	v := &View{Title: c.Heading, Accent: Web, Data: c}
	documents, a := counted(n.Size, "document", "documents"), ask.AreaOf(q.Run.Run, n)
	if of := mostly(&a); of != "" {
		documents += ", " + of + ","
	}
	if parts := topics.Children(q.Run.Run, n); len(parts) > 0 {
		if WantsCSV(q.Args) { // whoever takes a topic along wants its documents
			v.List, err = ask.TopicMembers(q.Run.Run, id, ask.Window{Limit: mostListed})
			return v, err
		}
		below, list := topicsIn(q, "Parts", parts, "/cluster", "id", id)
		c.Lead = fmt.Sprintf("%s in %s.", documents, counted(n.Topics, "topic", "topics"))
		if !q.Args.Has("cursor") {
			a, err := ask.Overview{ID: id, Window: ask.Window{Limit: ask.Defaults(ask.Overview{}).Limit}}.Ask(ctx, q.Run.Run)
			if err != nil {
				return nil, err
			}
			c.Picture = overviewOf(q, "Parts, the largest first", a)
		}
		c.Branches, v.JSON, v.List = &below, q.JSON("tree", "id", id), list
	} else {
		m, err := membersOf(q, func(w ask.Window) (*ask.ClusterAnswer, error) { return ask.TopicMembers(q.Run.Run, id, w) })
		if err != nil {
			return nil, err
		}
		c.Lead = documents + " that the web describes in similar words."
		c.list(q, m, config.Topical, id)
		v.JSON, v.List = q.JSON("cluster", "id", id), m
	}
	if n.Size > 1 && !q.Args.Has("cursor") {
		c.Best = bestLinked(q, topics.BestLinked(q.Run.Run, n, mostBest))
	}
	return v, nil
}

// pathLinks returns links to all topics and to those of a path.
func pathLinks(q *Question, path []topics.TreeNode) []Link {
	out := []Link{{"Topics", q.To("/topics")}}
	for _, n := range path {
		out = append(out, topicLink(q, n))
	}
	return out
}

// labelOf returns the name of a topical cluster: its label, or the title of the center.
func labelOf(r *api.Run, label []string, center uint32) string {
	if len(label) > 0 {
		return strings.Join(label, ", ")
	}
	return nameOf(r, center)
}
