package eval

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
	"github.com/lshclust/lshclust/internal/chart"
)

var (
	//go:embed web/report.html
	reportMarkup string
	//go:embed web/report.css
	reportStyle string
)

var reportTemplate = template.Must(template.New("report").Funcs(template.FuncMap{
	"percent": func(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) },
	"web":     func(u string) bool { return strings.HasPrefix(u, "https://") || strings.HasPrefix(u, "http://") },
	"whole":   func(n int) string { return whole(int64(n)) },
	"plural":  plural,
	"plain":   plain,
	"goldLinks": func(section string, golds []reportGold) any {
		return struct {
			Section string
			Golds   []reportGold
		}{section, golds}
	},
	"side": func(view string, n ViewNearest, right bool) reportSide { return reportSide{n, view, right} },
}).Parse(reportMarkup))

// plain takes out control characters, which have no place in HTML.
func plain(s string) string { return strings.Map(printable, strings.ToValidUTF8(s, "�")) }

func printable(r rune) rune {
	if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
		return ' '
	}
	return r
}

// reportSide is what one side of an example lists.
type reportSide struct {
	ViewNearest
	View  string
	Right bool
}

// reportPage is what the template shows.
type reportPage struct {
	*Report
	Style      template.CSS
	Config     config.Config
	Answers    []string // one for each gold
	Inputs     reportTable
	Golds      []reportGold
	Index      *reportIndex
	Variations []reportVariations
	Parameters reportTable
	Evaluating reportTable
	Stages     reportTable
	LeftOut    reportTable
	Tables     reportTable
}

// reportGold is what one gold says.
type reportGold struct {
	*Evaluation
	Number    int // from 1
	Levels    []int
	Related   reportTable
	Ways      []reportTable
	Pictures  []template.HTML
	Clusters  reportTable
	Curve     []template.HTML
	Views     *reportTable
	ViewsWins []ViewWins
}

// HasExamples tells whether there is a query to show.
func (g reportGold) HasExamples() bool {
	shown := func(w ViewWins) bool { return len(w.Examples) > 0 }
	return slices.ContainsFunc(g.Wins, shown) || slices.ContainsFunc(g.ViewsWins, shown)
}

// reportIndex is what the index finds.
type reportIndex struct {
	Pictures []template.HTML
	Table    reportTable
	Above    RecallBin
}

type reportVariations struct {
	Gold     string
	Pictures []template.HTML
	Table    reportTable
}

// page draws and tabulates everything.
func (r *Report) page() (*reportPage, error) {
	p := &reportPage{
		Report: r, Style: template.CSS(reportStyle), Config: r.Run.Config, //nolint:gosec // our own file
		Inputs: r.inputsTable(), Parameters: r.parametersTable(), Evaluating: r.evaluatingTable(),
		Stages: r.stagesTable(), LeftOut: r.leftOutTable(), Tables: r.filesTable(),
	}
	for i, e := range r.Evaluations {
		p.Answers = append(p.Answers, e.answer())
		g, err := e.section()
		if err != nil {
			return nil, err
		}
		g.Number = i + 1
		if j := slices.IndexFunc(r.Views, func(v *Views) bool { return v.Gold == e.Gold }); j >= 0 {
			t := r.Views[j].viewsTable()
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
		p.Variations = append(p.Variations, reportVariations{v.Gold, pictures, v.table()})
	}
	return p, nil
}

func (e *Evaluation) section() (g reportGold, err error) {
	g = reportGold{Evaluation: e, Related: e.relatedTable(), Clusters: e.clusterTable()}
	if len(e.Baselines) > 0 {
		for i := range e.Related {
			g.Ways = append(g.Ways, e.waysTable(i))
		}
	}
	if g.Pictures, err = drawn(e.inLinksChart(), e.waysChart()); err != nil {
		return g, err
	}
	g.Curve, err = drawn(e.curveChart())
	return g, err
}

func (r *Report) indexSection() (*reportIndex, error) {
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
	x := &reportIndex{Table: r.recallTable(), Above: r.Recall.Above}
	x.Pictures, err = drawn(figures...)
	return x, err
}

// answer says in a sentence what the run is worth by a gold.
func (e *Evaluation) answer() string {
	s := &e.Related[0]
	level := s.Depth
	hit := s.Levels[level-1].Hit
	if !hit.Defined() {
		return fmt.Sprintf("%s: no query to measure.", e.Gold)
	}
	text := fmt.Sprintf("%s: of %s queries %s have a neighbour of the gold (%.3f), and for %.3f of all the nearest one shares the first %s",
		e.Gold, whole(int64(s.Queries)), whole(int64(s.Covered)), s.Coverage.Value, hit.Value, plural(level, "level"))
	if i := hit.interval(); i != nil {
		text += fmt.Sprintf(" (95 %% interval %.3f to %.3f)", i.Low, i.High)
	}
	text += fmt.Sprintf("; by chance %s would.", bareCell(s.Levels[level-1].Chance).Text)
	if len(e.Related) > 1 && e.Related[1].Levels[level-1].Hit.Defined() {
		text += fmt.Sprintf(" Without pairs that one page links to together it is %.3f.", e.Related[1].Levels[level-1].Hit.Value)
	}
	return text
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return whole(int64(n)) + " " + what
}

func (r *Report) inputsTable() reportTable {
	t := reportTable{Caption: "Inputs of the run", Columns: []string{"File", "Bytes", "Digest"}}
	var rows []reportRow
	for _, in := range r.Run.Manifest.Inputs {
		rows = append(rows, reportRow{Head: in.Path, Cells: []reportCell{numberCell(int(in.Bytes)), textCell(in.Digest)}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// Counts are the totals of the manifest.
func (p *reportPage) Counts() reportTable {
	t := reportTable{Caption: "What the run holds", Columns: []string{"What", "Number"}}
	var rows []reportRow
	counts := p.Run.Manifest.Counts
	for _, k := range slices.Sorted(maps.Keys(counts)) {
		rows = append(rows, reportRow{Head: strings.ReplaceAll(k, "_", " "), Cells: []reportCell{numberCell(int(counts[k]))}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// GoldTable is the golds with their counts.
func (p *reportPage) GoldTable() reportTable {
	t := reportTable{Caption: "Golds", Columns: []string{"Gold", "Labels", "URLs", "In the run", "Not in it", "Rows left out", "Queries", "Lists", "Categories by level"}}
	var rows []reportRow
	for _, e := range p.Evaluations {
		var categories []string
		for _, n := range e.Categories {
			categories = append(categories, whole(int64(n)))
		}
		left := 0
		for _, s := range e.Skipped {
			left += s.Count
		}
		rows = append(rows, reportRow{Head: e.Gold, Cells: []reportCell{
			numberCell(e.Labels), numberCell(e.Targets), numberCell(e.Known), numberCell(e.Targets - e.Known), numberCell(left),
			numberCell(e.Queries), numberCell(e.Lists), textCell(strings.Join(categories, ", ")),
		}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// parametersTable has the configuration in the order of its names.
func (r *Report) parametersTable() reportTable {
	t := reportTable{Caption: "Configuration of the run", Columns: []string{"Parameter", "Value"}}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(r.Run.Manifest.Config, &config); err != nil {
		return t // Open has read it before
	}
	var rows []reportRow
	for _, k := range slices.Sorted(maps.Keys(config)) {
		rows = append(rows, reportRow{Head: k, Cells: []reportCell{textCell(settingText(config[k]))}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// settingText is a value of a configuration for people.
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

// evaluatingTable has what this page was measured with.
func (r *Report) evaluatingTable() reportTable {
	o := r.Options
	var bases, thresholds []string
	for _, b := range o.Baselines {
		bases = append(bases, b.Name)
	}
	for _, t := range o.Thresholds {
		thresholds = append(thresholds, fmt.Sprint(t))
	}
	none := func(list []string) string {
		if len(list) == 0 {
			return "none"
		}
		return strings.Join(list, ", ")
	}
	rows := []reportRow{
		{Head: "version of lshclust", Cells: []reportCell{textCell(r.Tool)}},
		{Head: "second run", Cells: []reportCell{textCell(cmp.Or(r.Second, "none"))}},
		{Head: "depth", Cells: []reportCell{numberCell(o.Depth)}},
		{Head: "half", Cells: []reportCell{textCell(o.Half.String())}},
		{Head: "known targets only", Cells: []reportCell{textCell(fmt.Sprint(o.Known))}},
		{Head: "also without pairs that one page links to together", Cells: []reportCell{textCell(fmt.Sprint(o.Apart))}},
		{Head: "baselines", Cells: []reportCell{textCell(none(bases))}},
		{Head: "thresholds", Cells: []reportCell{textCell(none(thresholds))}},
		{Head: "sampled bags", Cells: []reportCell{numberCell(o.Sample)}},
		{Head: "resamples", Cells: []reportCell{numberCell(o.Bootstrap)}},
		{Head: "seed", Cells: []reportCell{textCell(fmt.Sprint(o.Seed))}},
	}
	return reportTable{Caption: "Settings of this evaluation", Columns: []string{"Setting", "Value"}, Groups: []reportGroup{{Rows: rows}}}
}

// stagesTable has what each stage did and cost when the run was made.
func (r *Report) stagesTable() reportTable {
	t := reportTable{Caption: "Stages of the run", Columns: []string{"Stage", "In", "Out", "Seconds", "Processor seconds", "Peak memory, MiB"}}
	var rows []reportRow
	seconds := func(s float64) reportCell { return reportCell{Text: fmt.Sprintf("%.1f", s), Class: "count"} }
	for _, s := range r.Run.Manifest.Stages {
		rows = append(rows, reportRow{Head: s.Name, Cells: []reportCell{
			numberCell(int(s.In)), numberCell(int(s.Out)), seconds(s.WallSeconds), seconds(s.CPUSeconds), numberCell(int(s.PeakAnon >> 20)),
		}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// leftOutTable has what the run skipped, by stage and reason.
func (r *Report) leftOutTable() reportTable {
	t := reportTable{Caption: "What the stages left out", Columns: []string{"Stage", "Reason", "Number"}}
	for _, s := range r.Run.Manifest.Stages {
		g := reportGroup{Name: s.Name}
		for _, reason := range slices.Sorted(maps.Keys(s.Dropped)) {
			g.Rows = append(g.Rows, reportRow{Head: reason, Cells: []reportCell{numberCell(int(s.Dropped[reason]))}})
		}
		if len(g.Rows) > 0 {
			t.Groups = append(t.Groups, g)
		}
	}
	return t
}

// filesTable has the tables of the run.
func (r *Report) filesTable() reportTable {
	t := reportTable{Caption: "Files of the run", Columns: []string{"File", "Bytes", "Digest"}}
	var rows []reportRow
	for _, f := range r.Run.Manifest.Tables {
		rows = append(rows, reportRow{Head: f.Name, Cells: []reportCell{numberCell(int(f.Bytes)), textCell(f.Digest)}})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// Published tells when the run was finished.
func (p *reportPage) Published() string {
	return p.Run.Manifest.Finished.UTC().Format("2006-01-02 15:04 UTC")
}
