package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
)

// CheckAnswer lists what was verified about a run.
type CheckAnswer struct {
	Items []CheckItem `json:"items"`
	Total int         `json:"total"`
	Sound bool        `json:"sound" doc:"whether nothing is wrong"`
}

// CheckItem is a file or a property of a run.
type CheckItem struct {
	Name  string `json:"name"`
	What  string `json:"what"`
	Error string `json:"error,omitempty" doc:"what is wrong"`
}

// Check reads and verifies all files of the finished run at a path. It returns an error if it could check nothing.
func Check(ctx context.Context, path string) (*CheckAnswer, error) {
	report, err := run.Check(ctx, path, runs.Checks()...)
	if err != nil {
		return nil, err
	}
	out := &CheckAnswer{Items: []CheckItem{}, Sound: report.OK()}
	for _, i := range report.Items {
		item := CheckItem{Name: i.Name, What: i.What}
		if i.Err != nil {
			item.Error = i.Err.Error()
		}
		out.Items = append(out.Items, item)
	}
	out.Total = len(out.Items)
	return out, nil
}
