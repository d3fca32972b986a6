package api

import "github.com/lshclust/lshclust/internal/runs"

// Run is an open run that answers questions.
type Run struct {
	*runs.Run          // with the name under which it is served
	Names     []string // names of all served runs
}

// NewRun returns a Run that Close closes together with r.
func NewRun(r *runs.Run, name string, names []string) *Run {
	r.Name = name
	return &Run{r, names}
}
