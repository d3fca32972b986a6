package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/pipeline"
)

// ablating is the state of a comparison of settings.
type ablating struct {
	options SettingsOptions
	inputs  []string
	vary    []Variation
	golds   []*ablatedGold
	done    int
}

// ablatedGold holds the state of a comparison for one gold.
type ablatedGold struct {
	*score.Directory
	gold *gold.Gold
	co   score.CoLinks  // nil if unknown
	base [2]*score.Hits // hits of the base: over all pairs, and without co-linked pairs
	out  *Ablation
}

func (a *ablating) workers() int {
	if a.options.Workers > 0 {
		return a.options.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// gather makes the raw bags of a group of variations and scores them. It removes the run directory before it returns.
func (a *ablating) gather(ctx context.Context, group []int) (err error) {
	a.begin(group[0])
	dir, err := os.MkdirTemp(a.options.Temp, "lshclust-settings-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c := a.vary[group[0]].Config
	c.MinDF, c.MaxDF = 1, 1 // all terms: each variation decides which of them it uses
	all, err := pipeline.Gather(ctx, dir, a.inputs, c, pipeline.Options{Workers: a.options.Workers, Memory: a.options.Memory})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, all.Close()) }()
	made := &gathered{Gathered: all}
	if group[0] == 0 {
		if err := a.begun(ctx, made); err != nil {
			return err
		}
	}
	if err := made.bags(ctx, a.targets(made)); err != nil {
		return err
	}
	for i, v := range group {
		if i > 0 {
			a.begin(v)
		}
		if err := a.score(ctx, made, v); err != nil {
			return err
		}
	}
	return nil
}

func (a *ablating) begin(i int) {
	if a.options.Progress != nil {
		a.options.Progress(a.done, len(a.vary), a.vary[i].Name)
	}
	a.done++
}

// begun describes the golds by the documents of the base, and finds the co-linked targets.
func (a *ablating) begun(ctx context.Context, made *gathered) error {
	for _, g := range a.golds {
		if err := g.describe(a, made); err != nil {
			return err
		}
		web, err := ReadWeb(ctx, a.inputs, a.vary[0].Config, g.Directory, WebOptions{Workers: a.workers(), Counts: made.IsCapture, RedirectTarget: made.Target})
		if err != nil {
			return err
		}
		g.out.Damaged = web.Dropped.Damaged()
		if g.co, err = web.CoLinks(); err != nil {
			g.out.Warnings = append(g.out.Warnings, fmt.Sprintf("no figures without the pairs that one page links to together: %v", err))
		}
	}
	return nil
}

func (g *ablatedGold) describe(a *ablating, made *gathered) error {
	m := Match{}
	held := func(i int) bool { _, ok := made.Find(g.URL(i)); return ok }
	for i := range g.Len() {
		if held(i) {
			m.Known++
		}
	}
	if m.Known == 0 {
		return fmt.Errorf("%s: %w: looked for %d, the first is %s", g.gold.Name, ErrNoOverlap, g.Len(), g.URL(0))
	}
	e := describe(g.gold, g.Directory, &m, Options{Half: a.options.Half})
	warnings, err := g.CheckLevels(held, "the inputs hold")
	if err != nil {
		return fmt.Errorf("%s: %w", g.gold.Name, err)
	}
	e.Warnings = append(e.Warnings, warnings...)
	g.out = &Ablation{
		Gold: e.Gold, Inputs: a.inputs, Base: a.vary[0].Config, Half: e.Half, Targets: e.Targets, Known: e.Known, Queries: e.Queries,
		Lists: e.Lists, Skipped: e.Skipped, Warnings: e.Warnings,
	}
	for g.out.Levels < g.Depth() && e.Categories[g.out.Levels] > 0 {
		g.out.Levels++
	}
	return nil
}

// targets returns the documents that are targets of any gold.
func (a *ablating) targets(made *gathered) map[uint32]bool {
	ids := map[uint32]bool{}
	for _, g := range a.golds {
		for i := range g.Len() {
			if id, ok := made.Find(g.URL(i)); ok {
				ids[id] = true
			}
		}
	}
	return ids
}

// score weighs the bags as a variation does and scores their nearest neighbours against each gold.
func (a *ablating) score(ctx context.Context, made *gathered, v int) error {
	weigher, err := made.Weigher(weighting(a.vary[v].Config))
	if err != nil {
		return err
	}
	for _, g := range a.golds {
		vectors := made.vectors(g.Directory, weigher)
		lists, err := newInverted(vectors).lists(ctx, jaccard(vectors), cut{1, g.co}, a.workers())
		if err != nil {
			return err
		}
		g.row(a, v, score.Ranking{Name: a.vary[v].Name, Lists: lists})
	}
	return nil
}

// row adds a row of figures.
func (g *ablatedGold) row(a *ablating, v int, r score.Ranking) {
	o := score.Options{Queries: g.In(a.options.Half), Bootstrap: a.options.Bootstrap, Seed: a.options.Seed}
	row := AblationRow{Variation: a.vary[v], All: g.settingScores(r, &g.base[0], o)}
	if g.co != nil {
		o.Barred = g.co
		apart := g.settingScores(r, &g.base[1], o)
		row.Apart = &apart
	}
	g.out.Rows = append(g.out.Rows, row)
	slices.SortStableFunc(g.out.Rows, func(x, y AblationRow) int { return a.place(x.Name) - a.place(y.Name) })
}

// place returns the position of a variation in the request; groups are in another order.
func (a *ablating) place(name string) int {
	return slices.IndexFunc(a.vary, func(v Variation) bool { return v.Name == name })
}

// settingScores returns the figures of a ranking and their differences from those of the base, which is the first
// ranking.
func (g *ablatedGold) settingScores(r score.Ranking, base **score.Hits, o score.Options) SettingScores {
	hits := g.Directory.Hits(r, o)
	coverage, levels := hits.Figures(o)
	out := SettingScores{Coverage: coverage, Hits: levels[:g.out.Levels], Differences: []score.Figure{}}
	if *base == nil {
		*base = hits
		return out
	}
	out.Differences = hits.Less(*base, o)[:g.out.Levels]
	return out
}
