package chart

import (
	"math"
	"strings"
	"unicode"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// picture is a figure on its way to SVG.
type picture struct {
	*plot.Plot
	frame  Frame
	grid   *plotter.Grid
	legend plot.Legend
	named  int
}

// margin is around everything; gap is between plot and legend.
const (
	margin = 8
	gap    = 14
)

func newPicture(f Frame) *picture {
	p := &picture{Plot: plot.New(), frame: f, legend: plot.NewLegend()}
	p.BackgroundColor = paper
	p.Title.Text, p.Title.Padding = clean(f.Title), 8
	style(&p.Title.TextStyle, 12, ink)
	style(&p.legend.TextStyle, 10, ink)
	p.legend.Top, p.legend.Left, p.legend.Padding = true, true, 5
	setAxis(&p.X, f.X)
	setAxis(&p.Y, f.Y)
	p.Y.Tick.Label.YAlign = -0.4
	thin := draw.LineStyle{Color: faint, Width: 0.5}
	p.grid = &plotter.Grid{Vertical: thin, Horizontal: thin}
	p.Add(p.grid)
	return p
}

func style(s *text.Style, size float64, c colour) {
	s.Font, s.Color = font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, vg.Points(size)), c
}

func setAxis(a *plot.Axis, x Axis) {
	a.Label.Text, a.Label.Padding, a.Padding = clean(x.Label), 6, 2
	style(&a.Label.TextStyle, 10, ink)
	style(&a.Tick.Label, 9, muted)
	a.LineStyle = draw.LineStyle{Color: muted, Width: 0.7}
	a.Tick.LineStyle, a.Tick.Length = a.LineStyle, 4
	a.Tick.Marker = ticks{x.Log}
	if x.Log {
		a.Scale = plot.LogScale{}
	}
	if x.Min != 0 || x.Max != 0 {
		a.Min, a.Max = x.Min, x.Max
	}
}

// ticks are those of gonum with labels of our own: 20k for 2e+04. A logarithmic axis of less than a decade, on which only
// one power of ten or none stands, has the ticks of a linear one.
type ticks struct{ log bool }

// mostLabels is the number of ticks up to which all have labels; gonum gives them to about three.
const mostLabels = 12

// Ticks returns the ticks of a range.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	var all []plot.Tick
	few := false
	if decades := math.Log10(high) - math.Log10(max(low, math.SmallestNonzeroFloat64)); t.log && decades >= 1 {
		all = plot.LogTicks{Prec: -1}.Ticks(low, high)
		sparse(all, math.Ceil(decades/7))
	} else {
		all = plot.DefaultTicks{}.Ticks(low, high)
		few = len(all) <= mostLabels
	}
	for i := range all {
		if all[i].Label != "" || few {
			all[i].Label = short(all[i].Value)
		}
	}
	return all
}

// sparse leaves a label at one power of ten in every.
func sparse(all []plot.Tick, every float64) {
	for i := range all {
		if power := math.Round(math.Log10(all[i].Value)); math.Mod(math.Abs(power), every) != 0 {
			all[i].Label = ""
		}
	}
}

var suffixes = []struct {
	size   float64
	suffix string
}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}

// short is a number for an axis.
func short(v float64) string {
	for _, s := range suffixes {
		if math.Abs(v) >= s.size && math.Abs(v) < 1000*s.size {
			return number(v/s.size) + s.suffix
		}
	}
	if math.Abs(v) < 1e-12 { // what is left of a sum of steps
		v = 0
	}
	return number(v)
}

// name adds a series to the legend.
func (p *picture) name(name string, thumbs ...plot.Thumbnailer) {
	p.legend.Add(clean(name), thumbs...)
	p.named++
}

// svg draws everything. A single series needs no legend: its name is the axis or the title.
func (p *picture) svg() ([]byte, error) {
	p.widen()
	w, h := p.frame.size()
	canvas := vgsvg.New(vg.Points(w), vg.Points(h))
	all := draw.New(canvas)
	all.SetColor(paper)
	all.Fill(all.Path())
	all = draw.Crop(all, margin, -margin, margin, -margin)
	if p.named > 1 {
		wide := p.legend.Rectangle(all).Size().X
		p.legend.Draw(draw.Crop(all, all.Size().X-wide, 0, 0, -30))
		all = draw.Crop(all, 0, -wide-gap, 0, 0)
	}
	p.Draw(all)
	return finish(canvas, p.frame)
}

// widen gives a range to axes on which all numbers are the same.
func (p *picture) widen() {
	for _, a := range []struct {
		*plot.Axis
		log bool
	}{{&p.X, p.frame.X.Log}, {&p.Y, p.frame.Y.Log}} {
		switch {
		case a.Max > a.Min:
		case a.log:
			a.Min, a.Max = a.Min/2, a.Max*2
		default:
			wide := max(math.Abs(a.Min)/10, 0.5)
			a.Min, a.Max = a.Min-wide, a.Max+wide
		}
	}
}

// bars are error bars at values.
func bars(at plotter.XYs, points []Point, c colour) *plotter.YErrorBars {
	e := &plotter.YErrorBars{XYs: at, LineStyle: draw.LineStyle{Color: c, Width: 1}, CapWidth: 5}
	for _, p := range points {
		e.YErrors = append(e.YErrors, struct{ Low, High float64 }{p.Y - p.Low, p.High - p.Y})
	}
	return e
}

// clean takes out what XML does not allow and what breaks a line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
}
