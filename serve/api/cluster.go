package api

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/query"
)

// nodePattern matches the ids of clusters, and those of topics, which have a level.
const nodePattern = `^[0-9a-f]{16}(\.[0-9]{1,3})?$`

func clusterOperation() *Operation {
	return &Operation{
		ID: "cluster", Path: "/v1/cluster/{id}", Summary: "What belongs together",
		Description: "A cluster with its members, by the id that other answers give. The id may be that of a topic, a node of the tree.",
		Params: append([]Param{
			{Name: "id", Doc: "id of the cluster, or of a topic", Kind: Text, Required: true, InPath: true, Pattern: nodePattern, Most: 20, Example: "f2ab56487e02ce6c"},
			{Name: "view", Doc: "view that the cluster is from", Kind: Text, Default: config.Topical, Enum: []string{config.Topical, config.Syntactic}, Most: 20},
		}, listParams("100")...),
		Answer: &answer.ClusterAnswer{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			if id := q.Args.Text("id"); strings.Contains(id, ".") {
				return answer.TopicMembers(q.Run.Run, id, q.window(0))
			}
			c, err := answer.ClusterByID(q.Run.Run, q.Args.Text("view"), q.Args.Text("id"))
			if err != nil {
				return nil, err
			}
			return c.Members(q.Run.Run, q.window(0)), nil
		},
	}
}

func clustersOperation() *Operation {
	return &Operation{
		ID: "clusters", Path: "/v1/clusters", Summary: "Which clusters the run has",
		Description: "The clusters of two or more documents of a view: topics, or groups of pages with similar texts.",
		Params: append([]Param{
			{Name: "view", Doc: "view that the clusters are of", Kind: Text, Default: config.Topical, Enum: []string{config.Topical, config.Syntactic}, Most: 20},
			{Name: "sort", Doc: "order of topical clusters: the largest first, by label, or those of many hosts first", Kind: Text, Default: query.SortBySize, Enum: query.TopicalSorts, Most: 10},
			{Name: "label", Doc: "words that the label of a topical cluster must have", Kind: Text, Most: 200},
		}, listParams("100")...),
		Answer: &answer.ClustersAnswer{},
		Heavy:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Clusters(ctx, q.Run.Run, answer.ClustersOptions{
				Window: q.window(0), View: q.Args.Text("view"), Sort: q.Args.Text("sort"), Label: q.Args.Text("label"),
			})
		},
	}
}

func treeOperation() *Operation {
	return &Operation{
		ID: "tree", Path: "/v1/tree", Summary: "Which topics the run has, level by level",
		Description: "The topics that are right below another one, or at the top.",
		Params: append([]Param{
			{Name: "id", Doc: "id of the node whose children are listed; the nodes at the top are listed if it is missing", Kind: Text, Pattern: nodePattern, Most: 20},
		}, listParams("100")...),
		Answer: &answer.BranchAnswer{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			return answer.Branch(q.Run.Run, q.Args.Text("id"), q.window(0))
		},
	}
}
