package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/config"

	"github.com/lshclust/lshclust/internal/answer"
)

// Cluster is a cluster with its members.
type Cluster struct {
	ID        string            `json:"id"`
	View      string            `json:"view" enum:"topical,syntactic"`
	Size      int               `json:"size" doc:"documents"`
	Holder    string            `json:"holder" doc:"URL of the document at the center, or of the page that represents the cluster"`
	Topical   *TopicalCluster   `json:"topical,omitempty" doc:"about a topical cluster"`
	Syntactic *SyntacticCluster `json:"syntactic,omitempty" doc:"about a syntactic cluster"`
	Members   []Member          `json:"members" doc:"of a topical cluster the center, then the others by their similarity to it; of a syntactic one by their ids"`
	answer.Portion
}

// Rows implements List.
func (c *Cluster) Rows() any { return c.Members }

// TopicalCluster is what a topical cluster has beside its members.
type TopicalCluster struct {
	Label   []string `json:"label" doc:"phrases that tell what it is about, the best first"`
	Crawled int      `json:"crawled" doc:"members that were crawled"`
	Hosts   int      `json:"hosts" doc:"different hosts of the members"`
	Host    string   `json:"host" doc:"the most common of these hosts"`
	OnHost  int      `json:"on_host" doc:"members on it"`
}

// SyntacticCluster is what a syntactic cluster has beside its members.
type SyntacticCluster struct {
	Distinct     int     `json:"distinct" doc:"pages that do not equal one another"`
	Chained      int     `json:"chained" doc:"pages without a link to the representative, a link being a pair at the threshold"`
	Links        int     `json:"links" doc:"links among the distinct pages"`
	Lowest       float64 `json:"lowest_link" doc:"at a threshold above this the cluster falls apart"`
	DiameterLow  int     `json:"diameter" doc:"lower bound of the links on the longest of the shortest paths"`
	DiameterHigh int     `json:"diameter_most" doc:"upper bound of the same"`
}

// Member is a document of a cluster.
type Member struct {
	URL        string   `json:"url"`
	Title      string   `json:"title"`
	Similarity *float32 `json:"similarity,omitempty" doc:"to the center of a topical cluster"`
	Crawled    bool     `json:"crawled"`
	InLinks    int      `json:"inlinks" doc:"pages that link to it"`
	Anchors    []string `json:"anchors" doc:"texts of the links to it, the most common first"`
}

func clusterOperation() *Operation {
	return &Operation{
		ID: "cluster", Path: "/v1/cluster/{id}", Summary: "What belongs together",
		Description: "A cluster with its members, by the id that other answers give.",
		Params: append([]Param{
			{Name: "id", Doc: "id of the cluster, 16 hex digits", Kind: Text, Required: true, InPath: true, Pattern: "^[0-9a-f]{16}$", Most: 16, Example: "b483c73fbdb6ed3e"},
			{Name: "view", Doc: "view that the cluster is from", Kind: Text, Default: config.Topical, Enum: []string{config.Topical, config.Syntactic}, Most: 20},
		}, listParams("100")...),
		Answer: &Cluster{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			if q.Args.Text("view") == config.Topical {
				return q.topicalCluster()
			}
			return q.syntacticCluster()
		},
	}
}

func (q *Question) topicalCluster() (Model, error) {
	c, err := q.Run.TopicalClusterByID(q.Args.Text("id"))
	if err != nil {
		return nil, err
	}
	out := &Cluster{
		ID: c.ID, View: config.Topical, Size: c.Size, Holder: q.Run.Document(c.Center).URL, Members: []Member{},
		Topical: &TopicalCluster{list(c.Label), c.Crawled, c.Hosts, c.Host, c.OnHost},
	}
	members := q.Run.TopicalMembersFrom(c, q.From, q.Args.Int("limit"))
	for _, m := range members {
		similarity := m.Similarity
		out.Members = append(out.Members, Member{m.URL, m.Title, &similarity, m.Crawled, m.InLinks, list(q.Run.IndexedAnchors(m.ID, memberAnchors))})
	}
	out.GoOn(q.From+len(members), c.Size)
	return out, nil
}

func (q *Question) syntacticCluster() (Model, error) {
	c, members, err := q.Run.SyntacticClusterByID(q.Args.Text("id"), q.From, q.Args.Int("limit"))
	if err != nil {
		return nil, err
	}
	out := &Cluster{
		ID: c.ID, View: config.Syntactic, Size: c.Size, Holder: c.Representative, Members: []Member{},
		Syntactic: &SyntacticCluster{c.Distinct, c.Chained, int(c.Links), c.Lowest, c.DiameterLow, c.DiameterHigh},
	}
	for _, id := range members {
		d := q.Run.Document(id)
		out.Members = append(out.Members, Member{URL: d.URL, Title: d.Title, Crawled: d.Crawled, InLinks: int(d.InLinks), Anchors: list(q.Run.IndexedAnchors(id, mostAnchors))})
	}
	out.GoOn(q.From+len(members), c.Size)
	return out, nil
}
