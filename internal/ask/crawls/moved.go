package crawls

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// LostPage is a page of an earlier run whose URL has no page in the last one.
type LostPage struct {
	URL     string
	Run     int           // the newest run that has the page
	Verdict moved.Verdict // its Page is a document of that run, all other pages are documents of the last run
	Via     []Stop        // where the page was in between
}

// Stop is a URL that a page had in a run.
type Stop struct {
	Run int
	URL string
}

// Moves returns a verdict on each page of an earlier run whose URL has no page in the last run. If several earlier
// runs have a page at the URL, the verdict is on the newest. Moves follows a page that moved several times to its
// last place. A URL that was gone and is back is not gone. The order is by run, then by id.
func (c *Crawls) Moves(ctx context.Context) (out []LostPage, err error) {
	for run := range c.runs[:len(c.runs)-1] {
		r := c.runs[run]
		for id := range uint32(r.Docs.Len()) {
			if url := r.Docs.URL(id); !r.There(id) || c.newest(url) != run {
				continue
			}
			p, err := c.trace(ctx, run, id)
			if err != nil {
				return nil, err
			}
			out = append(out, *p)
		}
	}
	return out, nil
}

// trace decides where a page went that a run has and no later run has. Two ways lead to the last run: the verdict
// between the two runs, and the chain of verdicts from each run to the next, whose confidence is the product of
// theirs. If they lead to different pages, the more probable one wins.
func (c *Crawls) trace(ctx context.Context, run int, id uint32) (*LostPage, error) {
	s, err := c.between(run, len(c.runs)-1)
	if err != nil {
		return nil, err
	}
	direct, err := s.trace(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &LostPage{URL: c.runs[run].Docs.URL(id), Run: run, Verdict: direct}
	steps, end, err := c.follow(ctx, run, id)
	if err != nil || len(steps) == 0 {
		return p, err
	}
	chain := c.chained(steps, end)
	same := len(direct.Places) > 0 && direct.Places[0].Page == chain.Places[0].Page
	if !same && direct.Kind != moved.Gone && direct.Confidence >= chain.Confidence || same && len(steps) == 1 && len(direct.Places) > 1 {
		return p, nil
	}
	if same && direct.Confidence > chain.Confidence {
		chain.Confidence, chain.Places[0].Confidence = direct.Confidence, direct.Confidence
	}
	if direct.Kind == moved.Gone && chain.Confidence < least {
		return p, nil
	}
	chain.Page = id
	chain.Others = slices.DeleteFunc(slices.Concat(direct.Places, direct.Others), func(o moved.Place) bool {
		return slices.ContainsFunc(chain.Places, func(p moved.Place) bool { return p.Page == o.Page })
	})
	p.Verdict = chain
	p.Via = c.via(steps, end)
	return p, nil
}

// least is the least confidence of a chain of verdicts that names a page.
const least = 0.5

// step is a verdict on a page of one run in a later one.
type step struct {
	to      int // the later run
	verdict moved.Verdict
}

// follow follows a page from run to run and returns the verdicts on the way, and its document in the last run. If a
// URL is gone and back, the page stays there. It returns no verdicts if it loses the page.
func (c *Crawls) follow(ctx context.Context, run int, id uint32) (steps []step, end uint32, err error) {
	last := len(c.runs) - 1
	for {
		url := c.runs[run].Docs.URL(id)
		if run = c.newest(url); run == last {
			end, _ = c.Last().Docs.Find(url)
			return steps, end, nil
		}
		id, _ = c.runs[run].Docs.Find(url)
		s, err := c.between(run, run+1)
		if err != nil {
			return nil, 0, err
		}
		v, err := s.trace(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		if len(v.Places) != 1 && (len(v.Places) == 0 || run+1 < last) {
			return nil, 0, nil
		}
		steps = append(steps, step{run + 1, v})
		run, id = run+1, v.Places[0].Page
	}
}

// chained returns the last verdict of a chain, with the confidence of the chain. end is the document of the last run.
func (c *Crawls) chained(steps []step, end uint32) moved.Verdict {
	v := steps[len(steps)-1].verdict
	v.Places = slices.Clone(v.Places)
	if len(v.Places) == 1 { // the page may not have moved since
		v.Places[0].Page = end
	}
	before := 1.0
	for _, s := range steps[:len(steps)-1] {
		before *= s.verdict.Confidence
	}
	v.Confidence *= before
	for i := range v.Places {
		v.Places[i].Confidence *= before
	}
	return v
}

// via returns where a page was between its first URL and the URL of a document of the last run.
func (c *Crawls) via(steps []step, end uint32) (stops []Stop) {
	for _, s := range steps {
		if url := c.runs[s.to].Docs.URL(s.verdict.Places[0].Page); url != c.Last().Docs.URL(end) {
			stops = append(stops, Stop{s.to, url})
		}
	}
	return stops
}

// Redirects returns the moves for redirect rules: a page whose verdict is not gone and has at least a confidence is
// sent to the first page of the last run that the verdict names. Dropped are the moves that lead to no page of the
// last run. Redirects also returns all other URLs of the runs, which no rule may redirect.
func Redirects(c *Crawls, lost []LostPage, confidence float64) (sound, dropped []rules.Move, others []string) {
	var moves []rules.Move
	for i := range lost {
		if v := &lost[i].Verdict; v.Kind != moved.Gone && v.Confidence >= confidence {
			moves = append(moves, rules.Move{From: lost[i].URL, To: c.Last().Docs.URL(v.Places[0].Page)})
		}
	}
	declared := runs.Declared(c.Last())
	moves = slices.DeleteFunc(moves, func(m rules.Move) bool { return declared[m.From] }) // a rule and the page would send readers round
	sound, dropped = rules.Resolve(moves, func(url string) bool { _, ok := c.Last().At(url); return ok })
	for _, r := range c.runs {
		for id := range uint32(r.Docs.Len()) {
			if r.Docs.Crawled(id) {
				others = append(others, r.Docs.URL(id))
			}
		}
	}
	return sound, dropped, others
}
