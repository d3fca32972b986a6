package resemble

import "context"

// Finder finds equal documents, boilerplate and pairs among documents of which either the whole sets of shingles are
// known or sketches.
type Finder struct {
	Sketched    bool              // compare sketches; otherwise only the methods of Documents are called
	Strip       bool              // leave out boilerplate
	Boilerplate BoilerplateConfig // if Strip
}

// Equal finds the documents that equal others and the boilerplate of the hosts, which is nil without Strip.
func (f Finder) Equal(ctx context.Context, docs Sketches, r Resources) (equal *Equal, strip *Boilerplate, found BoilerplateStats, err error) {
	if f.Sketched {
		equal, err = FindEqualSketches(ctx, docs, r)
	} else {
		equal, err = FindEqual(ctx, docs, r)
	}
	if err != nil || !f.Strip {
		return equal, nil, found, err
	}
	if f.Sketched {
		strip, found, err = FindSketchBoilerplate(ctx, docs, equal, f.Boilerplate, r)
		return equal, strip, found, err
	}
	if strip, found, err = FindBoilerplate(ctx, docs, equal, f.Boilerplate, r); err != nil {
		return nil, nil, found, err
	}
	return equal, strip, found, equal.Refine(ctx, docs, strip, r)
}

// Pairs finds the pairs of documents that resemble or contain each other, by Pairs or SketchPairs.
func (f Finder) Pairs(ctx context.Context, docs Sketches, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) (Stats, error) {
	if f.Sketched {
		return SketchPairs(ctx, docs, equal, strip, c, emit)
	}
	return Pairs(ctx, docs, equal, strip, c, emit)
}
