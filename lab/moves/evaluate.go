package moves

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/lab/pairs"
)

// Step is a pair of runs and the rows of a gold about them.
type Step struct {
	From, To string // names of the runs
	Crawls   *crawls.TwoCrawls
	Gold     *pairs.Pairs  // nil: pages with equal URLs are versions of one page
	Hide     crawls.Hiding // without a gold: which parts of the URLs to hide from the method
}

// Result holds the figures of one step.
type Result struct {
	From     string         `json:"from"`
	To       string         `json:"to"`
	Gone     int            `json:"gone"`     // pages that are gone or, if URLs are hidden, are treated as gone
	Verdicts map[string]int `json:"verdicts"` // pages by the kind of their verdict
	Unlisted int            `json:"unlisted"` // verdicts that name a page, on pages that are not in the gold
	Unknown  gold.Skips     `json:"unknown"`  // rows with a page that a run does not have
	Figures
}

// withheld is the share of the pages with hidden URLs whose newer version is no candidate: one in this number. To the
// method, these pages are gone.
const withheld = 4

// goneLabel is a gone page for which the gold has a row.
type goneLabel struct {
	target      uint32
	known       bool // the target is in the newer run
	moved       bool // the gold says that it moved, not that it was merged
	resemblance float64
}

// stepData is a step with the candidates of its gone pages.
type stepData struct {
	result Result
	pages  []moved.Page
	labels map[uint32]goneLabel
}

// Evaluate compares the verdicts on the gone pages of each step with a gold. It does not score pages that the gold
// says were merged.
func Evaluate(ctx context.Context, steps []Step) (out []Result, err error) {
	for _, s := range steps {
		d, err := s.data(ctx)
		if err != nil {
			return nil, err
		}
		var pages []Move
		for _, v := range s.Crawls.Decide(d.pages) {
			d.result.Verdicts[v.Kind.String()]++
			label, ok := d.labels[v.Page]
			if !ok && v.Kind != moved.Gone {
				d.result.Unlisted++
			}
			if ok && label.moved {
				pages = append(pages, label.judge(&v))
			}
		}
		d.result.Figures = newFigures(pages)
		out = append(out, d.result)
	}
	return out, nil
}

// judge compares a verdict with its label.
func (l *goneLabel) judge(v *moved.Verdict) Move {
	m := Move{Resemblance: l.resemblance, There: l.known, Named: v.Kind != moved.Gone, Confidence: v.Confidence}
	for _, p := range v.Places {
		m.Right = m.Right || l.known && p.Page == l.target
	}
	return m
}

// data finds the gone pages of a step, their candidates and their labels.
func (s *Step) data(ctx context.Context) (*stepData, error) {
	d := &stepData{labels: map[uint32]goneLabel{}}
	d.result = Result{From: s.From, To: s.To, Verdicts: map[string]int{}, Unknown: gold.Skips{}}
	var err error
	if s.Gold == nil {
		err = s.hidden(ctx, d)
	} else {
		err = s.listed(ctx, d)
	}
	d.result.Gone = len(d.pages)
	if err == nil && len(d.labels) == 0 {
		err = fmt.Errorf("%s to %s: %w", s.From, s.To, eval.ErrNoOverlap)
	}
	return d, err
}

// listed uses the rows of the gold.
func (s *Step) listed(ctx context.Context, d *stepData) (err error) {
	gone := s.Crawls.Gone()
	is := make(map[uint32]bool, len(gone))
	for _, id := range gone {
		is[id] = true
	}
	for _, p := range s.Gold.Pairs {
		old, errOld := pageOf(s.Crawls.Older, p.A)
		target, errNew := pageOf(s.Crawls.Newer, p.B)
		switch {
		case errOld != nil:
			d.result.Unknown.Add("not-in-older", p.At, p.A)
		case errNew != nil:
			d.result.Unknown.Add("not-in-newer", p.At, p.B)
		case is[old]:
			d.labels[old] = goneLabel{target, true, p.Kind == "" || p.Kind == pairs.Moved, p.Resemblance}
		}
	}
	d.pages, err = s.Crawls.Candidates(ctx, gone, nil)
	return err
}

// hidden treats the pages that both runs have as gone, and withholds the newer version of one in four.
func (s *Step) hidden(ctx context.Context, d *stepData) (err error) {
	older, newer := s.Crawls.Older, s.Crawls.Newer
	away := map[uint32]bool{}
	var both []uint32
	for id := range uint32(older.Len()) {
		doc := older.Document(id)
		target, err := pageOf(newer, doc.URL)
		if !doc.Crawled || err != nil {
			continue
		}
		away[target] = len(both)%withheld == withheld-1
		both = append(both, id)
		o, err := s.Crawls.Overlap(id, target)
		if err != nil {
			return err
		}
		d.labels[id] = goneLabel{target, !away[target], true, o.Resemblance}
	}
	d.pages, err = s.Crawls.Hidden(s.Hide).Candidates(ctx, both, func(candidate uint32) bool { return !away[candidate] })
	return err
}

// pageOf looks up a crawled page.
func pageOf(r *runs.Run, url string) (uint32, error) {
	id, err := r.Lookup(url)
	if err == nil && !r.Document(id).Crawled {
		err = runs.ErrUnknown
	}
	return id, err
}
