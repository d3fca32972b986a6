package chart

import "fmt"

// Histogram shows counts in bins. Several series are drawn over one another.
type Histogram struct {
	Frame            // if Y.Log is set, the axis of counts is logarithmic and bins without counts are not drawn
	Edges  []float64 // edges of the bins, ascending, one more than there are bins
	Series []Counts
}

// Counts holds the counts of one series, one for each bin. They need not be whole numbers.
type Counts struct {
	Name  string
	Count []float64
}

func (h Histogram) check() error {
	if len(h.Edges) < 2 || len(h.Series) == 0 {
		return fmt.Errorf("chart: %q: %w", h.Title, errEmpty)
	}
	if err := finite("edges", h.X.Log, h.Edges...); err != nil {
		return err
	}
	for i := range len(h.Edges) - 1 {
		if h.Edges[i+1] <= h.Edges[i] {
			return fmt.Errorf("chart: bin %d goes from %v to %v", i, h.Edges[i], h.Edges[i+1])
		}
	}
	var top float64
	for _, s := range h.Series {
		if len(s.Count) != len(h.Edges)-1 {
			return fmt.Errorf("chart: series %q has %d counts for %d bins", s.Name, len(s.Count), len(h.Edges)-1)
		}
		if err := finite(s.Name, false, s.Count...); err != nil {
			return err
		}
		for _, c := range s.Count {
			if c < 0 {
				return fmt.Errorf("chart: series %q counts %v", s.Name, c)
			}
			top = max(top, c)
		}
	}
	if top == 0 {
		return fmt.Errorf("chart: %q: %w", h.Title, errEmpty)
	}
	return nil
}

// SVG draws the figure.
func (h Histogram) SVG() ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if h.Y.Min == 0 && h.Y.Max == 0 {
		h.Y.Min, h.Y.Max = h.span()
	}
	var x span
	x.add(h.Edges...)
	var legend []entry
	for i, s := range h.Series {
		legend = append(legend, entry{s.Name, func(p *plot, left dot) { p.box(i, left) }})
	}
	p := newPlot(h.Frame, x.scale(h.X, false), span{h.Y.Min, h.Y.Max, true}.scale(h.Y, !h.Y.Log), legend, nil)
	for i, s := range h.Series {
		p.steps(i, h, s)
	}
	for i := range len(h.Edges) - 1 {
		left, right := p.x.at(h.Edges[i]), p.x.at(h.Edges[i+1])
		p.rect(classHit, left, p.y.to, right-left, p.y.from-p.y.to, h.binText(i))
	}
	return p.done(), nil
}

// binText returns the counts of all series in a bin.
func (h Histogram) binText(i int) string {
	text := fmt.Sprintf("%s to %s", number(h.Edges[i]), number(h.Edges[i+1]))
	for _, s := range h.Series {
		text += fmt.Sprintf("; %s %s", s.Name, number(s.Count[i]))
	}
	return text
}

// span returns the range of the axis of counts: from 0, or from below the smallest count if the axis is logarithmic.
func (h Histogram) span() (low, high float64) {
	low = 0
	for _, s := range h.Series {
		for _, c := range s.Count {
			if high = max(high, c); c > 0 && (low == 0 || c < low) {
				low = c
			}
		}
	}
	if !h.Y.Log {
		return 0, high * 1.03
	}
	return min(low, high/10) / 2, high * 1.5
}

// steps draws the area under the bins with a count, adjacent bins as one area, and its outline.
func (p *plot) steps(i int, h Histogram, s Counts) {
	var edge []dot
	end := func() {
		if len(edge) > 0 {
			area := append([]dot{{edge[0].x, p.y.from}}, edge...)
			area = append(area, dot{edge[len(edge)-1].x, p.y.from})
			p.polygon(of(classArea, i), area)
			p.polyline(of(classLine, i), area, false)
		}
		edge = nil
	}
	for bin, c := range s.Count {
		if c <= h.Y.Min {
			end()
			continue
		}
		edge = append(edge, p.place(h.Edges[bin], c), p.place(h.Edges[bin+1], c))
	}
	end()
}

// Table lists the bins.
func (h Histogram) Table() Table {
	t := Table{Caption: h.Title, Columns: []string{h.X.Label + ", from", "to"}}
	for _, s := range h.Series {
		t.Columns = append(t.Columns, s.Name)
	}
	for i := range max(0, len(h.Edges)-1) {
		row := []any{h.Edges[i], h.Edges[i+1]}
		for _, s := range h.Series {
			row = append(row, s.Count[i])
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
