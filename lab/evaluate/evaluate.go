package evaluate

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// Evaluation holds the scores of the topical view of a run against one gold.
type Evaluation struct {
	Gold       string                `json:"gold"`
	Labels     int                   `json:"labels"`
	Documents  int                   `json:"documents"`            // of the run; its lists hold any of these, targets or not
	Targets    int                   `json:"targets"`              // distinct URLs
	Known      int                   `json:"known"`                // targets in the run
	Unknown    []string              `json:"unknown,omitempty"`    // the first few targets that are not in the run
	Skipped    gold.Skips            `json:"skipped,omitempty"`    // rows of the gold that are not labels
	Depth      int                   `json:"depth"`                // number of levels
	Categories []int                 `json:"categories"`           // number at each level
	Indistinct []string              `json:"indistinct,omitempty"` // levels that tell nothing, with the reason
	Half       score.Half            `json:"half"`                 // which targets are queries
	Queries    int                   `json:"queries"`              //
	Lists      int                   `json:"lists"`                // number of lists with a query
	Related    []score.RankingScores `json:"related"`              // lists of the run, with and (if known) without co-linked pairs
	Baselines  []BaselineScores      `json:"baselines,omitempty"`  // other ways to find related pages
	Threshold  float64               `json:"threshold"`            // minimum similarity of a pair in a cluster
	Clusters   score.ClusterScores   `json:"clusters"`             // clusters of the run
	Warnings   []string              `json:"warnings,omitempty"`   // reasons why figures are undefined or doubtful
}

// BaselineScores holds the scores of a baseline, measured like those of the run.
type BaselineScores struct {
	Name       string                `json:"name"`
	About      string                `json:"about"`
	Candidates string                `json:"candidates"` // AllDocuments or TargetsAlone
	Related    []score.RankingScores `json:"related"`    // as Evaluation.Related; empty if it could not be computed
}

// Options holds the options of Evaluate.
type Options struct {
	Depth     int // number of levels; 0: 3
	Half      score.Half
	Known     bool // use only targets that the run holds, both as queries and as candidates
	Bootstrap int
	Seed      uint64
	Apart     bool       // also measure without the pairs that one page links to together
	Baselines []Baseline // to measure along with the run
}

// Evaluate evaluates a run against a gold. The error wraps ErrNoOverlap if the run holds none of its URLs, and
// score.ErrTellsNothing if the gold has only one category or cannot tell good lists from bad ones for another reason.
func Evaluate(ctx context.Context, r *runs.Run, g *gold.Gold, o Options) (*Evaluation, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	s, e, err := begin(r, g, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	measure := score.Options{Queries: s.Directory.In(o.Half), Bootstrap: o.Bootstrap, Seed: o.Seed}
	if err := e.related(ctx, s, measure, o); err != nil {
		return nil, err
	}
	e.Clusters = s.Directory.ScoreClusters(s.Clusters("run", r.Clusters.Centers()), measure)
	return e, nil
}

// begin finds the targets and fills in the fields that need no measurement.
func begin(r *runs.Run, g *gold.Gold, o Options) (*Subject, *Evaluation, error) {
	if o.Depth == 0 {
		o.Depth = 3
	}
	s, err := NewSubject(r, g.Labels, o.Depth)
	if err == nil && o.Known {
		s, err = NewSubject(r, s.known(g.Labels), o.Depth)
	}
	if err != nil {
		return nil, nil, err
	}
	d := s.Directory
	e := &Evaluation{
		Gold: g.Name, Labels: len(g.Labels), Documents: r.Len(), Targets: d.Len(), Known: s.Known, Unknown: s.Unknown, Skipped: g.Skipped,
		Depth: d.Depth(), Half: o.Half, Threshold: r.Config.Threshold,
	}
	for k := 1; k <= d.Depth(); k++ {
		e.Categories = append(e.Categories, d.Categories(k))
	}
	lists, in := map[string]bool{}, d.In(o.Half)
	for i := range d.Len() {
		if in == nil || in(i) {
			e.Queries++
			lists[d.List(i)] = true
		}
	}
	e.Lists = len(lists)
	if 2*s.Known < d.Len() {
		e.warn("the run holds %d of %d targets; the others count as wrong, unless only known targets are used", s.Known, d.Len())
	}
	if e.Indistinct, err = d.CheckLevels(func(i int) bool { return s.IDs[i] != eval.NoDocument }, "the run holds"); err != nil {
		return nil, nil, err
	}
	if e.Queries == 0 {
		return nil, nil, fmt.Errorf("%w: no list of the gold is in the half %q; use the other half, or all", score.ErrTellsNothing, o.Half)
	}
	return s, e, nil
}

// related scores the neighbours that the run answers, and then those of each baseline in turn, so that only the lists
// of one baseline are in memory at a time.
func (e *Evaluation) related(ctx context.Context, s *Subject, measure score.Options, o Options) (err error) {
	if o.Apart {
		if s.CoLinks, err = s.coLinked(); err != nil {
			e.warn("no figures without the pairs that one page links to together: %v", err)
		}
	}
	if s.most = listsWithin(s.Directory.Len()); s.most > 0 && len(o.Baselines) > 0 {
		e.warn("the lists of the baselines are limited to %d neighbours of a target to save memory, so their gammas differ slightly from those of whole lists", s.most)
	}
	run, err := s.Related(ctx, topics.Lookup{})
	if err != nil {
		return err
	}
	e.Related = s.both(run, measure)
	for _, base := range o.Baselines {
		x := BaselineScores{Name: base.Name, About: base.About, Candidates: base.Candidates, Related: []score.RankingScores{}}
		r, err := base.Rank(ctx, s)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Name = base.Name
		if err != nil {
			e.warn("no baseline %s: %v", base.Name, err)
		} else {
			x.Related = s.both(r, measure)
		}
		e.Baselines = append(e.Baselines, x)
	}
	return nil
}

func (e *Evaluation) warn(format string, a ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, a...))
}

// Levels returns the number of levels that have a category.
func (e *Evaluation) Levels() (n int) {
	for n < len(e.Categories) && e.Categories[n] > 0 {
		n++
	}
	return n
}

// Part is a part of an evaluation: a way to find related pages, or the clusters.
type Part struct {
	Name     string        // "related", "baseline stored", "clusters"
	CoLinked string        // as in score.RankingScores
	Figures  []score.Named // in a fixed order
}

// Parts lists all figures of an evaluation: those of the run first, then the baselines and the clusters.
func (e *Evaluation) Parts() (out []Part) {
	add := func(name string, scores []score.RankingScores) {
		for i := range scores {
			out = append(out, Part{name, scores[i].CoLinked, scores[i].Figures()})
		}
	}
	add("related", e.Related)
	for _, b := range e.Baselines {
		add("baseline "+b.Name, b.Related)
	}
	return append(out, Part{"clusters", "kept", e.Clusters.Figures()})
}
