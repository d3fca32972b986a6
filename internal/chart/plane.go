package chart

import (
	"fmt"
	"math"
)

// Plane shows how many pairs have two shares, as a map of cells. The colour of a cell is the logarithm of its count.
type Plane struct {
	Frame              // of X and Y only the labels are used
	Caption string     // a line below the title
	Counts  [][]uint64 // Counts[x][y]; bin 0 is for a share of 0, the others divide the range above 0 up to 1 equally
	Corners [4]string  // names of the top left, top right, bottom left and bottom right corner
	XMarks  []float64  // borders of the corners, as dashed lines
	YMarks  []float64
}

// The measures of a plane in pixels. There is a gap between the cells for 0 and the others.
const (
	cellWidth, cellHeight = 52.0, 34.0
	zeroGap               = 8.0
	planeLeft             = 86.0
	planeTop              = 106.0
	planeRight            = 74.0
	planeBottom           = 136.0
	rampWidth             = 240.0
)

func (h Plane) check() error {
	if len(h.Counts) < 2 {
		return fmt.Errorf("chart: %q: %w", h.Title, errEmpty)
	}
	for _, column := range h.Counts {
		if len(column) != len(h.Counts) {
			return fmt.Errorf("chart: %q has columns of %d and %d cells", h.Title, len(h.Counts), len(column))
		}
	}
	for _, marks := range [][]float64{h.XMarks, h.YMarks} {
		if err := finite("marks", false, marks...); err != nil {
			return err
		}
	}
	return nil
}

// SVG draws the figure.
func (h Plane) SVG() ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	p := planePicture{Plane: h, top: planeTop, bins: len(h.Counts) - 1, columns: make([]uint64, len(h.Counts)), rows: make([]uint64, len(h.Counts))}
	for i, column := range h.Counts {
		for j, n := range column {
			p.most, p.total = max(p.most, n), p.total+n
			p.columns[i] += n
			p.rows[j] += n
		}
	}
	p.right, p.bottom = p.x(p.bins)+cellWidth, p.top+float64(p.bins+1)*cellHeight+zeroGap
	width := max(p.right+planeRight, planeLeft+rampWidth+140)
	p.text(classTitle, dot{margin, 27}, start, fitted(h.Title, 1.05*titleSize, width-2*margin))
	p.text(classTick, dot{margin, 48}, start, fitted(h.Caption, tickSize, width-2*margin))
	p.cells()
	p.marks()
	p.counts()
	p.sums()
	p.labels()
	p.legend()
	return p.svg(h.Frame, width, p.bottom+planeBottom), nil
}

// planePicture is the state of drawing a plane.
type planePicture struct {
	canvas
	Plane
	bins          int
	columns, rows []uint64 // sums of the counts
	most, total   uint64
	right, bottom float64
	top           float64 // of the cells
}

// x and y return the upper left corner of the cells of a bin.
func (p *planePicture) x(bin int) float64 {
	return planeLeft + float64(bin)*cellWidth + zeroGap*float64(min(bin, 1))
}

func (p *planePicture) y(bin int) float64 {
	return p.top + float64(p.bins-bin)*cellHeight + zeroGap*float64(1-min(bin, 1))
}

// from returns the lower end of a bin.
func (h Plane) from(bin int) float64 {
	return max(0, float64(bin-1)/float64(len(h.Counts)-1))
}

// heat returns the colour of a count, as an index of the ramp.
func (p *planePicture) heat(n uint64) int {
	share := math.Log1p(float64(n)) / math.Log1p(float64(p.most))
	return min(int(share*float64(len(ramp))), len(ramp)-1)
}

func (p *planePicture) cells() {
	for i, column := range p.Counts {
		for j, n := range column {
			class := classPaper
			if n > 0 {
				class = fmt.Sprint(classHeat, p.heat(n))
			}
			p.rect(class, p.x(i), p.y(j), cellWidth, cellHeight, p.cellText(i, j))
		}
	}
	for bin := range p.bins + 2 {
		for _, zero := range []bool{true, false} {
			if zero && bin > 1 {
				continue
			}
			p.lines(bin, zero)
		}
	}
}

func (h Plane) cellText(i, j int) string {
	return fmt.Sprintf("%s %s, %s %s: %d", h.X.Label, h.span(i), h.Y.Label, h.span(j), h.Counts[i][j])
}

// lines draws the borders of the cells before a bin: those of the cells for 0 if zero is set, and otherwise those of
// the other cells.
func (p *planePicture) lines(bin int, zero bool) {
	x, y := p.x(1)+float64(bin-1)*cellWidth, p.y(1)+float64(2-bin)*cellHeight
	if zero {
		x, y = planeLeft+float64(bin)*cellWidth, p.bottom-float64(bin)*cellHeight
	} else if bin == 0 {
		return
	}
	for _, r := range [][2]float64{{p.bottom, p.bottom - cellHeight}, {p.y(1) + cellHeight, p.top}} {
		p.line(classGrid, x, r[0], x, r[1], false)
	}
	for _, r := range [][2]float64{{planeLeft, planeLeft + cellWidth}, {p.x(1), p.right}} {
		p.line(classGrid, r[0], y, r[1], y, false)
	}
}

// counts writes the counts. They are drawn after the borders of the corners.
func (p *planePicture) counts() {
	for i, column := range p.Counts {
		for j, n := range column {
			if n > 0 {
				p.text(fmt.Sprint(classOn, p.heat(n)), dot{p.x(i) + cellWidth/2, p.y(j) + cellHeight/2 + 4}, middle, Brief(n))
			}
		}
	}
}

// span returns the name of the range of a bin.
func (h Plane) span(bin int) string {
	if bin == 0 {
		return "0"
	}
	return fmt.Sprintf("%.3g to %.3g", h.from(bin), h.from(bin+1))
}

// sums writes the sums of columns above them, and those of rows to their right.
func (p *planePicture) sums() {
	for i, n := range p.columns {
		p.text(classTick, dot{p.x(i) + cellWidth/2, p.top - 8}, middle, Brief(n))
	}
	for j, n := range p.rows {
		p.text(classTick, dot{p.right + 8, p.y(j) + cellHeight/2 + 4}, start, Brief(n))
	}
	p.text(classInk, dot{p.right + 8, p.top - 8}, start, Brief(p.total))
}

// labels writes the ticks and the names of the axes and of the corners.
func (p *planePicture) labels() {
	p.text(classTick, dot{p.x(0) + cellWidth/2, p.bottom + 16}, middle, "0")
	p.text(classTick, dot{planeLeft - 8, p.y(0) + cellHeight/2 + 4}, end, "0")
	step := 1 + (p.bins-1)/20
	for bin := 1; bin <= p.bins+1; bin += step {
		label := fmt.Sprintf("%.3g", p.from(bin))
		if bin == 1 {
			label = ">0"
		}
		p.text(classTick, dot{p.x(bin), p.bottom + 16}, middle, label)
		p.text(classTick, dot{planeLeft - 8, p.y(1) + float64(2-bin)*cellHeight + 4}, end, label)
	}
	p.text(classInk, dot{(planeLeft + p.right) / 2, p.bottom + 60}, middle, p.X.Label)
	p.upwards(classInk, dot{margin + 12, (p.top + p.bottom) / 2}, p.Y.Label)
	p.text(className, dot{planeLeft, p.top - 28}, start, p.Corners[0])
	p.text(className, dot{p.right, p.top - 28}, end, p.Corners[1])
	p.text(className, dot{planeLeft, p.bottom + 36}, start, p.Corners[2])
	p.text(className, dot{p.right, p.bottom + 36}, end, p.Corners[3])
}

// marks draws the borders of the corners.
func (p *planePicture) marks() {
	for _, v := range p.XMarks {
		x := p.x(1) + v*float64(p.bins)*cellWidth
		p.line(classMark, x, p.top, x, p.bottom, false)
	}
	for _, v := range p.YMarks {
		y := p.y(1) + cellHeight - v*float64(p.bins)*cellHeight
		p.line(classMark, planeLeft, y, p.right, y, false)
	}
}

// legend explains the colours.
func (p *planePicture) legend() {
	y := p.bottom + 86
	for i := range ramp {
		p.rect(fmt.Sprint(classHeat, i), planeLeft+float64(i)*rampWidth/float64(len(ramp)), y, rampWidth/float64(len(ramp)), 14, "")
	}
	top := math.Log1p(float64(max(p.most, 1)))
	for n := uint64(1); n <= p.most; n *= 10 {
		p.text(classTick, dot{planeLeft + math.Log1p(float64(n))/top*rampWidth, y + 28}, middle, Brief(n))
		if n > math.MaxUint64/10 {
			break
		}
	}
	p.text(classTick, dot{planeLeft + rampWidth + 12, y + 12}, start, "pairs (log scale)")
}

// Table lists the cells with a count above 0.
func (h Plane) Table() Table {
	t := Table{Caption: h.Title, Columns: []string{h.X.Label, h.Y.Label, "pairs"}}
	for i, column := range h.Counts {
		for j, n := range column {
			if n > 0 {
				t.Rows = append(t.Rows, []any{h.span(i), h.span(j), int64(min(n, math.MaxInt64))})
			}
		}
	}
	return t
}

// Brief formats a count with at most five characters: 999, 1.2k, 35k, 6.7M.
func Brief(n uint64) string {
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
