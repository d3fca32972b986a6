package eval

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// Evaluation is what the topical view of a run is worth by one gold.
type Evaluation struct {
	Gold       string                `json:"gold"`
	Labels     int                   `json:"labels"`
	Documents  int                   `json:"documents"`            // of the run: its lists are made of these, targets or not
	Targets    int                   `json:"targets"`              // distinct URLs
	Known      int                   `json:"known"`                // of these, in the run
	Unknown    []string              `json:"unknown,omitempty"`    // the first few that are not
	Skipped    gold.Skips            `json:"skipped,omitempty"`    // rows of the gold that are no labels
	Depth      int                   `json:"depth"`                // levels that are told apart
	Categories []int                 `json:"categories"`           // of each level
	Indistinct []string              `json:"indistinct,omitempty"` // levels that tell nothing, and why
	Half       score.Half            `json:"half"`                 // which targets are queries
	Queries    int                   `json:"queries"`              //
	Lists      int                   `json:"lists"`                // that they are in
	Related    []score.RankingScores `json:"related"`              // lists that the run has stored: of all pairs; and without co-linked ones, if they are known
	Baselines  []BaselineScores      `json:"baselines,omitempty"`  // other ways to find related pages
	Wins       []ViewWins            `json:"wins,omitempty"`       // of the run over the baselines about text, and of these over it
	Threshold  float64               `json:"threshold"`            // of the clusters of the run
	Clusters   score.ClusterScores   `json:"clusters"`             // as they are in the run
	Curve      []CurvePoint          `json:"curve,omitempty"`      // at other thresholds
	Warnings   []string              `json:"warnings,omitempty"`   // what makes figures undefined or doubtful
}

// EvaluateOptions say how a run is evaluated.
type Options struct {
	Depth      int // levels; 0: 3
	Half       score.Half
	Known      bool // only the targets that the run holds, as queries and as candidates
	Bootstrap  int
	Seed       uint64
	Thresholds []float64 // for the curve

	Apart     bool       // measure without pairs that one page links to together, too
	Baselines []Baseline // to be measured beside the run
	Examples  int        // queries to show where the run is right and a baseline about text wrong, and the other way round
	Workers   int        // 1 if it is less

	// Web reads the inputs of the run once more (see WebOf), which Apart and most baselines need; nil: these are left out.
	Web func(ctx context.Context, d *score.Directory) (*Web, error)
}

// Evaluate evaluates a run by a gold. The error wraps ErrNoOverlap if the run holds none of its URLs, and ErrTellsNothing if
// the gold has one category, or nothing else to tell good lists from bad ones by.
func Evaluate(ctx context.Context, r *query.Run, g *gold.Gold, o Options) (*Evaluation, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	if o.Depth == 0 {
		o.Depth = 3
	}
	d, err := score.NewDirectory(g.Labels, o.Depth)
	if err == nil && o.Known {
		d, err = known(r, d, g.Labels)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	m, err := Find(r, d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	e := describe(g, d, &m, o)
	warnings, err := d.CheckLevels(func(i int) bool { return m.IDs[i] != NoDocument }, "the run holds")
	if err == nil && e.Queries == 0 {
		err = fmt.Errorf("%w: no list of the gold is in the half %q; measure the other half, or all", score.ErrTellsNothing, o.Half)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	e.Indistinct = warnings
	e.Documents = r.Len()
	e.Threshold = r.Config.Threshold
	measure := score.Options{Queries: d.In(o.Half), InLinks: m.InLinks, Bootstrap: o.Bootstrap, Seed: o.Seed}
	if err := e.related(ctx, r, d, &m, measure, o); err != nil {
		return nil, err
	}
	e.Clusters = d.ScoreClusters(m.Clusters("run", r.TopicalCenters()), measure)
	if e.Curve, err = Curve(ctx, r, d, &m, o.Thresholds, measure); err != nil {
		return nil, err
	}
	return e, nil
}

// known is the directory of the labels whose URLs the run holds.
func known(r *query.Run, d *score.Directory, labels []score.Label) (*score.Directory, error) {
	m, err := Find(r, d)
	if err != nil {
		return nil, err
	}
	var some []score.Label
	for _, l := range labels {
		if i, ok := d.Index(l.URL); ok && m.IDs[i] != NoDocument {
			some = append(some, l)
		}
	}
	return score.NewDirectory(some, d.Depth())
}

// describe fills in what is known before anything is measured.
func describe(g *gold.Gold, d *score.Directory, m *Match, o Options) *Evaluation {
	e := &Evaluation{
		Gold: g.Name, Labels: len(g.Labels), Targets: d.Len(), Known: m.Known, Unknown: m.Unknown, Skipped: g.Skipped,
		Depth: d.Depth(), Half: o.Half,
	}
	for k := 1; k <= d.Depth(); k++ {
		e.Categories = append(e.Categories, d.Categories(k))
	}
	lists := map[string]bool{}
	in := d.In(o.Half)
	for i := range d.Len() {
		if in == nil || in(i) {
			e.Queries++
			lists[d.List(i)] = true
		}
	}
	if 2*m.Known < d.Len() {
		e.Warnings = append(e.Warnings, fmt.Sprintf("the run holds %d of %d targets: the others count as misses, unless only the known ones are asked for", m.Known, d.Len()))
	}
	if e.Lists = len(lists); e.Queries == 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("no list of the gold is in the half %q: there are no figures", o.Half))
	}
	return e
}

// related scores the neighbours of the run and those of the baselines.
func (e *Evaluation) related(ctx context.Context, r *query.Run, d *score.Directory, m *Match, measure score.Options, o Options) error {
	b, err := e.baselines(ctx, r, d, o)
	if err != nil {
		return err
	}
	ranking, err := m.Related(ctx, r, "related")
	if err != nil {
		return err
	}
	e.Related = both(d, ranking, measure, b.CoLinks)
	return e.others(ctx, b, ranking, measure, o)
}

// Levels is the number of levels that have a category.
func (e *Evaluation) Levels() (n int) {
	for n < len(e.Categories) && e.Categories[n] > 0 {
		n++
	}
	return n
}
