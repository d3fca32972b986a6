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
	frame  Frame
	x, y   scale
	height float64
	bottom float64 // additional room below the x axis
	legend []entry
}

// entry is a series in the legend. draw draws its look; left is the middle of the left edge of the swatch.
type entry struct {
	name string
	draw func(p *plot, left dot)
}

// newPlot lays out a plot and draws its title, legend and grid. groups are the ticks of an x axis of names; if it is
// nil, the x axis has numbers and vertical grid lines.
func newPlot(f Frame, x, y scale, legend []entry, groups []tick) *plot {
	p := &plot{frame: f, x: x, y: y, legend: legend}
	for i, e := range legend {
		legend[i].name = fitted(e.name, legendSize, plotWidth-2*margin-swatch-24)
	}
	if len(legend) < 2 { // a single series is named by the axis or the title
		p.legend = nil
	}
	return p.lay(groups)
}

// lay places the axes and draws everything except the data.
func (p *plot) lay(groups []tick) *plot {
	yTicks := p.y.ticks()
	left := 0.0
	for _, t := range yTicks {
		left = max(left, wide(t.label, tickSize))
	}
	left += margin + 10
	if p.frame.Y.Label != "" {
		left += labelRoom + 6
	}
	rows := p.rows()
	legendTop := float64(titleRoom)
	top := legendTop + legendRow*float64(len(rows)) + 10
	p.height = plotHeight - titleRoom + legendTop + legendRow*float64(len(rows))
	p.x.from, p.x.to = left, plotWidth-margin-10
	if groups == nil {
		p.x.to = plotWidth - margin - 4
	} else if p.crowded(groups) {
		p.bottom = 16
	}
	bottom := p.height - tickRoom - margin - p.bottom
	if p.frame.X.Label != "" {
		bottom -= labelRoom
	}
	p.y.from, p.y.to = bottom, top
	p.text(classTitle, dot{margin, 27}, start, fitted(p.frame.Title, 1.05*titleSize, plotWidth-2*margin))
	p.drawLegend(rows, legendTop)
	p.axes(groups, yTicks)
	return p
}

// crowded reports whether the labels of groups are too wide to be side by side.
func (p *plot) crowded(groups []tick) bool {
	room := (p.x.to - p.x.from) / float64(len(groups))
	for _, t := range groups {
		if wide(t.label, tickSize) > room-6 {
			return true
		}
	}
	return false
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

// box draws the look of an area into its swatch.
func (p *plot) box(i int, left dot) {
	x, y, right, low := left.x+3, left.y-6, left.x+swatch-3, left.y+6
	p.rect(of(classArea, i), x, y, right-x, low-y, "")
	p.polyline(of(classLine, i), []dot{{x, low}, {x, y}, {right, y}, {right, low}, {x, low}}, false)
}

// axes draws the grid, the ticks and the labels of both axes.
func (p *plot) axes(groups, yTicks []tick) {
	xTicks := groups
	if groups == nil {
		xTicks = p.x.ticks()
	}
	for i, t := range xTicks {
		x, low := p.x.at(t.at), p.y.from
		if t.label != "" && groups == nil {
			p.line(classGrid, x, p.y.to, x, low, false)
			p.line(classAxis, x, low, x, low+5, false)
		} else if groups == nil {
			p.line(classAxis, x, low, x, low+3, false)
		}
		below := low + 19
		if p.bottom > 0 && i%2 == 1 {
			below += 15
		}
		p.text(classTick, dot{x, below}, middle, t.label)
	}
	for _, t := range yTicks {
		y, long := p.y.at(t.at), 3.0
		if t.label != "" {
			long = 5
			p.line(classGrid, p.x.from, y, p.x.to, y, false)
		}
		p.line(classAxis, p.x.from-long, y, p.x.from, y, false)
		p.text(classTick, dot{p.x.from - 8, y + 4}, end, t.label)
	}
	p.line(classAxis, p.x.from, p.y.from, p.x.to, p.y.from, false)
	p.line(classAxis, p.x.from, p.y.from, p.x.from, p.y.to, false)
	p.text(classInk, dot{(p.x.from + p.x.to) / 2, p.height - margin + 3}, middle, p.frame.X.Label)
	if p.frame.Y.Label != "" {
		p.upwards(classInk, dot{margin + 12, (p.y.from + p.y.to) / 2}, p.frame.Y.Label)
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

// done returns the picture.
func (p *plot) done() []byte { return p.svg(p.frame, plotWidth, p.height) }
