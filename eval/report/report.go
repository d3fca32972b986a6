// Package report shows evaluations on a page for people: [Report.HTML] writes the tables, charts and examples of
// everything that was measured of a run, and [WriteSample] the page on which a person marks a sample of neighbours.
//
// The one rule: a page needs no other file and runs no code from the crawl: titles, URLs and golds are shown as text.
// The same report gives the same bytes.
package report

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// Options says what a report measures in addition to the evaluations.
type Options struct {
	eval.Options
	Sample int // number of distinct bags that are compared with all others; 0: none
}

// Report holds everything that was measured about a run.
type Report struct {
	Name         string // of the run
	Second       string // name of the second run; empty: none
	Tool         string // version of lshclust that made the report
	Run          *query.Run
	Options      Options
	Evaluations  []*eval.Evaluation // one for each gold
	Views        []*eval.Views      // against the same golds, if there are two views
	Recall       *eval.Recall       // nil if not measured
	Similarities *Similarities      // nil if not measured
	Variations   []Variations       // results of eval settings, if there are any
	Missing      []string           // what is not on the page, and why
}

// thresholds are the thresholds of CENTER that a report compares.
var thresholds = []float64{0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5}

// Thresholds returns the thresholds of CENTER that a report compares by default. They are limited to those that the
// stored pairs of the run allow.
func Thresholds(r *query.Run) (out []float64) {
	for _, t := range thresholds {
		if t >= r.Config.Similarity {
			out = append(out, t)
		}
	}
	return out
}

// New measures what a report needs in addition to the evaluations of the first run against the golds: how much the
// index finds, how similar pages are, and where each view wins. The second run, if there is one, has bags of the other
// kind. Missing names what cannot be measured.
func New(ctx context.Context, runs []eval.NamedRun, golds []*gold.Gold, evaluations []*eval.Evaluation, o Options) (*Report, error) {
	r := &Report{Name: runs[0].Name, Run: runs[0].Run, Options: o, Evaluations: evaluations}
	if len(runs) > 1 {
		r.Second = runs[1].Name
	}
	if err := r.index(ctx); err != nil {
		return nil, err
	}
	if len(runs) == 1 && !r.Run.Config.Has(config.Syntactic) {
		return r, nil // only one view
	}
	views := eval.ViewsOptions{Depth: o.Depth, Examples: o.Examples, Score: score.Options{Bootstrap: o.Bootstrap, Seed: o.Seed}}
	for _, g := range golds {
		v, err := eval.CompareViews(ctx, g, runs, views)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, eval.ErrNoOverlap), errors.Is(err, score.ErrTellsNothing):
			r.miss("the views on %s: %v", g.Name, err)
		case err != nil:
			return nil, err
		default:
			r.Views = append(r.Views, v)
		}
	}
	return r, nil
}

// index measures how much of a sample the index finds.
func (r *Report) index(ctx context.Context) (err error) {
	o := r.Options
	if o.Sample == 0 {
		return nil
	}
	r.Recall, err = eval.MeasureRecall(ctx, r.Run, eval.RecallOptions{
		Sample: o.Sample, Edges: eval.RecallEdges, Above: 0.3, Bootstrap: o.Bootstrap, Seed: o.Seed,
	})
	if err != nil {
		return err
	}
	x := &Similarities{}
	x.Sampled, err = r.Run.Similar(ctx, o.Sample, o.Seed, x.add)
	if r.Similarities = x; err != nil && ctx.Err() == nil {
		r.Similarities = nil
		r.miss("the histogram of similarities: %v", err)
		return nil
	}
	return err
}

func (r *Report) miss(format string, a ...any) {
	r.Missing = append(r.Missing, fmt.Sprintf(format, a...))
}

// HTML writes the report as one page that needs nothing else: no script and no network.
func (r *Report) HTML(w io.Writer) error {
	p, err := r.page()
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, p)
}
