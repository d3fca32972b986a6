package pairs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// Evaluation holds the scores of the syntactic view against a gold of pairs.
type Evaluation struct {
	Gold      string     `json:"gold"`
	Kind      string     `json:"kind"`
	Threshold float64    `json:"threshold"` // minimum figure of a stored pair
	Pairs     int        `json:"pairs"`     // number of pairs in the gold
	Known     int        `json:"known"`     // pairs with both pages in the run
	Unknown   gold.Skips `json:"unknown"`   // rows with a page that is not in the run
	Scores
}

// scoredPair is a pair of the gold with its documents in the run.
type scoredPair struct {
	a, b uint32
	Figures
}

// pairScorer scores a gold of one kind against one run.
type pairScorer struct {
	run       *runs.Run
	kind      string
	threshold float64
	near      map[uint32][]texts.Duplicate
}

// Evaluate compares the stored pairs of a run with a gold of near-duplicates or of containment.
func Evaluate(ctx context.Context, g *Pairs, r *runs.Run, kind string) (*Evaluation, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	if kind == Containment {
		if err := runs.NeedContainment(r); err != nil {
			return nil, err
		}
	}
	s := pairScorer{run: r, kind: kind, near: map[uint32][]texts.Duplicate{}, threshold: r.Config.Resemblance}
	if kind == Containment {
		s.threshold = r.Config.Containment
	}
	out := &Evaluation{Gold: g.Name, Kind: kind, Threshold: s.threshold, Pairs: len(g.Pairs), Unknown: gold.Skips{}}
	var pairs []scoredPair
	for _, p := range g.Pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, missing := s.find(p)
		if missing != "" {
			out.Unknown.Add("unknown-url", p.At, missing)
			continue
		}
		if err := s.score(&x); err != nil {
			return nil, err
		}
		pairs = append(pairs, x)
	}
	if out.Known = len(pairs); out.Known == 0 {
		return nil, fmt.Errorf("%s: %w: of %d pairs, the first is %s, %s", g.Name, eval.ErrNoOverlap, len(g.Pairs), g.Pairs[0].A, g.Pairs[0].B)
	}
	precise, err := s.precision(pairs)
	if err != nil {
		return nil, err
	}
	all := make([]Figures, len(pairs))
	for i, x := range pairs {
		all[i] = x.Figures
	}
	out.Scores = scorePairs(all, s.threshold, precise)
	return out, nil
}

// find looks up both pages, or returns the URL that is not in the run.
func (s *pairScorer) find(p Pair) (x scoredPair, missing string) {
	var ids [2]uint32
	for i, u := range []string{p.A, p.B} {
		id, err := s.run.Lookup(u)
		if err != nil || !s.run.Document(id).Crawled {
			return x, u
		}
		ids[i] = id
	}
	x = scoredPair{ids[0], ids[1], Figures{Gold: p.Resemblance, SameHost: s.sameHost(ids[0], ids[1])}}
	if s.kind == Containment {
		x.Gold = p.Containment
	}
	return x, ""
}

func (s *pairScorer) sameHost(a, b uint32) bool {
	x, errX := url.Parse(s.run.Document(a).URL)
	y, errY := url.Parse(s.run.Document(b).URL)
	return errX == nil && errY == nil && x.Host == y.Host
}

// figure returns the figure that the kind of the gold is about.
func (s *pairScorer) figure(d texts.Duplicate) float64 {
	if s.kind == Containment {
		return max(0, d.Containment()) // sketches may not tell it
	}
	return d.Resemblance
}

// duplicates returns the pairs that the run stored for a document.
func (s *pairScorer) duplicates(id uint32) ([]texts.Duplicate, error) {
	list, ok := s.near[id]
	if !ok {
		var err error
		if list, _, err = texts.Duplicates(s.run, id, math.MaxInt); err != nil {
			return nil, err
		}
		s.near[id] = list
	}
	return list, nil
}

// stored reports whether a duplicate is a stored pair at the threshold. A pair that is only connected through a chain
// is not stored.
func (s *pairScorer) stored(d texts.Duplicate) bool {
	return d.Relation != "chain" && s.figure(d) >= s.threshold
}

// score fills in the figures of a pair in the run.
func (s *pairScorer) score(x *scoredPair) error {
	list, err := s.duplicates(x.a)
	if err != nil {
		return err
	}
	x.Stored = slices.ContainsFunc(list, func(d texts.Duplicate) bool { return d.ID == x.b && s.stored(d) })
	a, errA := texts.ClusterOf(s.run, x.a)
	b, errB := texts.ClusterOf(s.run, x.b)
	if err := cmp.Or(errA, errB); err != nil {
		return err
	}
	x.Together = a.Representative == b.Representative
	d, err := texts.Overlap(s.run, x.a, x.b)
	x.Run = s.figure(d)
	return err
}

// precision counts, for each kind of hosts, the stored pairs between pages that the gold names, and how many of them
// are in the gold.
func (s *pairScorer) precision(pairs []scoredPair) (out [3]Proportion, err error) {
	listed, named := map[[2]uint32]bool{}, map[uint32]bool{}
	for _, x := range pairs {
		listed[[2]uint32{min(x.a, x.b), max(x.a, x.b)}] = true
		named[x.a], named[x.b] = true, true
	}
	for id := range named {
		list, err := s.duplicates(id)
		if err != nil {
			return out, err
		}
		for _, d := range list {
			if d.ID <= id || !named[d.ID] || !s.stored(d) {
				continue
			}
			right := listed[[2]uint32{id, d.ID}]
			out[0].Count(right)
			if s.sameHost(id, d.ID) {
				out[1].Count(right)
			} else {
				out[2].Count(right)
			}
		}
	}
	return out, nil
}
