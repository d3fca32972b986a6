package eval

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
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
	Depth      int                   `json:"depth"`                // number of levels that are distinguished
	Categories []int                 `json:"categories"`           // number at each level
	Indistinct []string              `json:"indistinct,omitempty"` // levels that tell nothing, with the reason
	Half       score.Half            `json:"half"`                 // which targets are queries
	Queries    int                   `json:"queries"`              //
	Lists      int                   `json:"lists"`                // number of lists with a query
	Rounds     int                   `json:"rounds"`               // rounds of expansion in Related
	Width      int                   `json:"width"`                // and their width
	Related    []score.RankingScores `json:"related"`              // what the run answers with the lookup: over all pairs and, if they are known, without co-linked pairs
	Baselines  []BaselineScores      `json:"baselines,omitempty"`  // other ways to find related pages
	Wins       []ViewWins            `json:"wins,omitempty"`       // wins of the run over the baselines about text, and of these over the run
	Threshold  float64               `json:"threshold"`            // minimum similarity of a pair in a cluster
	Clusters   score.ClusterScores   `json:"clusters"`             // clusters of the run
	Curve      []CurvePoint          `json:"curve,omitempty"`      // clusters at other thresholds and in other orders
	Tree       *TreeScores           `json:"tree,omitempty"`       // levels of the tree of the clusters
	Warnings   []string              `json:"warnings,omitempty"`   // reasons why figures are undefined or doubtful
}

// Options holds the options of Evaluate.
type Options struct {
	Depth      int // number of levels; 0: 3
	Half       score.Half
	Known      bool // use only targets that the run holds, as queries and as candidates
	Bootstrap  int
	Seed       uint64
	Thresholds []float64      // thresholds of Evaluation.Curve
	Orders     []center.Order // orders of CENTER in Evaluation.Curve, each at every threshold; empty: that of the run
	Tree       []float64      // thresholds of the levels of Evaluation.Tree; nil: those of the run

	Lookup    query.Lookup // rounds and width of Evaluation.Related; the zero value stands for query.DefaultLookup
	Apart     bool         // also measure without the pairs that one page links to together
	Baselines []Baseline   // baselines to measure next to the run
	Examples  int          // number of queries to show where the run is right and a baseline about text wrong, and vice versa
	Workers   int          // at least 1

	// Web reads the inputs of the run again (see WebOf). Baselines about text and citations need it; if it is nil, they
	// are left out.
	Web func(ctx context.Context, r *query.Run, d *score.Directory) (*Web, error)

	shared *shared // what EvaluateRuns measures once for several runs; nil for a single run
}

// Evaluate evaluates a run against a gold. The error wraps ErrNoOverlap if the run holds none of its URLs, and
// score.ErrTellsNothing if the gold has only one category or cannot tell good lists from bad ones for another reason.
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
		err = fmt.Errorf("%w: no list of the gold is in the half %q; use the other half, or all", score.ErrTellsNothing, o.Half)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.Name, err)
	}
	e.Indistinct = warnings
	e.Rounds, e.Width = o.lookup().Rounds, o.lookup().Width
	e.Documents = r.Len()
	e.Threshold = r.Config.Threshold
	measure := score.Options{Queries: d.In(o.Half), InLinks: m.InLinks, Bootstrap: o.Bootstrap, Seed: o.Seed}
	if err := e.related(ctx, r, d, &m, measure, o); err != nil {
		return nil, err
	}
	e.Clusters = d.ScoreClusters(m.Clusters("run", r.TopicalCenters()), measure)
	if e.Curve, err = Curve(ctx, r, d, &m, o, measure); err != nil {
		return nil, err
	}
	if e.Tree, err = Tree(ctx, r, d, &m, o.Tree, o.Workers, measure); err != nil {
		return nil, err
	}
	return e, nil
}

// known returns the directory of the labels whose URLs the run holds.
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

// describe fills in the fields that do not need any measurement.
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
		e.Warnings = append(e.Warnings, fmt.Sprintf("the run holds %d of %d targets; the others count as wrong, unless only known targets are used", m.Known, d.Len()))
	}
	if e.Lists = len(lists); e.Queries == 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("no list of the gold is in the half %q, so there are no figures", o.Half))
	}
	return e
}

// related scores the neighbours that the run answers and those of the baselines.
func (e *Evaluation) related(ctx context.Context, r *query.Run, d *score.Directory, m *Match, measure score.Options, o Options) error {
	cache, err := o.shared.forRun(r.Manifest)
	if err != nil {
		return err
	}
	b, err := e.baselines(ctx, r, d, m, cache, o)
	if err != nil {
		return err
	}
	ranking, err := m.Related(ctx, r, o.lookup(), "related")
	if err != nil {
		return err
	}
	e.Related = both(d, ranking, measure, b.CoLinks)
	return e.others(ctx, b, cache, ranking, measure, o)
}

// Levels returns the number of levels that have a category.
func (e *Evaluation) Levels() (n int) {
	for n < len(e.Categories) && e.Categories[n] > 0 {
		n++
	}
	return n
}
