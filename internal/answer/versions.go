package answer

import (
	"context"

	"github.com/lshclust/lshclust/internal/query"
)

// VersionsAnswer lists the versions of the sites of a run, and what is to be looked at in versions and copies.
type VersionsAnswer struct {
	Versions []query.SiteVersion    `json:"versions" doc:"site by site, the oldest first"`
	Kinds    []LinkCount            `json:"kinds"`
	Items    []query.VersionFinding `json:"items" doc:"kind by kind, in the order of URLs"`
	Words    string                 `json:"words,omitempty" doc:"how pages were compared that are mostly text which their host repeats"`
}

// VersionsOptions choose what to look for.
type VersionsOptions struct {
	query.VersionOptions
	Kinds []string // of query.VersionKinds
	Limit int      // most findings of a kind
}

// Versions looks for versions of sites, near-copies and canonical links.
func Versions(ctx context.Context, r *query.Run, o VersionsOptions) (*VersionsAnswer, error) {
	versions, found, err := r.Versions(ctx, o.VersionOptions)
	if err != nil {
		return nil, err
	}
	out := &VersionsAnswer{Versions: list(versions), Kinds: []LinkCount{}, Items: []query.VersionFinding{}, Words: RepeatedWords(r.Manifest)}
	for _, kind := range o.Kinds {
		n := 0
		for _, f := range found {
			if f.Kind != kind {
				continue
			}
			if n++; n <= o.Limit {
				out.Items = append(out.Items, f)
			}
		}
		out.Kinds = append(out.Kinds, LinkCount{kind, n})
	}
	return out, nil
}
