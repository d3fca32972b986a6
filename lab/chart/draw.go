package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode"
)

// Measures of a picture in pixels. Each row of the legend adds to its height.
const (
	width    = 720.0
	height   = 400.0 // without the legend
	titleAt  = 27.0
	top      = 46.0
	row      = 22.0 // row of the legend
	left     = 76.0
	right    = 18.0
	bottom   = 56.0
	swatch   = 22.0
	dotSize  = 4.0
	hoverAt  = 7.0 // radius of the circle that shows a number under the pointer
	capWidth = 4.0 // half the width of the ends of an interval
)

// colours is the number of colours of series and marks, the variables --c0 and so on of the style sheet. They are the
// colours of Okabe and Ito, which colour-blind people can distinguish, with darker yellows on light paper and a
// lighter blue on dark paper. After the last colour, series start again with the first.
const colours = 6

const sheet = `<style>.chart{max-width:100%;height:auto;--paper:#ffffff;--ink:#1c1f24;--muted:#5b616b;--faint:#e3e5e9;--c0:#0072b2;--c1:#c44e00;--c2:#00805c;--c3:#a8477f;--c4:#8a6d00;--c5:#4b5563}
@media(prefers-color-scheme:dark){.chart{--paper:#16181d;--ink:#e8eaed;--muted:#a9afb9;--faint:#30343c;--c0:#56b4e9;--c1:#ff9d5c;--c2:#3ed6a4;--c3:#eba3cb;--c4:#f0d25a;--c5:#c3c9d3}}
.chart text{font:13px "Liberation Sans",Arial,Helvetica,sans-serif;fill:var(--ink)}.chart .title{font-size:16px;font-weight:600}.chart .tick{font-size:12px;fill:var(--muted)}
.chart .paper{fill:var(--paper)}.chart .grid{stroke:var(--faint)}.chart .axis{stroke:var(--muted)}.chart .hit{fill-opacity:0}
.chart .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}.chart .dot{fill:currentColor}</style>
`

// drawing collects the elements of a picture. y grows downwards.
type drawing struct {
	strings.Builder
	of     Lines
	x, y   scale
	height float64
}

// SVG draws the figure.
func (l Lines) SVG() (string, error) {
	if err := l.check(); err != nil {
		return "", err
	}
	d := &drawing{of: l, height: height}
	if n := len(l.Series) + len(l.Marks); n > 1 { // the axis or the title names a single series
		d.height += float64(n) * row
	}
	d.scales()
	fmt.Fprintf(d, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-label="%[3]s">
<title>%[3]s</title>
<desc>%[4]s</desc>
%[5]s<rect class="paper" width="%[1]s" height="%[2]s"/>
`, at(width), at(d.height), escape(l.Title), escape(l.Description), sheet)
	d.text("title", "start", 14, titleAt, l.Title)
	d.axes()
	for i, s := range l.Series {
		d.series(i, s)
		d.legend(i, s.Name, s.Intervals, "")
	}
	for i, m := range l.Marks {
		i += len(l.Series)
		d.line(coloured("line", i)+dashed, d.x.at(m.X), d.y.from, d.x.at(m.X), d.y.to)
		d.legend(i, m.Name, false, dashed)
	}
	d.WriteString("</svg>\n")
	return d.String(), nil
}

// dashed is the attribute of a dashed line.
const dashed = ` stroke-dasharray="6 4"`

// coloured returns the attributes of an element with a class and the colour of series i.
func coloured(class string, i int) string {
	return fmt.Sprintf(`class="%s" style="color:var(--c%d)"`, class, i%colours)
}

// scales computes the ranges of both axes.
func (d *drawing) scales() {
	var x, y span
	for _, s := range d.of.Series {
		for _, p := range s.Points {
			x.add(p.X)
			y.add(p.Y)
			if s.Intervals {
				y.add(p.Low, p.High)
			}
		}
	}
	for _, m := range d.of.Marks {
		x.add(m.X)
	}
	d.x, d.y = x.scale(d.of.X, false), y.scale(d.of.Y, true)
	d.x.from, d.x.to = left, width-right
	d.y.from, d.y.to = d.height-bottom, top+d.height-height
}

// axes draws the grid, the ticks and the labels of both axes.
func (d *drawing) axes() {
	for _, t := range d.x.ticks() {
		x := d.x.at(t)
		d.line(`class="grid"`, x, d.y.to, x, d.y.from)
		d.text("tick", "middle", x, d.y.from+19, number(t))
	}
	for _, t := range d.y.ticks() {
		y := d.y.at(t)
		d.line(`class="grid"`, d.x.from, y, d.x.to, y)
		d.text("tick", "end", d.x.from-8, y+4, number(t))
	}
	d.line(`class="axis"`, d.x.from, d.y.from, d.x.to, d.y.from)
	d.line(`class="axis"`, d.x.from, d.y.from, d.x.from, d.y.to)
	d.text("label", "middle", (d.x.from+d.x.to)/2, d.height-11, d.of.X.Label)
	y := (d.y.from + d.y.to) / 2
	fmt.Fprintf(d, `<text class="label" text-anchor="middle" transform="translate(22 %s) rotate(-90)">%s</text>`+"\n", at(y), escape(d.of.Y.Label))
}

// legend draws a sample of a series or a mark, and its name.
func (d *drawing) legend(i int, name string, dots bool, more string) {
	if d.height == height {
		return
	}
	y := top + row*(float64(i)+.5) - 10
	if dots {
		d.dot(i, 14+swatch/2, y)
	} else {
		d.line(coloured("line", i)+more, 14, y, 14+swatch, y)
	}
	d.text("label", "start", 14+swatch+6, y+4.5, name)
}

// series draws a series. An invisible circle at every point shows its number under the pointer.
func (d *drawing) series(i int, s Series) {
	var line []string
	for _, p := range s.Points {
		line = append(line, at(d.x.at(p.X))+","+at(d.y.at(p.Y)))
	}
	if !s.Intervals {
		fmt.Fprintf(d, `<polyline %s points="%s"/>`+"\n", coloured("line", i), strings.Join(line, " "))
	}
	for _, p := range s.Points {
		x, value := d.x.at(p.X), number(p.Y)
		if s.Intervals {
			value += fmt.Sprintf(" (%s to %s)", number(p.Low), number(p.High))
			low, high := d.y.at(p.Low), d.y.at(p.High)
			d.line(coloured("line", i), x, low, x, high)
			d.line(coloured("line", i), x-capWidth, low, x+capWidth, low)
			d.line(coloured("line", i), x-capWidth, high, x+capWidth, high)
			d.dot(i, x, d.y.at(p.Y))
		}
		fmt.Fprintf(d, `<circle class="hit" cx="%s" cy="%s" r="%s"><title>%s</title></circle>`+"\n",
			at(x), at(d.y.at(p.Y)), at(hoverAt), escape(fmt.Sprintf("%s: %s %s, %s", s.Name, d.of.X.Label, number(p.X), value)))
	}
}

// dot draws a point of series i. Neighbouring series differ in shape as well as in colour.
func (d *drawing) dot(i int, x, y float64) {
	if i%2 == 0 {
		fmt.Fprintf(d, `<circle %s cx="%s" cy="%s" r="%s"/>`+"\n", coloured("dot", i), at(x), at(y), at(dotSize))
		return
	}
	fmt.Fprintf(d, `<rect %s x="%s" y="%s" width="%[4]s" height="%[4]s"/>`+"\n", coloured("dot", i), at(x-dotSize), at(y-dotSize), at(2*dotSize))
}

func (d *drawing) line(attributes string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(d, `<line %s x1="%s" y1="%s" x2="%s" y2="%s"/>`+"\n", attributes, at(x1), at(y1), at(x2), at(y2))
}

func (d *drawing) text(class, anchor string, x, y float64, s string) {
	fmt.Fprintf(d, `<text class="%s" text-anchor="%s" x="%s" y="%s">%s</text>`+"\n", class, anchor, at(x), at(y), escape(s))
}

// at formats a coordinate in hundredths of a pixel.
func at(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64) // + 0 turns -0 into 0
}

// escape escapes text for XML.
func escape(s string) string { return html.EscapeString(clean(s)) }

// clean removes characters that XML does not allow or that break a line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
}

// scale maps numbers to pixels: min to the pixel from, max to the pixel to.
type scale struct {
	min, max float64
	from, to float64
}

// at returns the pixel of a number.
func (s scale) at(v float64) float64 { return s.from + (v-s.min)/(s.max-s.min)*(s.to-s.from) }

// span is a range of numbers. The zero span is empty.
type span struct {
	min, max float64
	some     bool
}

func (s *span) add(values ...float64) {
	for _, v := range values {
		if !s.some {
			s.min, s.max, s.some = v, v, true
		}
		s.min, s.max = min(s.min, v), max(s.max, v)
	}
}

// scale returns the scale of an axis that shows the span. If rounds is set, it extends the axis to whole steps.
func (s span) scale(a Axis, rounds bool) scale {
	if a.Max != 0 {
		s.add(0, a.Max)
	}
	out := scale{min: s.min, max: s.max}
	if out.max <= out.min {
		more := max(math.Abs(out.min)/10, 0.5)
		out.min, out.max = out.min-more, out.max+more
	}
	if rounds {
		step := stepOf(out.max - out.min)
		out.min, out.max = step*math.Floor(out.min/step+1e-9), step*math.Ceil(out.max/step-1e-9)
	}
	return out
}

// wantedTicks is the approximate number of ticks on an axis.
const wantedTicks = 6

// stepOf returns the distance between the ticks of an axis: one, two or five times a power of ten.
func stepOf(size float64) float64 {
	rough := size / wantedTicks
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	for _, n := range []float64{1, 2, 5} {
		if rough <= n*power*1.01 {
			return n * power
		}
	}
	return 10 * power
}

// ticks returns the positions of the ticks on an axis.
func (s scale) ticks() (out []float64) {
	step := stepOf(s.max - s.min)
	for k := math.Ceil(s.min/step - 1e-9); k*step <= s.max+step*1e-9; k++ {
		out = append(out, k*step+0) // + 0 turns -0 into 0
	}
	return out
}
