package eval

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// BaselineScores holds the scores of a baseline, by the same measures as those of the run.
type BaselineScores struct {
	Name       string                `json:"name"`
	About      string                `json:"about"`
	Candidates string                `json:"candidates"` // AllDocuments or TargetsAlone
	Related    []score.RankingScores `json:"related"`    // as Evaluation.Related; empty if it could not be computed
}

// WebOf returns a function for Options.Web, which reads the inputs of a run again: those in the manifest, or the given
// inputs in their place.
func WebOf(inputs []string, workers int) func(ctx context.Context, r *query.Run, d *score.Directory) (*Web, error) {
	return func(ctx context.Context, r *query.Run, d *score.Directory) (*Web, error) {
		return ReadWeb(ctx, inputsOf(r, inputs), r.Config, d, webOptions(r, workers))
	}
}

// inputsOf returns the given inputs or, if there are none, those in the manifest of a run.
func inputsOf(r *query.Run, inputs []string) []string {
	if len(inputs) > 0 {
		return inputs
	}
	for _, in := range r.Manifest.Inputs {
		inputs = append(inputs, in.Path)
	}
	return inputs
}

// webOptions returns options with which the captures and links that a run has used are used again.
func webOptions(r *query.Run, workers int) WebOptions {
	return WebOptions{Workers: workers, Counts: CapturesOf(r), RedirectTarget: r.RedirectTarget}
}

// readWeb reads the inputs of a run, unless that has been done for a run with the same bags.
func (s *shared) readWeb(ctx context.Context, r *query.Run, d *score.Directory, o Options) (*Web, error) {
	if s.web == nil && s.webErr == nil {
		s.web, s.webErr = o.Web(ctx, r, d)
	}
	return s.web, s.webErr
}

// coLinks returns the co-linked pairs of the targets, unless that has failed for a run with the same bags.
func (s *shared) coLinks(r *query.Run, m *Match) (score.CoLinks, error) {
	if s.co == nil && s.coErr == nil {
		s.co, s.coErr = m.CoLinks(r)
	}
	return s.co, s.coErr
}

// baselines returns the data from which baselines are computed, and adds a warning for everything that is missing.
func (e *Evaluation) baselines(ctx context.Context, r *query.Run, d *score.Directory, m *Match, cache *shared, o Options) (*Baselines, error) {
	b := &Baselines{Run: r, Directory: d, Most: ListsWithin(d.Len(), RankingBytes), Workers: o.Workers}
	if b.Most > 0 && len(o.Baselines) > 0 {
		e.warn("the lists of the baselines are limited to %d neighbours of a target to save memory, so their gammas differ slightly from those of whole lists", b.Most)
	}
	if o.Apart {
		var err error
		if b.CoLinks, err = cache.coLinks(r, m); err != nil {
			e.warn("no figures without the pairs that one page links to together: %v", err)
		}
	}
	first := slices.IndexFunc(o.Baselines, func(base Baseline) bool { return base.Web })
	if o.Web == nil || first < 0 {
		return b, nil
	}
	web, err := cache.readWeb(ctx, r, d, o)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		e.warn("no baseline %s: %v", o.Baselines[first].Name, err) // one warning for all of them
		return b, nil
	}
	if n := crawled(r); web.Pages < n {
		e.warn("only %[2]d of the %[1]d pages of the run are still in its inputs; the baselines about text and citations are based on these", n, web.Pages)
	}
	b.Web = web
	return b, nil
}

func (e *Evaluation) warn(format string, a ...any) {
	e.Warnings = append(e.Warnings, fmt.Sprintf(format, a...))
}

// crawled returns the number of documents whose page the run has read.
func crawled(r *query.Run) (n int64) {
	for id := range uint32(r.Len()) {
		if r.Document(id).Crawled {
			n++
		}
	}
	return n
}

// both scores a ranking over all pairs and, if co-linked pairs are known, without these.
func both(d *score.Directory, r score.Ranking, measure score.Options, co score.CoLinks) []score.RankingScores {
	out := []score.RankingScores{d.ScoreRanking(r, measure)}
	if co != nil {
		measure.Barred = co
		out = append(out, d.ScoreRanking(r, measure))
	}
	return out
}

// others measures the baselines one after another, so that only the lists of one are in memory at a time.
func (e *Evaluation) others(ctx context.Context, b *Baselines, cache *shared, run score.Ranking, measure score.Options, o Options) error {
	for _, base := range o.Baselines {
		if s, ok := cache.scores[base.Name]; ok {
			e.Baselines = append(e.Baselines, s)
			continue
		}
		s := BaselineScores{Name: base.Name, About: base.About, Candidates: base.Candidates, Related: []score.RankingScores{}}
		if b.Web != nil || !base.Web {
			r, err := b.Ranking(ctx, base)
			if err != nil {
				return err
			}
			s.Related = both(b.Directory, r, measure, b.CoLinks)
			if o.Examples > 0 && base.bags != nil {
				if err := e.examples(b, base, run, r, o.Examples); err != nil {
					return err
				}
			}
		}
		if base.find == nil && cache.scores != nil { // it does not depend on the index of the run
			cache.scores[base.Name] = s
		}
		e.Baselines = append(e.Baselines, s)
	}
	return nil
}

// examples adds queries for which the run is right and a baseline about text wrong, and vice versa.
func (e *Evaluation) examples(b *Baselines, base Baseline, run, r score.Ranking, most int) error {
	mine := runView(b.Run)
	other, err := b.textView(base)
	if err != nil {
		return err
	}
	e.Wins = append(e.Wins,
		contest{b.Directory, mine, other, run, r}.wins(most),
		contest{b.Directory, other, mine, r, run}.wins(most))
	return nil
}

// runView returns the view of what a run answers, for examples.
func runView(r *query.Run) comparedView {
	v := bagView(r)
	v.name = "related"
	return v
}

// textView returns the view of a baseline about text, for examples.
func (b *Baselines) textView(base Baseline) (comparedView, error) {
	raw, ofRun := base.bags(b)
	terms, err := b.terms(raw, ofRun)
	return comparedView{name: base.Name, run: b.Run, reasons: func(x, y uint32, n *ViewNearest) {
		i, okI := b.Directory.Index(b.Run.Document(x).URL)
		j, okJ := b.Directory.Index(b.Run.Document(y).URL)
		if okI && okJ {
			n.Words = b.sharedWords(terms, raw[i], raw[j])
		}
	}}, err
}
