package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/config"
)

func clusterOperation() *Operation {
	return &Operation{
		ID: "cluster", Path: "/v1/cluster/{id}", Summary: "What belongs together",
		Description: "A cluster with its members, by the id that other answers give.",
		Params: append([]Param{
			{Name: "id", Doc: "id of the cluster, 16 hex digits", Kind: Text, Required: true, InPath: true, Pattern: "^[0-9a-f]{16}$", Most: 16, Example: "f2ab56487e02ce6c"},
			{Name: "view", Doc: "view that the cluster is from", Kind: Text, Default: config.Topical, Enum: []string{config.Topical, config.Syntactic}, Most: 20},
		}, listParams("100")...),
		Answer: &answer.ClusterAnswer{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			c, err := answer.ClusterByID(q.Run.Run, q.Args.Text("view"), q.Args.Text("id"))
			if err != nil {
				return nil, err
			}
			return c.Members(q.Run.Run, q.window(0)), nil
		},
	}
}
