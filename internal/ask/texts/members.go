package texts

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// ClusterByID returns the syntactic cluster with an id. The cluster may have one page only.
func ClusterByID(r *runs.Run, id string) (SyntacticCluster, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return SyntacticCluster{}, err
	}
	d, err := runs.ClusterHolder(r, id)
	if err != nil {
		return SyntacticCluster{}, err
	}
	page, ok := r.Pages.Page(d)
	if !ok || r.Union.Member(page).Representative != page {
		return SyntacticCluster{}, fmt.Errorf("%q: %w", id, runs.ErrNoCluster)
	}
	return ClusterOf(r, d)
}

// Members returns at most n documents of a syntactic cluster in order of ids, after the first skip of them.
func Members(r *runs.Run, c SyntacticCluster, skip, n int) (documents []uint32) {
	skip = min(max(skip, 0), len(c.pages))
	for _, p := range c.pages[skip : skip+min(max(n, 0), len(c.pages)-skip)] {
		documents = append(documents, r.Pages.Document(p))
	}
	return documents
}
