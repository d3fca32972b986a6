package pages

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/chart"
	"github.com/lshclust/lshclust/internal/figures"
	"github.com/lshclust/lshclust/serve/api"
	"github.com/lshclust/lshclust/tune"
)

func tunePage() *Page {
	p := &Page{Name: "tune", Path: "/tune", Nav: "Tune", Heavy: true, Show: showTune}
	for _, param := range operations["tune"].Params {
		if param.Name != "run" {
			p.Params = append(p.Params, param)
		}
	}
	return p
}

// tuneData is what the template shows.
type tuneData struct {
	*api.Tuning
	Action  string // of the form, "" in a report
	RunName string // that the form keeps, "" for the first one
	Sliders []slider
	Sizes   []sizeChoice // numbers of signatures to choose from
	Curve   template.HTML
	Pairs   template.HTML // "" if no pair of the sample has anything in common
	Results []tuneResult
	Flags   string // of lshclust cluster
	Same    bool   // the choice is that of the run
	Reset   string // link to the choice of the run
}

// slider is a field of the form.
type slider struct {
	Name, Label, About           string
	Value, Least, Most, Step, Of string // Of is the value of the run
}

type sizeChoice struct {
	Value   int
	Chosen  bool
	Present bool
}

// tuneResult is a figure of both choices.
type tuneResult struct {
	Name, About     string
	Chosen, Present string
	Share           *[2]float64 // both as bars, for shares
	Better          string      // how the choice compares with the run, "" if it is the same
}

// mostSlider is the number of keys at the right end of the slider unless the run or the choice has more.
const mostSlider = 400

func showTune(ctx context.Context, q *Question) (*View, error) {
	var args []string
	for _, name := range []string{"m", "k", "l", "floor", "at"} {
		args = append(args, name, q.Args.Text(name))
	}
	t, err := Ask[api.Tuning](ctx, q, "tune", args...)
	if err != nil {
		return nil, err
	}
	c, p := t.Chosen, t.Present
	d := &tuneData{
		Tuning: &t, Action: q.place("/tune", nil), RunName: q.run, Reset: q.To("/tune", "at", q.Args.Text("at")),
		Same:  c.Signatures == p.Signatures && c.KeySize == p.KeySize && c.Keys == p.Keys && c.Floor == p.Floor,
		Flags: fmt.Sprintf("--signatures %d --key-size %d --keys %d --floor %s", c.Signatures, c.KeySize, c.Keys, decimal(c.Floor)),
	}
	d.Sliders = sliders(&t)
	for _, m := range slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(tune.DefaultSignatures), c.Signatures, p.Signatures)))) {
		d.Sizes = append(d.Sizes, sizeChoice{m, m == c.Signatures, m == p.Signatures})
	}
	d.Results = tuneResults(&t)
	if err := d.draw(); err != nil {
		return nil, err
	}
	return &View{Title: "Tune", Accent: Web, JSON: q.JSON("tune", args...), Scripts: []string{"tune.js"}, Data: d}, nil
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func sliders(t *api.Tuning) []slider {
	c, p := t.Chosen, t.Present
	most := min(max(mostSlider, c.Keys, p.Keys), max(t.MostKeys, c.Keys))
	return []slider{
		{"k", "Key size k", "Signatures in a key. More make a key rarer: fewer candidates, and less recall.", strconv.Itoa(c.KeySize), "1", strconv.Itoa(api.MostKeySize), "1", strconv.Itoa(p.KeySize)},
		{"l", "Keys l", "Chances to meet. More find more, and cost more.", strconv.Itoa(c.Keys), "1", strconv.Itoa(most), "1", strconv.Itoa(p.Keys)},
		{"floor", "Floor", "Share of equal signatures from which a candidate is compared exactly.", decimal(c.Floor), "0", decimal(max(0.6, c.Floor)), "0.005", decimal(p.Floor)},
		{"at", "Wanted from", "Smallest similarity of the pairs that are to be found.", decimal(t.At), "0.01", "0.99", "0.01", ""},
	}
}

// tuneResults compares the predictions of both choices.
func tuneResults(t *api.Tuning) []tuneResult {
	c, p := t.Chosen, t.Present
	share := func(name, about string, a, b float64, text func(v float64) string) tuneResult {
		return tuneResult{Name: name, About: about, Chosen: text(a), Present: text(b), Share: &[2]float64{a, b}, Better: points(a, b)}
	}
	number := func(name, about string, a, b float64, unit string) tuneResult {
		return tuneResult{Name: name, About: about, Chosen: brief(a) + unit, Present: brief(b) + unit, Better: times(a, b)}
	}
	three := func(v float64) string { return fmt.Sprintf("%.3f", v) }
	at := decimal(t.At)
	return []tuneResult{
		share("recall", "share of the pairs of similarity "+at+" and above that is found", c.Recall.Value, p.Recall.Value, three),
		share("recall at "+at, "the same for pairs of exactly this similarity", c.RecallAt, p.RecallAt, three),
		number("candidates", "pairs with a common key", c.Candidates.Value, p.Candidates.Value, ""),
		number("survivors", "candidates that agree at the floor and are compared exactly", c.Survivors.Value, p.Survivors.Value, ""),
		number("processor time", "to find the pairs", c.Seconds, p.Seconds, " s"),
		number("memory", "of a run", float64(c.Memory)/(1<<20), float64(p.Memory)/(1<<20), " MiB"),
	}
}

// points tells by how much a share is larger or smaller than another.
func points(a, b float64) string {
	if d := math.Round(1000*a) - math.Round(1000*b); d != 0 {
		return strings.Replace(fmt.Sprintf("%+.1f points", d/10), "-", "−", 1)
	}
	return ""
}

// times tells how often one number has another.
func times(a, b float64) string {
	if b <= 0 || a <= 0 || math.Abs(a/b-1) < 0.005 {
		return ""
	}
	if a/b >= 10 {
		return fmt.Sprintf("× %.0f", a/b)
	}
	return fmt.Sprintf("× %.2g", a/b)
}

// brief returns a number with two or three digits and a unit.
func brief(v float64) string {
	if v >= 10 {
		return chart.Brief(uint64(v + 0.5))
	}
	return strconv.FormatFloat(v, 'g', 2, 64)
}

// draw draws both pictures.
func (d *tuneData) draw() error {
	chosen, present := chart.Series{Name: "this choice"}, chart.Series{Name: "the run", Dashed: true}
	for _, c := range d.Tuning.Curve {
		chosen.Points = append(chosen.Points, chart.Point{X: c.Similarity, Y: c.Chosen})
		present.Points = append(present.Points, chart.Point{X: c.Similarity, Y: c.Present})
	}
	var seen []chart.Point
	for _, s := range d.Seen {
		seen = append(seen, chart.Point{X: s.Similarity, Y: s.Value, Low: s.Low, High: s.High})
	}
	curve := figures.Curve(d.Sample, d.At, []chart.Series{chosen, present}, seen)
	curve.Bare = true
	var err error
	if d.Curve, err = Figure(curve); err != nil {
		return err
	}
	edges, pairs, found, some := []float64{0}, []float64{}, []float64{}, false
	for _, b := range d.Histogram {
		edges, pairs, found = append(edges, b.To), append(pairs, b.Pairs), append(found, b.Found)
		some = some || b.Pairs > 0
	}
	if !some {
		return nil
	}
	histogram := figures.Pairs(d.Sample, brief(d.Nothing.Value), brief(d.Tuning.Pairs), edges, pairs, found)
	histogram.Bare = true
	d.Pairs, err = Figure(histogram)
	return err
}
