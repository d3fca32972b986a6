package compare

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
)

// Labels holds the texts on a picture of a histogram. SVG escapes them.
type Labels struct {
	Title, Caption string
	X, Y           string    // names of the axes
	Corners        [4]string // names of the corners: top left, top right, bottom left, bottom right
	XMarks, YMarks []float64 // where the corners begin; drawn as dashed lines
}

// The sizes of the picture in pixels. There is a gap after the cells for 0.
const (
	cellWidth, cellHeight = 52.0, 34.0
	zeroGap               = 8.0
	marginLeft, marginTop = 86.0, 92.0
	marginRight           = 92.0
	marginBottom          = 150.0
	legendWidth           = 240.0
)

// ramp holds the colours from few pairs, light, to many, dark. A cell without pairs is white.
var ramp = [...][3]float64{{222, 235, 247}, {158, 202, 225}, {66, 146, 198}, {8, 81, 156}, {8, 29, 88}}

// SVG draws the histogram as a heat map with y upwards. The colour of a cell shows the logarithm of its count. Each
// cell has its count written in it, and each row and column has its sum at its end. The output is always the same
// bytes.
func (h *Histogram) SVG(w io.Writer, l Labels) error {
	out := bufio.NewWriter(w)
	p := picture{Writer: out, h: h, most: h.Largest()}
	p.right, p.bottom = p.x(h.Bins)+cellWidth, marginTop+float64(h.Bins+1)*cellHeight+zeroGap
	width, height := max(p.right+marginRight, marginLeft+legendWidth+120), p.bottom+marginBottom
	fmt.Fprintf(p, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" font-family="system-ui, sans-serif" font-size="12" fill="#222">`+"\n", width, height, width, height)
	fmt.Fprintf(p, `<rect width="%g" height="%g" fill="#fff"/>`+"\n", width, height)
	p.text(marginLeft, 26, `font-size="16" font-weight="600"`, l.Title)
	p.text(marginLeft, 46, `fill="#555"`, l.Caption)
	p.cells()
	p.marks(l)
	p.numbers()
	p.margins()
	p.axes(l)
	p.legend()
	fmt.Fprintln(p, "</svg>")
	return out.Flush()
}

type picture struct {
	io.Writer
	h             *Histogram
	most          uint64
	right, bottom float64
}

// x and y return the upper left corner of the cells of a bin.
func (p *picture) x(bin int) float64 {
	return marginLeft + float64(bin)*cellWidth + zeroGap*float64(min(bin, 1))
}

func (p *picture) y(bin int) float64 {
	return marginTop + float64(p.h.Bins-bin)*cellHeight + zeroGap*float64(1-min(bin, 1))
}

// text writes a line of text. It escapes s but not attributes.
func (p *picture) text(x, y float64, attributes, s string) {
	if s == "" {
		return
	}
	fmt.Fprintf(p, `<text x="%g" y="%g" %s>%s</text>`+"\n", x, y, attributes, escape(s))
}

// escape escapes text for XML. Characters that XML cannot represent become U+FFFD.
func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) //nolint:errcheck // a Builder takes everything
	return b.String()
}

const (
	middle = `text-anchor="middle"`
	end    = `text-anchor="end"`
	grey   = `fill="#555"`
)

func (p *picture) cells() {
	for i, column := range p.h.Counts {
		for j, n := range column {
			fill, _ := p.colour(n)
			fmt.Fprintf(p, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s" stroke="#ddd"><title>%s</title></rect>`+"\n",
				p.x(i), p.y(j), cellWidth, cellHeight, fill, escape(fmt.Sprintf("x %s, y %s: %d", p.span(i), p.span(j), n)))
		}
	}
}

// numbers writes the counts above the borders of the corners.
func (p *picture) numbers() {
	for i, column := range p.h.Counts {
		for j, n := range column {
			if n > 0 {
				_, ink := p.colour(n)
				p.text(p.x(i)+cellWidth/2, p.y(j)+cellHeight/2+4, middle+` fill="`+ink+`"`, Short(n))
			}
		}
	}
}

// span describes the values of a bin.
func (p *picture) span(bin int) string {
	if bin == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g to %.3g", p.h.From(bin), p.h.From(bin+1))
}

// colour returns the fill of a cell and the colour of the text on it.
func (p *picture) colour(n uint64) (fill, ink string) {
	if n == 0 {
		return "#fff", "#222"
	}
	return rampAt(math.Log1p(float64(n)) / math.Log1p(float64(max(p.most, 1))))
}

func rampAt(share float64) (fill, ink string) {
	at := share * float64(len(ramp)-1)
	i := min(int(at), len(ramp)-2)
	var c [3]int
	for k := range c {
		c[k] = int(math.Round(ramp[i][k] + (ramp[i+1][k]-ramp[i][k])*(at-float64(i))))
	}
	ink = "#222"
	if share > 0.55 {
		ink = "#fff"
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]), ink
}

// margins writes the sums of the columns above them and those of the rows to the right.
func (p *picture) margins() {
	for i, n := range p.h.X() {
		p.text(p.x(i)+cellWidth/2, marginTop-8, middle+" "+grey, Short(n))
	}
	for j, n := range p.h.Y() {
		p.text(p.right+8, p.y(j)+cellHeight/2+4, grey, Short(n))
	}
	p.text(p.right+8, marginTop-8, grey+` font-weight="600"`, Short(p.h.Total()))
}

func (p *picture) axes(l Labels) {
	p.text(p.x(0)+cellWidth/2, p.bottom+16, middle, "0")
	p.text(marginLeft-8, p.y(0)+cellHeight/2+4, end, "0")
	step := 1 + (p.h.Bins-1)/20
	for bin := 1; bin <= p.h.Bins+1; bin += step {
		tick := fmt.Sprintf("%.3g", p.h.From(bin))
		if bin == 1 {
			tick = ">0"
		}
		p.text(p.x(bin), p.bottom+16, middle, tick)
		p.text(marginLeft-8, p.y(bin-1)-p.shift(bin)+4, end, tick)
	}
	p.text((marginLeft+p.right)/2, p.bottom+58, middle+` font-weight="600"`, l.X)
	fmt.Fprintf(p, `<text transform="translate(22 %g) rotate(-90)" %s font-weight="600">%s</text>`+"\n", (marginTop+p.bottom)/2, middle, escape(l.Y))
	const small = ` font-size="11" font-style="italic" fill="#8a3b00"`
	p.text(marginLeft, marginTop-26, small, l.Corners[0])
	p.text(p.right, marginTop-26, end+small, l.Corners[1])
	p.text(marginLeft, p.bottom+36, small, l.Corners[2])
	p.text(p.right, p.bottom+36, end+small, l.Corners[3])
}

// shift returns the height of the gap above the cells for 0 if the lower border of the bin is above it.
func (p *picture) shift(bin int) float64 {
	if bin == 1 {
		return zeroGap
	}
	return 0
}

// marks draws the borders of the corners.
func (p *picture) marks(l Labels) {
	const line = `<line x1="%g" y1="%g" x2="%g" y2="%g" stroke="#c65102" stroke-width="1.5" stroke-dasharray="5 4"/>` + "\n"
	scale := float64(p.h.Bins)
	for _, v := range l.XMarks {
		x := p.x(1) + v*scale*cellWidth
		fmt.Fprintf(p, line, x, marginTop, x, p.bottom)
	}
	for _, v := range l.YMarks {
		y := p.y(1) + cellHeight - v*scale*cellHeight
		fmt.Fprintf(p, line, marginLeft, y, p.right, y)
	}
}

// legend explains the colours.
func (p *picture) legend() {
	const steps = 48
	y := p.bottom + 84
	for i := range steps {
		fill, _ := rampAt(float64(i) / (steps - 1))
		fmt.Fprintf(p, `<rect x="%g" y="%g" width="%g" height="14" fill="%s"/>`+"\n", marginLeft+float64(i)*legendWidth/steps, y, legendWidth/steps+0.5, fill)
	}
	top := math.Log1p(float64(max(p.most, 1)))
	for n := uint64(1); n <= p.most; n *= 10 {
		p.text(marginLeft+math.Log1p(float64(n))/top*legendWidth, y+28, middle+" "+grey, Short(n))
		if n > math.MaxUint64/10 {
			break
		}
	}
	p.text(marginLeft+legendWidth+12, y+12, grey, "pairs (log scale)")
}

// Short formats a count with at most five characters: 999, 1.2k, 35k, 6.7M.
func Short(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	v, units := float64(n), "kMGTPE"
	for i := range units {
		if v /= 1000; v < 9.95 {
			return fmt.Sprintf("%.1f%c", v, units[i])
		} else if v < 999.5 {
			return fmt.Sprintf("%.0f%c", v, units[i])
		}
	}
	return ">999E"
}
