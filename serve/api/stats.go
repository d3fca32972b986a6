package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

func statsOperation() *Operation {
	return &Operation{
		ID: "stats", Path: "/v1/stats", Summary: "What the run holds",
		Description: "Counts, stages with their cost, and what was left out and why. It also names the runs that the server has.",
		Answer:      &answer.StatsAnswer{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			s := answer.Stats(q.Run.Run)
			s.Run, s.Runs = q.Run.Name, q.Run.Names
			return s, nil
		},
	}
}
