// Package report shows evaluations on a page for people: the tables, charts and examples of everything measured about a run.
//
//	lab report -gold gold.tsv -html report.html RUN
//
// It measures what lab evaluate and lab recall measure, and tf-idf beside the baselines. A page needs no other
// file and runs no code from the crawl: it shows titles, URLs and golds as text. The same report gives the same bytes.
package report

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/chart"
	"github.com/lshclust/lshclust/lab/evaluate"
)

// Options describes the evaluations and what a report measures in addition.
type Options struct {
	evaluate.Options
	Sample   int // number of distinct bags to compare with all others; 0: none
	Examples int // number of queries to show where the run is right and a baseline wrong, and vice versa
}

// Report holds everything measured about a run.
type Report struct {
	Name        string // of the run
	Run         *runs.Run
	Options     Options
	Evaluations []*Evaluation    // one for each gold
	Recall      *evaluate.Recall // nil if not measured
}

// New measures how much the index finds and returns a report with the evaluations of a run.
func New(ctx context.Context, name string, r *runs.Run, all []*Evaluation, o Options) (*Report, error) {
	out := &Report{Name: name, Run: r, Options: o, Evaluations: all}
	if o.Sample == 0 {
		return out, nil
	}
	var err error
	out.Recall, err = evaluate.MeasureRecall(ctx, r, evaluate.RecallOptions{Sample: o.Sample, Edges: evaluate.RecallEdges, Above: 0.3, Recall: 0.95, Bootstrap: o.Bootstrap, Seed: o.Seed})
	return out, err
}

var (
	//go:embed web/report.html
	pageMarkup string
	//go:embed web/report.css
	pageStyle string
)

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"web":    isWeb,
	"whole":  whole,
	"plural": plural,
	"plain":  plain,
	"side":   func(method string, n Nearest, right bool) side { return side{n, method, right} },
}).Parse(pageMarkup))

func isWeb(u string) bool { return strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://") }

// plain replaces control characters, which are not allowed in HTML.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "�"))
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return whole(n) + " " + what
}

// side is one side of an example.
type side struct {
	Nearest
	Method string
	Right  bool
}

// page is the data of the template.
type page struct {
	*Report
	Style      template.CSS
	Config     config.Config
	Finished   string
	Golds      []goldPart
	Curve      template.HTML // of the index
	RecallRows table
	Tables     map[string]table
}

// goldPart is the data of one gold.
type goldPart struct {
	*Evaluation
	Answer   string
	Related  table
	Ways     []table
	Clusters table
}

// HTML writes the report as one page that needs nothing else: no script and no network.
func (r *Report) HTML(w io.Writer) error {
	p := &page{
		Report: r, Style: template.CSS(pageStyle), Config: r.Run.Config, //nolint:gosec // our own file
		Finished: r.Run.Manifest.Finished.UTC().Format("2006-01-02 15:04 UTC"),
		Tables:   map[string]table{"golds": r.golds(), "settings": r.settings()},
	}
	for _, e := range r.Evaluations {
		g := goldPart{Evaluation: e, Answer: answer(e.Evaluation), Related: relatedTable(e.Evaluation), Clusters: clusterTable(e.Evaluation)}
		for i := range e.Related {
			g.Ways = append(g.Ways, waysTable(e.Evaluation, i))
		}
		p.Golds = append(p.Golds, g)
	}
	if r.Recall != nil {
		var err error
		if p.Curve, err = r.recallChart(); err != nil {
			return err
		}
		p.RecallRows = r.recallTable()
	}
	return pageTemplate.Execute(w, p)
}

// answer says in a sentence how well the run does against a gold.
func answer(e *evaluate.Evaluation) string {
	s := &e.Related[0]
	level := s.Levels[s.Depth-1]
	if !level.Hit.Defined() {
		return "there are no queries to measure."
	}
	text := fmt.Sprintf("of %s queries, %s have a neighbour in the gold (%.3f), and for %.3f of all queries the nearest neighbour shares the first %s",
		whole(s.Queries), whole(s.Covered), s.Coverage.Value, level.Hit.Value, plural(s.Depth, "level"))
	if i := level.Hit.Interval(); i != nil {
		text += fmt.Sprintf(" (95 %% interval %.3f to %.3f)", i.Low, i.High)
	}
	text += fmt.Sprintf("; by chance it would be %s.", bareCell(level.Chance).Text)
	if len(e.Related) > 1 && e.Related[1].Levels[s.Depth-1].Hit.Defined() {
		text += fmt.Sprintf(" Without the pairs that one page links to together it is %.3f.", e.Related[1].Levels[s.Depth-1].Hit.Value)
	}
	return text
}

// golds lists the golds with their counts.
func (r *Report) golds() table {
	var rows []tableRow
	for _, e := range r.Evaluations {
		left := 0
		for _, s := range e.Skipped {
			left += s.Count
		}
		rows = append(rows, tableRow{Head: e.Gold, Cells: []tableCell{
			numberCell(e.Labels), numberCell(e.Targets), numberCell(e.Known), numberCell(left),
			numberCell(e.Queries), numberCell(e.Lists), textCell(strings.Trim(fmt.Sprint(e.Categories), "[]")),
		}})
	}
	return listTable("Golds", []string{"Gold", "Labels", "URLs", "In the run", "Rows left out", "Queries", "Lists", "Categories by level"}, rows)
}

// settings lists the settings of the evaluation.
func (r *Report) settings() table {
	o := r.Options
	var bases []string
	for _, b := range o.Baselines {
		bases = append(bases, b.Name)
	}
	var rows []tableRow
	for _, s := range [][2]any{
		{"depth", o.Depth}, {"half", o.Half}, {"known targets only", o.Known},
		{"also without pairs that one page links to together", o.Apart}, {"baselines", strings.Join(bases, ", ")},
		{"sampled bags", o.Sample}, {"resamples", o.Bootstrap}, {"seed", o.Seed},
	} {
		rows = append(rows, tableRow{Head: fmt.Sprint(s[0]), Cells: []tableCell{textCell(fmt.Sprint(s[1]))}})
	}
	return listTable("Settings of this evaluation", []string{"Setting", "Value"}, rows)
}

// curveSteps is the number of steps in the curve of the formula.
const curveSteps = 100

// recallChart shows the S-curve: the prediction of the formula, and what the run found of the sample.
func (r *Report) recallChart() (template.HTML, error) {
	index, err := r.Run.Config.Index()
	if err != nil {
		return "", err
	}
	formula := chart.Series{Name: "predicted"}
	for i := range curveSteps + 1 {
		s := float64(i) / curveSteps
		formula.Points = append(formula.Points, chart.Point{X: s, Y: index.Found(r.Run.Config.Floor, s)})
	}
	keys := chart.Series{Name: "observed", Intervals: true}
	stored := chart.Series{Name: "stored", Intervals: true}
	for _, b := range r.Recall.Bins {
		if b.Pairs > 0 {
			keys.Points, stored.Points = append(keys.Points, at(b.Mean, b.Keys)), append(stored.Points, at(b.Mean, b.Stored))
		}
	}
	return chart.HTML(chart.Lines{
		Title: "Pairs found by similarity: predicted and observed",
		Description: fmt.Sprintf("The line is the probability that a pair has a common key and agrees at the floor (%s). Observed is the share of the pairs of %d sampled documents for which that is true, at the mean similarity of a range. Stored is the share that is in the run, without pairs lost in large buckets and pairs that are not among the nearest of either page. The 95 %% intervals resample the documents.",
			r.Recall.Index, r.Recall.Sampled),
		X: chart.Axis{Label: "exact similarity", Max: 1}, Y: chart.Axis{Label: "share", Max: 1},
		Series: []chart.Series{formula, keys, stored},
		Marks:  []chart.Mark{{Name: "cluster threshold", X: r.Run.Config.Threshold}},
	})
}
