package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/resemble"
)

// ClustersAnswer lists clusters of two or more documents.
type ClustersAnswer struct {
	Items []Cluster `json:"items" doc:"the largest first unless another order was asked for; the URL is that of the member of a topical cluster that most hosts link to, or of the page that represents a syntactic one"`
	Portion
}

// Cluster is a cluster of either view, without its members. Ref is the member of a topical cluster that most hosts link to, or the
// page that represents a syntactic one.
type Cluster struct {
	ID   string `json:"id" row:"true"`
	View string `json:"view" enum:"topical,syntactic"`
	Size int    `json:"size" doc:"documents" row:"true"`
	runs.Ref
	Label string `json:"label" doc:"phrases that describe a topical cluster, best first" row:"true"`
	*TopicalCluster
	*SyntacticCluster
	Around string `json:"center,omitempty" doc:"URL of the document around which a topical cluster was formed"`
}

// ClusterAnswer is a cluster with its members.
type ClusterAnswer struct {
	Cluster
	Items  []Member `json:"items" doc:"members: of a topical cluster the center, then the others by their similarity to it; of a syntactic one by their ids; of a topic those that most hosts link to first"`
	Path   string   `json:"path,omitempty" doc:"of a topic, ids of the nodes of the tree from the top down to it" row:"true"`
	Labels string   `json:"labels,omitempty" doc:"labels of these nodes" row:"true"`
	Portion
}

// Member is a document of a cluster.
type Member struct {
	runs.Ref
	Similarity float32  `json:"similarity,omitempty" doc:"to the center of a topical cluster" least:"0" most:"1"`
	Crawled    bool     `json:"crawled"`
	InLinks    int      `json:"inlinks" doc:"pages that link to it"`
	InHosts    int      `json:"inlink_hosts" doc:"hosts of these pages"`
	Anchors    []string `json:"anchors" doc:"texts of the links to it, the most common first"`
}

// memberAnchors is the number of link texts shown for a member.
const memberAnchors = 3

// Clusters asks for the clusters of two or more documents of a view. With one of its last five options, the documents
// are clustered again, with what the run has stored.
type Clusters struct {
	View    string `default:"topical" enum:"topical,syntactic" value:"VIEW" doc:"view that the clusters are of"` // "" for DefaultView
	Sort    string `default:"size" enum:"size,label,hosts" value:"ORDER" doc:"order of topical clusters: the largest first, by label, or those of many hosts first"`
	Reverse bool   `doc:"reverse the order"`
	Label   string `most:"200" value:"WORDS" doc:"list only topical clusters whose label has all of these words"`
	Window  `limit:"100"`

	Threshold     float64      `local:"true" most:"1" value:"S" doc:"cluster again: a member has an exact similarity of at least this to its center"`            // 0 for that of the run
	Order         center.Order `local:"true" value:"ORDER" doc:"cluster again: order in which CENTER scans the documents"`                                       // "" for that of the run
	Method        string       `local:"true" enum:"pairs,super-shingles,greedy" value:"METHOD" doc:"cluster again: method of finding and joining similar pages"` // "" for pairs
	Resemblance   float64      `local:"true" least:"0.001" most:"1" value:"R" doc:"cluster again: link two pages with an exact resemblance of at least this"`    // 0 for 0.5
	LinkContained float64      `local:"true" most:"1" value:"C" doc:"cluster again: also link two pages if one contains at least this share of the other; 0: never"`
}

// DefaultView returns the view whose clusters are listed by default: topical if the run has such clusters.
func DefaultView(r *Run) string {
	if r.Manifest.Counts["topical_clusters_of_two_or_more"] > 0 || !r.Config.Has(config.Syntactic) {
		return config.Topical
	}
	return config.Syntactic
}

// Ask answers the question.
func (o Clusters) Ask(ctx context.Context, r *Run) (*ClustersAnswer, error) {
	o.View = cmp.Or(o.View, DefaultView(r))
	if o.View == config.Syntactic {
		return syntacticClusters(ctx, r, o)
	}
	again := o.Threshold > 0 || o.Order != ""
	clusters, err := topics.Clusters(r)
	if again {
		clusters, err = topics.Recluster(r, cmp.Or(o.Threshold, r.Config.Threshold), cmp.Or(o.Order, r.Config.Order))
		if err == nil && (o.Label != "" || o.Sort == topics.SortByLabel) {
			err = topics.LabelClusters(ctx, r, clusters)
		}
	}
	if err != nil {
		return nil, err
	}
	if o.Label != "" {
		words := topics.NewLabelWords(o.Label)
		clusters = slices.DeleteFunc(clusters, func(c TopicalCluster) bool { return !words.In(label.Join(c.Label)) })
	}
	topics.SortClusters(r, clusters, o.Sort)
	if o.Reverse {
		slices.Reverse(clusters)
	}
	out := &ClustersAnswer{Items: []Cluster{}}
	listed := Cut(&out.Portion, clusters, o.Window)
	if again {
		if err := topics.LabelClusters(ctx, r, listed); err != nil {
			return nil, err
		}
	}
	for i := range listed {
		out.Items = append(out.Items, *topicalCluster(r, &listed[i]))
	}
	return out, nil
}

func syntacticClusters(ctx context.Context, r *Run, o Clusters) (*ClustersAnswer, error) {
	clusters, err := texts.Clusters(r)
	if o.Method != "" || o.Resemblance > 0 || o.LinkContained > 0 {
		policy := resemble.Policy{Threshold: cmp.Or(o.Resemblance, 0.5), Containment: o.LinkContained}
		clusters, err = texts.Recluster(ctx, r, cmp.Or(o.Method, texts.MethodPairs), policy)
	}
	if err != nil {
		return nil, err
	}
	out := &ClustersAnswer{Items: []Cluster{}}
	for _, c := range Cut(&out.Portion, clusters, o.Window) {
		out.Items = append(out.Items, *syntacticCluster(r, &c))
	}
	return out, nil
}

func topicalCluster(r *Run, c *TopicalCluster) *Cluster {
	return &Cluster{c.ID, config.Topical, c.Size, runs.RefOf(r, c.Face), label.Join(c.Label), c, nil, r.URL(c.Center)}
}

func syntacticCluster(r *Run, c *SyntacticCluster) *Cluster {
	return &Cluster{c.ID, config.Syntactic, c.Size, runs.RefOf(r, c.Representative), "", nil, c, ""}
}

// Members asks for a cluster with its members, by its id, or for the documents of a topic, a node of the tree.
type Members struct {
	ID     string `in:"path" required:"true" most:"20" pattern:"^[0-9a-f]{16}(\\.[0-9]{1,3})?$" doc:"id of the cluster, or of a topic" example:"f2ab56487e02ce6c"`
	View   string `default:"topical" enum:"topical,syntactic" value:"VIEW" doc:"view that the cluster is from"`
	Window `limit:"100"`
}

// Ask answers the question. The error wraps ErrNoCluster if there is none.
func (o Members) Ask(_ context.Context, r *Run) (*ClusterAnswer, error) {
	if strings.Contains(o.ID, ".") {
		return TopicMembers(r, o.ID, o.Window)
	}
	c, err := ClusterByID(r, o.View, o.ID)
	if err != nil {
		return nil, err
	}
	return c.Members(r, o.Window), nil
}

// ClusterByID returns the cluster of a view with an id. The error wraps ErrNoCluster if it does not exist.
func ClusterByID(r *Run, view, id string) (*Cluster, error) {
	if view == config.Syntactic {
		c, err := texts.ClusterByID(r, id)
		if err != nil {
			return nil, err
		}
		return syntacticCluster(r, &c), nil
	}
	c, err := topics.ClusterByID(r, id)
	if err != nil {
		return nil, err
	}
	return topicalCluster(r, &c), nil
}

// ClusterOf returns the cluster of a view that contains a document. It may have no other member.
func ClusterOf(r *Run, view, url string) (*Cluster, error) {
	if view == config.Syntactic {
		id, err := LookupPage(r, url)
		if err != nil {
			return nil, err
		}
		c, err := texts.ClusterOf(r, id)
		if err != nil {
			return nil, Unknown(r, url, err)
		}
		return syntacticCluster(r, &c), nil
	}
	id, err := Lookup(r, url)
	if err != nil {
		return nil, err
	}
	c, err := topics.ClusterOf(r, id)
	if err != nil {
		return nil, err
	}
	return topicalCluster(r, &c), nil
}

// Members returns the cluster with the members in a window.
func (c *Cluster) Members(r *Run, w Window) *ClusterAnswer {
	out := &ClusterAnswer{Cluster: *c, Items: []Member{}}
	if c.TopicalCluster != nil {
		for _, m := range topics.Members(r, *c.TopicalCluster, w.From, w.Rows()) {
			out.Items = append(out.Items, member(r, m.ID, m.Similarity))
		}
	} else {
		for _, id := range texts.Members(r, *c.SyntacticCluster, w.From, w.Rows()) {
			out.Items = append(out.Items, member(r, id, 0))
		}
	}
	out.GoOn(w.From+len(out.Items), c.Size)
	return out
}

// member describes a document as a member of something.
func member(r *Run, id uint32, similarity float32) Member {
	d := r.Document(id)
	return Member{runs.RefOf(r, id), similarity, d.Crawled, int(d.InLinks), int(d.InHosts), List(runs.Anchors(r, id, memberAnchors))}
}
