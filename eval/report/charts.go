package report

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/chart"
)

// at returns a figure as a point. A percentile interval need not contain the figure, but the drawn interval does.
func at(x float64, f score.Figure) chart.Point {
	p := chart.Point{X: x, Y: f.Value, Low: f.Value, High: f.Value}
	if i := f.Interval(); i != nil {
		p.Low, p.High = min(p.Low, i.Low), max(p.High, i.High)
	}
	return p
}

// inLinksChart shows the share in the same category at each level by the number of pages that link to the target. It is
// nil if that number is unknown.
func inLinksChart(e *eval.Evaluation) chart.Figure {
	bins := knownInLinks(&e.Related[0])
	if len(bins) == 0 {
		return nil
	}
	b := chart.Bars{
		Frame: chart.Frame{
			Title: "Nearest target in the same category, by number of in-links, " + e.Gold,
			Description: "Share of all queries whose nearest target is in the same category, by the number of pages that link to the query (with the number of queries in brackets), over all pairs, with 95 % intervals." +
				chanceSentence(&e.Related[0], e.Levels()),
			X: inLinksAxis, Y: shareAxis,
		},
		Groups: inLinkGroups(bins),
	}
	for k := range e.Levels() {
		v := chart.Values{Name: fmt.Sprintf("level %d", k+1), Spread: chart.ErrorBars}
		for i, bin := range bins {
			v.Values = append(v.Values, at(float64(i), bin.Scores.Levels[k].Hit))
		}
		b.Series = append(b.Series, v)
	}
	return b
}

var (
	inLinksAxis = chart.Axis{Label: "pages that link to the query (queries)"}
	shareAxis   = chart.Axis{Label: "share", Max: 1}
)

// knownInLinks returns the bins for known numbers of in-links.
func knownInLinks(s *score.RankingScores) []score.InLinkBin {
	return slices.DeleteFunc(slices.Clone(s.InLinks), func(b score.InLinkBin) bool { return b.From < 0 })
}

func inLinkGroups(bins []score.InLinkBin) (out []string) {
	for _, b := range bins {
		out = append(out, fmt.Sprintf("%s (%d)", b.Name, b.Scores.Queries))
	}
	return out
}

func chanceSentence(s *score.RankingScores, levels int) string {
	text := " By chance"
	for k := range levels {
		if k > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %s at level %d", bareCell(s.Levels[k].Chance).Text, k+1)
	}
	return text + "."
}

// waysChart compares the run with baselines by number of in-links, at the usual depth of the gold.
func waysChart(e *eval.Evaluation) chart.Figure {
	bins := knownInLinks(&e.Related[0])
	level := e.Related[0].Depth
	b := chart.Bars{
		Frame: chart.Frame{
			Title: fmt.Sprintf("Related pages and baselines by number of in-links, level %d, %s", level, e.Gold),
			Description: fmt.Sprintf("Share of all queries whose nearest target is in the same level-%d category, by the number of pages that link to the query, over all pairs, with 95 %% intervals. By chance %s.",
				level, bareCell(e.Related[0].Levels[level-1].Chance).Text),
			X: inLinksAxis, Y: shareAxis,
		},
		Groups: inLinkGroups(bins),
	}
	add := func(name string, s *score.RankingScores) {
		v := chart.Values{Name: name, Spread: chart.ErrorBars}
		for i, bin := range knownInLinks(s) {
			v.Values = append(v.Values, at(float64(i), bin.Scores.Levels[level-1].Hit))
		}
		b.Series = append(b.Series, v)
	}
	add("related", &e.Related[0])
	for i := range e.Baselines {
		if x := &e.Baselines[i]; len(x.Related) > 0 && slices.Contains([]string{"tfidf", "content"}, x.Name) {
			add(x.Name, &x.Related[0])
		}
	}
	if len(bins) == 0 || len(b.Series) < 2 {
		return nil
	}
	return b
}

// curveCharts show the B-cubed F of each level by the threshold of CENTER, one chart for each order. There are none
// without a curve.
func curveCharts(e *eval.Evaluation) (out []chart.Figure) {
	for _, order := range eval.CurveOrders(e.Curve) {
		in := ""
		if order != "" {
			in = fmt.Sprintf(" in the order %s", order)
		}
		l := chart.Lines{
			Frame: chart.Frame{
				Title: fmt.Sprintf("B-cubed F by threshold of CENTER%s, %s", in, e.Gold),
				Description: fmt.Sprintf("Harmonic mean of B-cubed precision and recall if the stored pairs are clustered at another threshold%s, with 95 %% intervals. The threshold of the run is %g.%s",
					in, e.Threshold, bestSentence(e)),
				X: chart.Axis{Label: "threshold"}, Y: chart.Axis{Label: "B-cubed F"},
			},
			Marks: []chart.Mark{{Name: "this run", X: e.Threshold}},
		}
		for k := range e.Levels() {
			s := chart.Series{Name: fmt.Sprintf("level %d", k+1), Spread: chart.Band, Dots: true}
			for _, p := range e.Curve {
				if f := p.Scores.Levels[k].BCubed.F; p.Order == order && f.Defined() {
					s.Points = append(s.Points, at(p.Threshold, f))
				}
			}
			if len(s.Points) > 0 {
				l.Series = append(l.Series, s)
			}
		}
		if len(l.Series) > 0 {
			out = append(out, l)
		}
	}
	return out
}

func bestSentence(e *eval.Evaluation) (s string) {
	for k := range e.Levels() {
		if b := eval.Best(e.Curve, k+1); b >= 0 {
			s += fmt.Sprintf(" Level %d is best at %s.", k+1, strings.TrimPrefix(e.Curve[b].Name(), "threshold "))
		}
	}
	return s
}

// curveSteps is the number of steps in the curve of a formula.
const curveSteps = 100

// recallChart shows the S-curve: the prediction of the formula, and what was found of the sample.
func (r *Report) recallChart() (chart.Figure, error) {
	index, err := r.Run.Config.Index()
	if err != nil {
		return nil, err
	}
	formula := chart.Series{Name: "predicted"}
	for i := range curveSteps + 1 {
		s := float64(i) / curveSteps
		formula.Points = append(formula.Points, chart.Point{X: s, Y: index.Found(r.Run.Config.Floor, s)})
	}
	keys := chart.Series{Name: "observed", Spread: chart.ErrorBars, NoLine: true}
	stored := chart.Series{Name: "stored", Spread: chart.ErrorBars, NoLine: true}
	for _, b := range r.Recall.Bins {
		if b.Pairs > 0 {
			keys.Points, stored.Points = append(keys.Points, at(b.Mean, b.Keys)), append(stored.Points, at(b.Mean, b.Stored))
		}
	}
	return chart.Lines{
		Frame: chart.Frame{
			Title: "Pairs found by similarity: predicted and observed",
			Description: fmt.Sprintf("The line is the probability that a pair has a common key and agrees at the floor (%s). Observed is the share of the pairs of %d sampled bags for which that is true, at the mean similarity of a range. Stored is the share that is in the run, without pairs lost in large buckets and pairs that are not among the nearest of either page. The 95 %% intervals resample the bags.",
				r.Recall.Index, r.Recall.Sampled),
			X: chart.Axis{Label: "exact similarity", Max: 1}, Y: shareAxis,
		},
		Series: []chart.Series{formula, keys, stored},
		Marks:  []chart.Mark{{Name: "cluster threshold", X: r.Run.Config.Threshold}},
	}, nil
}

// similarityBins is the number of bins of the histogram.
const similarityBins = 40

// Similarities counts the pairs of a sample of bags by similarity, and those of them that the index of the run finds.
type Similarities struct {
	Sampled    int // bags
	All, Found [similarityBins]float64
}

func (x *Similarities) add(similarity float64, found bool) {
	bin := min(int(similarity*similarityBins), similarityBins-1)
	x.All[bin]++
	if found {
		x.Found[bin]++
	}
}

// similarityChart shows how many pairs there are of each similarity, and how many of them the index finds. It is nil if
// no pair of the sample has anything in common.
func (r *Report) similarityChart() chart.Figure {
	h := chart.Histogram{
		Frame: chart.Frame{
			Title: "Pairs by similarity",
			Description: fmt.Sprintf("Number of pairs of distinct bags by exact similarity, estimated from %d sampled bags that were compared with all others, and the number of those that the index of the run finds and its floor lets through. Pairs with nothing in common are left out.",
				r.Similarities.Sampled),
			X: chart.Axis{Label: "exact similarity", Max: 1}, Y: chart.Axis{Label: "pairs", Log: true},
		},
		Edges: []float64{0},
	}
	all, found := chart.Counts{Name: "all pairs"}, chart.Counts{Name: "found by the index"}
	total, scale := 0.0, float64(r.Run.Nodes())/2/float64(r.Similarities.Sampled)
	for i := range similarityBins {
		h.Edges = append(h.Edges, float64(i+1)/similarityBins)
		all.Count = append(all.Count, scale*r.Similarities.All[i])
		found.Count = append(found.Count, scale*r.Similarities.Found[i])
		total += all.Count[i]
	}
	if total == 0 {
		return nil
	}
	h.Series = []chart.Counts{all, found}
	return h
}

// drawn draws the figures that are not nil as HTML.
func drawn(figures ...chart.Figure) (out []template.HTML, err error) {
	for _, f := range figures {
		if f == nil {
			continue
		}
		h, err := chart.HTML(f)
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}
