package chart

import "html/template"

// Picture returns the picture of a figure for a page that has the style sheet [Sheet] and whose policy forbids others.
func Picture(f Figure) (template.HTML, error) {
	svg, err := f.SVG()
	if err != nil {
		return "", err
	}
	return template.HTML(inline.ReplaceAll(svg, nil)), nil //nolint:gosec // SVG escapes all text
}

// titled returns the room for a title, or a small margin in a figure that draws none.
func (f Frame) titled(room float64) float64 {
	if f.Bare {
		return 6
	}
	return room
}

// title draws the title of a figure unless the figure is bare.
func (c *canvas) title(f Frame, width float64) {
	if !f.Bare {
		c.text(classTitle, dot{margin, 27}, start, fitted(f.Title, 1.05*titleSize, width-2*margin))
	}
}
