package report

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/internal/chart"
)

var (
	//go:embed web/report.html
	pageMarkup string
	//go:embed web/report.css
	pageStyle string
)

var pageTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"percent": func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) },
	"web":     func(u string) bool { return strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://") },
	"whole":   func(n int) string { return whole(int64(n)) },
	"plural":  plural,
	"plain":   plain,
	"goldLinks": func(section string, golds []goldPart) any {
		return struct {
			Section string
			Golds   []goldPart
		}{section, golds}
	},
	"side": func(view string, n eval.ViewNearest, right bool) side { return side{n, view, right} },
}).Parse(pageMarkup))

// plain replaces control characters, which are not allowed in HTML.
func plain(s string) string { return strings.Map(printable, strings.ToValidUTF8(s, "�")) }

func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
		return ' '
	}
	return r
}

// side is one side of an example.
type side struct {
	eval.ViewNearest
	View  string
	Right bool
}

// page is the data of the template.
type page struct {
	*Report
	Style      template.CSS
	Config     config.Config
	Answers    []string // one for each gold
	Inputs     table
	Golds      []goldPart
	Index      *indexPart
	Variations []variationsPart
	Parameters table
	Evaluating table
	Stages     table
	LeftOut    table
	Tables     table
}

// goldPart is the data of one gold.
type goldPart struct {
	*eval.Evaluation
	Number    int // from 1
	Levels    []int
	Related   table
	Ways      []table
	Pictures  []template.HTML
	Clusters  table
	Curve     []template.HTML
	Views     *table
	ViewsWins []eval.ViewWins
}

// HasExamples reports whether there is a query to show.
func (g goldPart) HasExamples() bool {
	shown := func(w eval.ViewWins) bool { return len(w.Examples) > 0 }
	return slices.ContainsFunc(g.Wins, shown) || slices.ContainsFunc(g.ViewsWins, shown)
}

// indexPart is the data of the section about the index.
type indexPart struct {
	Pictures []template.HTML
	Table    table
	Above    eval.RecallBin
}

type variationsPart struct {
	Gold     string
	Pictures []template.HTML
	Table    table
}

// page builds all tables and draws all charts.
func (r *Report) page() (*page, error) {
	p := &page{
		Report: r, Style: template.CSS(pageStyle), Config: r.Run.Config, //nolint:gosec // our own file
		Inputs: r.inputsTable(), Parameters: r.parametersTable(), Evaluating: r.evaluatingTable(),
		Stages: r.stagesTable(), LeftOut: r.leftOutTable(), Tables: r.filesTable(),
	}
	for i, e := range r.Evaluations {
		p.Answers = append(p.Answers, answer(e))
		g, err := goldSection(e)
		if err != nil {
			return nil, err
		}
		g.Number = i + 1
		if j := slices.IndexFunc(r.Views, func(v *eval.Views) bool { return v.Gold == e.Gold }); j >= 0 {
			t := viewsTable(r.Views[j])
			g.Views, g.ViewsWins = &t, r.Views[j].Wins
		}
		p.Golds = append(p.Golds, g)
	}
	var err error
	if p.Index, err = r.indexSection(); err != nil {
		return nil, err
	}
	for _, v := range r.Variations {
		pictures, err := drawn(v.widthChart())
		if err != nil {
			return nil, err
		}
		p.Variations = append(p.Variations, variationsPart{v.Gold, pictures, v.table()})
	}
	return p, nil
}

func goldSection(e *eval.Evaluation) (g goldPart, err error) {
	g = goldPart{Evaluation: e, Related: relatedTable(e), Clusters: clusterTable(e)}
	if len(e.Baselines) > 0 {
		for i := range e.Related {
			g.Ways = append(g.Ways, waysTable(e, i))
		}
	}
	if g.Pictures, err = drawn(inLinksChart(e), waysChart(e)); err != nil {
		return g, err
	}
	g.Curve, err = drawn(curveCharts(e)...)
	return g, err
}

func (r *Report) indexSection() (*indexPart, error) {
	if r.Recall == nil {
		return nil, nil
	}
	curve, err := r.recallChart()
	if err != nil {
		return nil, err
	}
	figures := []chart.Figure{curve}
	if r.Similarities != nil {
		figures = append(figures, r.similarityChart())
	}
	x := &indexPart{Table: r.recallTable(), Above: r.Recall.Above}
	x.Pictures, err = drawn(figures...)
	return x, err
}

// answer says in a sentence how well the run does against a gold.
func answer(e *eval.Evaluation) string {
	s := &e.Related[0]
	level := s.Depth
	hit := s.Levels[level-1].Hit
	if !hit.Defined() {
		return fmt.Sprintf("%s: there are no queries to measure.", e.Gold)
	}
	text := fmt.Sprintf("%s: of %s queries, %s have a neighbour in the gold (%.3f), and for %.3f of all queries the nearest neighbour shares the first %s",
		e.Gold, whole(int64(s.Queries)), whole(int64(s.Covered)), s.Coverage.Value, hit.Value, plural(level, "level"))
	if i := hit.Interval(); i != nil {
		text += fmt.Sprintf(" (95 %% interval %.3f to %.3f)", i.Low, i.High)
	}
	text += fmt.Sprintf("; by chance it would be %s.", bareCell(s.Levels[level-1].Chance).Text)
	if len(e.Related) > 1 && e.Related[1].Levels[level-1].Hit.Defined() {
		text += fmt.Sprintf(" Without the pairs that one page links to together it is %.3f.", e.Related[1].Levels[level-1].Hit.Value)
	}
	return text
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return whole(int64(n)) + " " + what
}

func (r *Report) inputsTable() table {
	t := table{Caption: "Inputs of the run", Columns: []string{"File", "Bytes", "Digest"}}
	var rows []tableRow
	for _, in := range r.Run.Manifest.Inputs {
		rows = append(rows, tableRow{Head: in.Path, Cells: []tableCell{numberCell(int(in.Bytes)), textCell(in.Digest)}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// Counts returns the table of the totals in the manifest.
func (p *page) Counts() table {
	t := table{Caption: "Contents of the run", Columns: []string{"What", "Number"}}
	var rows []tableRow
	counts := p.Run.Manifest.Counts
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		rows = append(rows, tableRow{Head: strings.ReplaceAll(k, "_", " "), Cells: []tableCell{numberCell(int(counts[k]))}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// GoldTable returns the table of the golds with their counts.
func (p *page) GoldTable() table {
	t := table{Caption: "Golds", Columns: []string{"Gold", "Labels", "URLs", "In the run", "Not in it", "Rows left out", "Queries", "Lists", "Categories by level"}}
	var rows []tableRow
	for _, e := range p.Evaluations {
		var categories []string
		for _, n := range e.Categories {
			categories = append(categories, whole(int64(n)))
		}
		left := 0
		for _, s := range e.Skipped {
			left += s.Count
		}
		rows = append(rows, tableRow{Head: e.Gold, Cells: []tableCell{
			numberCell(e.Labels), numberCell(e.Targets), numberCell(e.Known), numberCell(e.Targets - e.Known), numberCell(left),
			numberCell(e.Queries), numberCell(e.Lists), textCell(strings.Join(categories, ", ")),
		}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// parametersTable lists the configuration, sorted by name.
func (r *Report) parametersTable() table {
	t := table{Caption: "Configuration of the run", Columns: []string{"Parameter", "Value"}}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(r.Run.Manifest.Config, &config); err != nil {
		return t // cannot happen: Open has read it
	}
	var rows []tableRow
	for _, k := range slices.Sorted(maps.Keys(config)) {
		rows = append(rows, tableRow{Head: k, Cells: []tableCell{textCell(settingText(config[k]))}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// settingText formats a value of the configuration.
func settingText(raw json.RawMessage) string {
	var text string
	var list []string
	switch {
	case json.Unmarshal(raw, &text) == nil && string(raw) != "null":
		if text == "" {
			return "–"
		}
		return text
	case json.Unmarshal(raw, &list) == nil:
		if len(list) == 0 {
			return "–"
		}
		return strings.Join(list, ", ")
	}
	return string(raw)
}

// evaluatingTable lists the settings of the evaluation.
func (r *Report) evaluatingTable() table {
	o := r.Options
	var bases, thresholds, orders []string
	for _, b := range o.Baselines {
		bases = append(bases, b.Name)
	}
	for _, t := range o.Thresholds {
		thresholds = append(thresholds, fmt.Sprint(t))
	}
	for _, order := range o.Orders {
		orders = append(orders, string(order))
	}
	none := func(list []string) string {
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, ", ")
	}
	rows := []tableRow{
		{Head: "version of lshclust", Cells: []tableCell{textCell(r.Tool)}},
		{Head: "second run", Cells: []tableCell{textCell(cmp.Or(r.Second, "none"))}},
		{Head: "depth", Cells: []tableCell{numberCell(o.Depth)}},
		{Head: "half", Cells: []tableCell{textCell(o.Half.String())}},
		{Head: "known targets only", Cells: []tableCell{textCell(fmt.Sprint(o.Known))}},
		{Head: "also without pairs that one page links to together", Cells: []tableCell{textCell(fmt.Sprint(o.Apart))}},
		{Head: "rounds of related", Cells: []tableCell{numberCell(r.Evaluations[0].Rounds)}},
		{Head: "width of a round", Cells: []tableCell{numberCell(r.Evaluations[0].Width)}},
		{Head: "baselines", Cells: []tableCell{textCell(none(bases))}},
		{Head: "thresholds", Cells: []tableCell{textCell(none(thresholds))}},
		{Head: "orders", Cells: []tableCell{textCell(cmp.Or(strings.Join(orders, ", "), "that of the run"))}},
		{Head: "sampled bags", Cells: []tableCell{numberCell(o.Sample)}},
		{Head: "resamples", Cells: []tableCell{numberCell(o.Bootstrap)}},
		{Head: "seed", Cells: []tableCell{textCell(fmt.Sprint(o.Seed))}},
	}
	return table{Caption: "Settings of this evaluation", Columns: []string{"Setting", "Value"}, Groups: []rowGroup{{Rows: rows}}}
}

// stagesTable lists what each stage of the run did and what it cost.
func (r *Report) stagesTable() table {
	t := table{Caption: "Stages of the run", Columns: []string{"Stage", "In", "Out", "Seconds", "Processor seconds", "Peak memory, MiB"}}
	var rows []tableRow
	seconds := func(s float64) tableCell { return tableCell{Text: fmt.Sprintf("%.1f", s), Class: "count"} }
	for _, s := range r.Run.Manifest.Stages {
		rows = append(rows, tableRow{Head: s.Name, Cells: []tableCell{
			numberCell(int(s.In)), numberCell(int(s.Out)), seconds(s.WallSeconds), seconds(s.CPUSeconds), numberCell(int(s.PeakAnon >> 20)),
		}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// leftOutTable lists what the run skipped, by stage and reason.
func (r *Report) leftOutTable() table {
	t := table{Caption: "What the stages left out", Columns: []string{"Stage", "Reason", "Number"}}
	for _, s := range r.Run.Manifest.Stages {
		g := rowGroup{Name: s.Name}
		for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
			g.Rows = append(g.Rows, tableRow{Head: reason, Cells: []tableCell{numberCell(int(s.Dropped[reason]))}})
		}
		if len(g.Rows) > 0 {
			t.Groups = append(t.Groups, g)
		}
	}
	return t
}

// filesTable lists the tables of the run.
func (r *Report) filesTable() table {
	t := table{Caption: "Files of the run", Columns: []string{"File", "Bytes", "Digest"}}
	var rows []tableRow
	for _, f := range r.Run.Manifest.Tables {
		rows = append(rows, tableRow{Head: f.Name, Cells: []tableCell{numberCell(int(f.Bytes)), textCell(f.Digest)}})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// Published returns the time when the run was finished.
func (p *page) Published() string {
	return p.Run.Manifest.Finished.UTC().Format("2006-01-02 15:04 UTC")
}
