package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// ViewsOptions holds the options of CompareViews.
type ViewsOptions struct {
	Depth    int // number of levels of the gold that are distinguished
	Examples int // number of queries to show where one view wins over another
	Score    score.Options
}

// Views holds the scores of several views of the same URLs against a directory. All neighbours are found by brute force
// among these URLs, so that no index and no limit favours a view.
type Views struct {
	Gold        string                `json:"gold"`
	Labelled    int                   `json:"labelled"` // distinct URLs of the gold
	Known       []ViewKnown           `json:"known"`    // how many of these each view knows
	Common      int                   `json:"common"`   // those that all views know; only these are measured
	Scores      []score.RankingScores `json:"scores"`   // one for each view
	Differences []score.Differences   `json:"differences"`
	Wins        []ViewWins            `json:"wins"`               // wins of every view over every other view
	Warnings    []string              `json:"warnings,omitempty"` // reasons why figures are doubtful
}

// ViewKnown is the number of URLs of the gold that a view knows.
type ViewKnown struct {
	View  string `json:"view"`
	Known int    `json:"known"`
}

// ViewWins holds the queries for which the nearest URL of one view agrees at the deepest level of the query, and that
// of the other view does not.
type ViewWins struct {
	View     string        `json:"view"`
	Over     string        `json:"over"`
	Queries  int           `json:"queries"`
	Examples []ViewExample `json:"examples"` // first those where the other view agrees least, then those with the greatest similarity
}

// ViewExample is a query with the nearest URL of both views.
type ViewExample struct {
	URL   string      `json:"url"`
	Title string      `json:"title,omitempty"`
	Paths []string    `json:"paths"`
	Right ViewNearest `json:"right"`
	Wrong ViewNearest `json:"wrong"`
}

// ViewNearest is the nearest URL of a view. URL is empty if there is none.
type ViewNearest struct {
	URL        string          `json:"url,omitempty"`
	Title      string          `json:"title,omitempty"`
	Paths      []string        `json:"paths,omitempty"`
	Levels     int             `json:"levels"` // number of levels shared with the query
	Similarity float64         `json:"similarity,omitempty"`
	Words      []string        `json:"words,omitempty"`
	Quote      *query.Quote    `json:"quote,omitempty"` // a sentence that links to it, if possible from a page that also links to the query
	Text       *SampleOverlaps `json:"text,omitempty"`
}

// comparedView is one way to compare URLs.
type comparedView struct {
	name    string
	run     *query.Run
	knows   func(id uint32) bool
	rank    func(ctx context.Context, d *score.Directory) (score.Ranking, error)
	reasons func(a, b uint32, n *ViewNearest)
}

// CompareViews measures the bags of the first run, those of a second run if there is one, and the resemblance of the
// texts if the first run has the syntactic view.
func CompareViews(ctx context.Context, g *gold.Gold, runs []NamedRun, o ViewsOptions) (*Views, error) {
	views, err := viewsOf(runs)
	if err != nil {
		return nil, err
	}
	d, out, err := common(g, views, o.Depth)
	if err != nil {
		return nil, err
	}
	var ranked []score.Ranking
	for _, v := range views {
		r, err := v.rank(ctx, d)
		if err != nil {
			return nil, err
		}
		r.Name = v.name
		if err := r.Check(d); err != nil {
			return nil, err
		}
		for _, before := range ranked {
			out.Differences = append(out.Differences, d.Paired(before, r, o.Score))
		}
		ranked = append(ranked, r)
		out.Scores = append(out.Scores, d.ScoreRanking(r, o.Score))
	}
	for i := range views {
		for j := range views {
			if i != j {
				w := contest{d, views[i], views[j], ranked[i], ranked[j]}
				out.Wins = append(out.Wins, w.wins(o.Examples))
			}
		}
	}
	return out, nil
}

func viewsOf(runs []NamedRun) ([]comparedView, error) {
	var out []comparedView
	for i, r := range runs {
		if r.Config.Has(config.Topical) {
			out = append(out, bagView(r.Run))
		}
		if i > 0 && runs[0].Config.Bags == r.Config.Bags {
			return nil, fmt.Errorf("%s and %s both have bags of %s", runs[0].Name, r.Name, r.Config.Bags)
		}
	}
	if len(runs) > 0 && runs[0].Config.Has(config.Syntactic) {
		out = append(out, textView(runs[0].Run))
	}
	if len(out) < 2 {
		return nil, errors.New("there are no two views to compare: the run needs both views, or a second run with other bags")
	}
	return out, nil
}

func bagView(r *query.Run) comparedView {
	return comparedView{
		name: string(r.Config.Bags), run: r,
		knows: func(id uint32) bool { return hasBag(r, id) },
		rank: func(ctx context.Context, d *score.Directory) (score.Ranking, error) {
			exact, err := ParseBaselines([]string{"exact"})
			if err != nil {
				return score.Ranking{}, err
			}
			return (&Baselines{Directory: d, Run: r, Most: ListsWithin(d.Len(), RankingBytes)}).Ranking(ctx, exact[0])
		},
		reasons: func(a, b uint32, n *ViewNearest) {
			n.Words = r.Shared(a, b, sampleWords)
			if r.Config.Bags == config.FromAnchors {
				n.Quote, _ = quoteOf(r.Quotes(a), r.Quotes(b))
			}
		},
	}
}

func textView(r *query.Run) comparedView {
	return comparedView{
		name: "resemblance", run: r,
		knows: func(id uint32) bool { return r.Document(id).Crawled },
		rank:  func(ctx context.Context, d *score.Directory) (score.Ranking, error) { return textRanking(ctx, r, d) },
		reasons: func(a, b uint32, n *ViewNearest) {
			if x, err := r.Overlap(a, b); err == nil {
				n.Text = &SampleOverlaps{x.Relation, x.OfThis, x.OfOther}
			}
		},
	}
}

// textRanking ranks by the exact resemblance of the texts.
func textRanking(ctx context.Context, r *query.Run, d *score.Directory) (score.Ranking, error) {
	m, err := Find(r, d)
	if err != nil {
		return score.Ranking{}, err
	}
	near, err := r.ResemblingAmong(ctx, m.IDs, m.IDs, cmp.Or(ListsWithin(d.Len(), RankingBytes), d.Len()))
	if err != nil {
		return score.Ranking{}, err
	}
	out, target := score.Ranking{Lists: make([][]score.Neighbour, d.Len())}, m.targets(r.Len())
	for t, list := range near {
		for _, x := range list {
			out.Lists[t] = append(out.Lists[t], score.Neighbour{Target: target[x.ID], Similarity: x.Resemblance})
		}
	}
	return out, nil
}

// common returns the directory of the URLs that all views know.
func common(g *gold.Gold, views []comparedView, depth int) (*score.Directory, *Views, error) {
	out := &Views{Gold: g.Name}
	for _, v := range views {
		out.Known = append(out.Known, ViewKnown{View: v.name})
	}
	urls, _ := labelled(g)
	out.Labelled = len(urls)
	all := map[string]bool{}
	for _, u := range urls {
		n := 0
		for i, v := range views {
			if id, err := v.run.Lookup(u); err == nil && v.knows(id) {
				out.Known[i].Known++
				n++
			}
		}
		if n == len(views) {
			all[u] = true
		}
	}
	if out.Common = len(all); out.Common < 2 {
		return nil, nil, fmt.Errorf("%w that all views know: of %d URLs, %s", ErrNoOverlap, out.Labelled, out.knownBy())
	}
	labels := slices.DeleteFunc(slices.Clone(g.Labels), func(l score.Label) bool { return !all[l.URL] })
	d, err := score.NewDirectory(labels, depth)
	if err == nil {
		out.Warnings, err = d.CheckLevels(func(int) bool { return true }, "all views know")
	}
	return d, out, err
}

func (v *Views) knownBy() string {
	s := ""
	for _, k := range v.Known {
		s += fmt.Sprintf("%s knows %d, ", k.View, k.Known)
	}
	return fmt.Sprintf("%sall know %d", s, v.Common)
}

// contest is a comparison of one view with another.
type contest struct {
	d           *score.Directory
	view, other comparedView
	a, b        score.Ranking
}

// wins counts the queries that the first view wins and returns some as examples.
func (c contest) wins(examples int) ViewWins {
	out := ViewWins{View: c.view.name, Over: c.other.name, Examples: []ViewExample{}}
	type won struct {
		query, levels int // levels that the nearest URL of the other view shares
		similarity    float64
	}
	var all []won
	for q := range c.d.Len() {
		mine, other := c.levels(c.a, q), c.levels(c.b, q)
		if mine == 0 || mine < c.d.Deepest(q) || other >= mine {
			continue
		}
		all = append(all, won{q, other, c.a.Lists[q][0].Similarity})
	}
	out.Queries = len(all)
	slices.SortFunc(all, func(x, y won) int {
		return cmp.Or(cmp.Compare(x.levels, y.levels), cmp.Compare(y.similarity, x.similarity), cmp.Compare(x.query, y.query))
	})
	seen := map[string]bool{} // one example for each list
	for _, w := range all {
		if list := c.d.List(w.query); len(out.Examples) < examples && !seen[list] {
			seen[list] = true
			out.Examples = append(out.Examples, c.example(w.query))
		}
	}
	return out
}

// levels returns the number of levels that the nearest target of a query shares with it, or 0 if there is none.
func (c contest) levels(r score.Ranking, q int) int {
	if len(r.Lists[q]) == 0 {
		return 0
	}
	return c.d.Shared(q, int(r.Lists[q][0].Target))
}

func (c contest) example(q int) ViewExample {
	x := ViewExample{URL: c.d.URL(q), Paths: pathNames(c.d, q), Right: c.nearest(c.view, c.a, q), Wrong: c.nearest(c.other, c.b, q)}
	if id, err := c.view.run.Lookup(x.URL); err == nil {
		x.Title = c.view.run.Document(id).Title
	}
	return x
}

func (c contest) nearest(v comparedView, r score.Ranking, q int) ViewNearest {
	if len(r.Lists[q]) == 0 {
		return ViewNearest{}
	}
	first := r.Lists[q][0]
	t := int(first.Target)
	n := ViewNearest{URL: c.d.URL(t), Paths: pathNames(c.d, t), Levels: c.d.Shared(q, t), Similarity: first.Similarity}
	a, errA := v.run.Lookup(c.d.URL(q))
	b, errB := v.run.Lookup(n.URL)
	if errA == nil && errB == nil {
		n.Title = v.run.Document(b).Title
		v.reasons(a, b, &n)
	}
	return n
}

// pathNames returns the category paths of a target as text.
func pathNames(d *score.Directory, t int) (out []string) {
	for _, p := range d.Paths(t) {
		out = append(out, pathName(p))
	}
	return out
}
