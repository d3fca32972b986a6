package main

import (
	"fmt"
	"html/template"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/chart"
	"github.com/lshclust/lshclust/internal/figures"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/tune"
)

// picture is a figure and the name of its file.
type picture struct {
	name   string
	figure chart.Figure
}

// pictures draws the pictures that the flags ask for.
func (t *tuning) pictures(x *tuned) error {
	if t.svg == "" && t.html == "" {
		return nil
	}
	all := []picture{{"s-curve", x.curve()}, {"similarities", x.histogram()}}
	if len(x.Floors) > 0 {
		all = append(all, picture{"floors", x.floorCurve()})
	}
	if t.svg != "" {
		if err := writePictures(t.svg, all); err != nil {
			return err
		}
	}
	if t.html != "" {
		return writeTunePage(t.html, x, all)
	}
	return nil
}

func writePictures(dir string, all []picture) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for _, p := range all {
		svg, err := p.figure.SVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, p.name+".svg"), svg, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// curve draws the S-curves of the best choice and of the run, with the share of the sample that the index of the run
// finds.
func (x *tuned) curve() chart.Figure {
	var curves []chart.Series
	if x.best >= 0 && len(x.Choices) > 0 {
		curves = append(curves, formula("best", x.Choices[x.best].Choice))
	}
	present := formula("this run", x.Present.Choice)
	present.Dashed = true
	var seen []chart.Point
	for _, b := range x.Similarities[1:] {
		if b.Found != nil {
			seen = append(seen, chart.Point{X: b.Mean, Y: b.Found.Value, Low: b.Found.Low, High: b.Found.High})
		}
	}
	return figures.Curve(x.Sample, x.Goal.At, append(curves, present), seen)
}

// curvePoints is the number of steps of a curve.
const curvePoints = 80

func formula(name string, c tune.Choice) chart.Series {
	s := chart.Series{Name: fmt.Sprintf("%s: m=%d k=%d l=%d", name, c.M, c.K, c.L)}
	for i := range curvePoints + 1 {
		at := float64(i) / curvePoints
		s.Points = append(s.Points, chart.Point{X: at, Y: lsh.Found(c.M, c.K, c.L, c.Floor, at)})
	}
	return s
}

// histogramBins is the number of bins of similarity.
const histogramBins = 50

func (x *tuned) histogram() chart.Figure {
	edges, pairs, found := x.measured.Bins(histogramBins)
	return figures.Pairs(x.Sample, large(x.Similarities[0].Pairs.Value), large(x.Pairs), edges, pairs, found)
}

func (x *tuned) floorCurve() chart.Figure {
	recall, precision := chart.Series{Name: "recall", Spread: chart.Band}, chart.Series{Name: "precision", Spread: chart.Band}
	for _, f := range x.Floors {
		point := func(e *estimate) chart.Point { return chart.Point{X: f.Floor, Y: e.Value, Low: e.Low, High: e.High} }
		recall.Points, precision.Points = append(recall.Points, point(f.Recall)), append(precision.Points, point(f.Precision))
	}
	l := chart.Lines{
		Frame: chart.Frame{
			Title:       "What a floor lets through",
			Description: fmt.Sprintf("Pairs of similarity %.3g and above: the share of them that passes the floor, and their share of all pairs that pass, with 95 %% intervals.", x.Goal.At),
			X:           chart.Axis{Label: "floor of agreement"}, Y: chart.Axis{Label: "share", Max: 1},
		},
		Series: []chart.Series{recall, precision},
	}
	if x.best >= 0 {
		l.Marks = []chart.Mark{{Name: "chosen", X: x.Floors[x.best].Floor}}
	}
	return l
}

var tunePage = template.Must(template.New("tune").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>lshclust tune: {{.Run}}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-size:.85rem}th,td{padding:.2rem .6rem;border-bottom:1px solid #8884;text-align:left}
td.number,td+td{text-align:right;font-variant-numeric:tabular-nums}figure{margin:2rem 0}code{overflow-wrap:anywhere}</style></head><body>
<h1>An index for {{.Run}}</h1>
<p>{{.Nodes}} distinct bags, {{.Sample}} of them compared with all others. Wanted: recall {{.Goal.Recall}} at similarity {{.Goal.At}} and above.</p>
<p>{{if .Flags}}Use <code>lshclust cluster -o NEW {{.Flags}} INPUT...</code>{{else}}<strong>{{.None}}.</strong>{{end}}</p>
{{if .Rows}}<table><thead><tr><th>choice</th><th>m</th><th>k</th><th>l</th><th>floor</th><th>recall (95 %)</th><th>tried</th><th>at {{.Goal.At}}</th><th>candidates (95 %)</th><th>survivors</th><th>cpu s</th><th>memory</th></tr></thead><tbody>
{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table>{{end}}
{{range .Figures}}{{.}}{{end}}
{{if .Notes}}<h2>Notes</h2><ul>{{range .Notes}}<li>{{.}}</li>{{end}}</ul>{{end}}
</body></html>
`))

func writeTunePage(path string, x *tuned, all []picture) error {
	page := struct {
		*tuned
		None    string
		Rows    [][]string
		Figures []template.HTML
	}{tuned: x, None: x.none()}
	row := func(name string, p choice) []string {
		return []string{name, fmt.Sprint(p.M), fmt.Sprint(p.K), fmt.Sprint(p.L), trimFloat(p.Floor), p.Recall.share(), p.triedText(), fmt.Sprintf("%.3f", p.RecallAt),
			p.candidates().large(), large(p.survivors().Value), large(p.Seconds), sizeOf(p.Memory)}
	}
	for i, p := range x.Choices {
		page.Rows = append(page.Rows, row(fmt.Sprint(i+1), p))
	}
	page.Rows = append(page.Rows, row("this run", x.Present))
	for _, p := range all {
		html, err := chart.HTML(p.figure)
		if err != nil {
			return err
		}
		page.Figures = append(page.Figures, html)
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := tunePage.Execute(f, page); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
