package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/ask/site"
	"github.com/lshclust/lshclust/internal/runs"
)

// VersionsAnswer lists the versions of the sites of a run, and what is to be looked at in versions and copies.
type VersionsAnswer struct {
	Versions []SiteVersion    `json:"versions" doc:"site by site, the oldest first"`
	Kinds    []LinkCount      `json:"kinds"`
	Items    []VersionFinding `json:"items" doc:"kind by kind, in the order of URLs"`
	Total    int              `json:"total" doc:"findings, listed or not"`
	Words    string           `json:"words,omitempty" doc:"how pages were compared that are mostly text which their host repeats"`
}

// Versions asks for the versions of sites, near-copies and canonical links.
type Versions struct {
	Kind VersionKind `value:"KIND" doc:"list one kind only"`
	VersionOptions
	Limit int `default:"10" least:"1" value:"N" doc:"list at most this many of each kind"`

	Kinds []string // in place of Kind
}

// Ask answers the question.
func (o Versions) Ask(ctx context.Context, r *Run) (*VersionsAnswer, error) {
	if o.Kinds == nil {
		o.Kinds = kinds(site.VersionKinds, o.Kind)
	}
	versions, found, err := site.Versions(ctx, r, o.VersionOptions)
	if err != nil {
		return nil, err
	}
	out := &VersionsAnswer{Versions: List(versions), Kinds: []LinkCount{}, Items: []VersionFinding{}, Words: runs.RepeatedWords(r.Manifest)}
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
		out.Total += n
	}
	return out, nil
}

// kinds returns the kinds to list: one, or all for "".
func kinds[K ~string](all []string, one K) []string {
	if one == "" {
		return all
	}
	return []string{string(one)}
}
