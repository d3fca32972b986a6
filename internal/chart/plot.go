package chart

// The measures of a plot in pixels. The rows of a legend below the title make the picture higher.
const (
	plotWidth  = 720.0
	plotHeight = 400.0
	margin     = 14.0
	titleRoom  = 36.0
	legendRow  = 22.0
	labelRoom  = 16.0 // for the label of an axis
	tickRoom   = 26.0 // for the labels below the x axis
	titleSize  = 16.0
	tickSize   = 12.0
	legendSize = 13.0
	swatch     = 22.0
)

// plot is the state of drawing a figure with two axes. Title, legend, grid and axes are drawn before the data.
type plot struct {
	canvas
	of     Lines
	x, y   scale
	height float64
	legend []entry
}

// entry is a series in the legend. draw draws its look; left is the middle of the left edge of the swatch.
type entry struct {
	name string
	draw func(p *plot, left dot)
}

// newPlot lays out a plot and draws its title, legend and grid.
func newPlot(l Lines, x, y scale, legend []entry) *plot {
	p := &plot{of: l, x: x, y: y, legend: legend}
	for i, e := range legend {
		legend[i].name = fitted(e.name, legendSize, plotWidth-2*margin-swatch-24)
	}
	if len(legend) < 2 { // a single series is named by the axis or the title
		p.legend = nil
	}
	return p.lay()
}

// lay places the axes and draws everything except the data.
func (p *plot) lay() *plot {
	yTicks := p.y.ticks()
	left := 0.0
	for _, t := range yTicks {
		left = max(left, wide(number(t), tickSize))
	}
	left += margin + 10
	if p.of.Y.Label != "" {
		left += labelRoom + 6
	}
	rows := p.rows()
	legendTop := float64(titleRoom)
	top := legendTop + legendRow*float64(len(rows)) + 10
	p.height = plotHeight - titleRoom + legendTop + legendRow*float64(len(rows))
	p.x.from, p.x.to = left, plotWidth-margin-4
	bottom := p.height - tickRoom - margin
	if p.of.X.Label != "" {
		bottom -= labelRoom
	}
	p.y.from, p.y.to = bottom, top
	p.text(classTitle, dot{margin, 27}, start, fitted(p.of.Title, 1.05*titleSize, plotWidth-2*margin))
	p.drawLegend(rows, legendTop)
	p.axes(yTicks)
	return p
}

// rows breaks the legend into rows.
func (p *plot) rows() (rows [][]entry) {
	room := 0.0
	for _, e := range p.legend {
		need := swatch + 6 + wide(e.name, legendSize) + 18
		if room < need {
			rows, room = append(rows, nil), plotWidth-2*margin
		}
		room -= need
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
	}
	return rows
}

func (p *plot) drawLegend(rows [][]entry, top float64) {
	for i, row := range rows {
		at := dot{margin, top + legendRow*(float64(i)+.5)}
		for _, e := range row {
			e.draw(p, at)
			p.text(classInk, dot{at.x + swatch + 6, at.y + 4.5}, start, e.name)
			at.x += swatch + 6 + wide(e.name, legendSize) + 18
		}
	}
}

// axes draws the grid, the ticks and the labels of both axes.
func (p *plot) axes(yTicks []float64) {
	for _, t := range p.x.ticks() {
		x, low := p.x.at(t), p.y.from
		p.line(classGrid, x, p.y.to, x, low, false)
		p.line(classAxis, x, low, x, low+5, false)
		p.text(classTick, dot{x, low + 19}, middle, number(t))
	}
	for _, t := range yTicks {
		y := p.y.at(t)
		p.line(classGrid, p.x.from, y, p.x.to, y, false)
		p.line(classAxis, p.x.from-5, y, p.x.from, y, false)
		p.text(classTick, dot{p.x.from - 8, y + 4}, end, number(t))
	}
	p.line(classAxis, p.x.from, p.y.from, p.x.to, p.y.from, false)
	p.line(classAxis, p.x.from, p.y.from, p.x.from, p.y.to, false)
	p.text(classInk, dot{(p.x.from + p.x.to) / 2, p.height - margin + 3}, middle, p.of.X.Label)
	if p.of.Y.Label != "" {
		p.upwards(classInk, dot{margin + 12, (p.y.from + p.y.to) / 2}, p.of.Y.Label)
	}
}

// place returns the position of a point.
func (p *plot) place(x, y float64) dot { return dot{p.x.at(x), p.y.at(y)} }

// whisker draws the interval of a point.
func (p *plot) whisker(class string, x float64, of Point) {
	low, high := p.y.at(of.Low), p.y.at(of.High)
	p.line(class, x, low, x, high, false)
	p.line(class, x-4, low, x+4, low, false)
	p.line(class, x-4, high, x+4, high, false)
}
