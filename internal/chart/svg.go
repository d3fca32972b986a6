package chart

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/zeebo/xxh3"
)

// canvas collects the elements of a figure. Lengths are pixels, y grows downwards.
type canvas struct {
	body strings.Builder
	used map[string]bool // classes
}

// at writes a coordinate in hundredths of a pixel.
func at(v float64) string {
	v = math.Round(v*100) / 100
	if v == 0 {
		v = 0 // no -0
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}

// element writes an element of a class. attributes must be trusted; hover, the text that the pointer shows, need not
// be.
func (c *canvas) element(name, class, attributes, hover string) {
	if c.used == nil {
		c.used = map[string]bool{}
	}
	c.used[class] = true
	fmt.Fprintf(&c.body, `<%s class="%s" %s`, name, class, attributes)
	if hover == "" {
		c.body.WriteString("/>\n")
		return
	}
	fmt.Fprintf(&c.body, "><title>%s</title></%s>\n", escape(hover), name)
}

func (c *canvas) rect(class string, x, y, width, height float64, hover string) {
	c.element("rect", class, fmt.Sprintf(`x="%s" y="%s" width="%s" height="%s"`, at(x), at(y), at(width), at(height)), hover)
}

func (c *canvas) line(class string, x1, y1, x2, y2 float64, dashed bool) {
	more := ""
	if dashed {
		more = ` stroke-dasharray="6 4"`
	}
	c.element("line", class, fmt.Sprintf(`x1="%s" y1="%s" x2="%s" y2="%s"%s`, at(x1), at(y1), at(x2), at(y2), more), "")
}

// dot is a point on the canvas.
type dot struct{ x, y float64 }

// polyline joins points.
func (c *canvas) polyline(class string, points []dot) {
	c.element("polyline", class, `points="`+joined(points)+`"`, "")
}

// polygon fills the area inside points.
func (c *canvas) polygon(class string, points []dot) {
	c.element("polygon", class, `points="`+joined(points)+`"`, "")
}

func joined(points []dot) string {
	var b strings.Builder
	for i, p := range points {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(at(p.x) + "," + at(p.y))
	}
	return b.String()
}

func (c *canvas) circle(class string, p dot, radius float64, hover string) {
	c.element("circle", class, fmt.Sprintf(`cx="%s" cy="%s" r="%s"`, at(p.x), at(p.y), at(radius)), hover)
}

// glyph draws the mark of series i. Series differ in shape as well as in colour.
func (c *canvas) glyph(i int, p dot) {
	class := of(classDot, i)
	const r = 4
	switch i % 4 {
	case 0:
		c.circle(class, p, r, "")
	case 1:
		c.rect(class, p.x-r+.5, p.y-r+.5, 2*r-1, 2*r-1, "")
	case 2:
		c.polygon(class, []dot{{p.x, p.y - r - 1}, {p.x + r + .5, p.y + r - .5}, {p.x - r - .5, p.y + r - .5}})
	default:
		c.polygon(class, []dot{{p.x, p.y - r - 1}, {p.x + r + 1, p.y}, {p.x, p.y + r + 1}, {p.x - r - 1, p.y}})
	}
}

// anchor is the part of a text that is at the given point.
type anchor string

const (
	start  anchor = "start"
	middle anchor = "middle"
	end    anchor = "end"
)

func (c *canvas) text(class string, p dot, where anchor, s string) {
	c.label(class, p, where, "", s)
}

// upwards writes a text from bottom to top.
func (c *canvas) upwards(class string, p dot, s string) {
	c.label(class, p, middle, fmt.Sprintf(` transform="rotate(-90 %s %s)"`, at(p.x), at(p.y)), s)
}

func (c *canvas) label(class string, p dot, where anchor, more, s string) {
	if s == "" {
		return
	}
	if c.used == nil {
		c.used = map[string]bool{}
	}
	c.used[class] = true
	fmt.Fprintf(&c.body, `<text class="%s" x="%s" y="%s" text-anchor="%s"%s>%s</text>`+"\n", class, at(p.x), at(p.y), where, more, escape(s))
}

// svg returns the figure: a name for screen readers, a style sheet, a background, and the elements.
func (c *canvas) svg(f Lines, width, height float64) []byte {
	elements := c.body.String()
	// A page may hold several figures, so every figure has unique ids.
	id := fmt.Sprintf("chart-%08x", uint32(xxh3.HashString(f.Title+"\x00"+f.Description)^xxh3.HashString(elements)))
	c.body.Reset()
	c.rect(classPaper, 0, 0, width, height, "")
	paper := c.body.String()
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-labelledby="%[3]s-title %[3]s-desc">
<title id="%[3]s-title">%[4]s</title>
<desc id="%[3]s-desc">%[5]s</desc>
<style>%[6]s</style>
%[7]s%[8]s</svg>
`, at(width), at(height), id, escape(f.Title), escape(f.Description), sheet(c.used), paper, elements)
}

// escape escapes text for XML.
func escape(s string) string { return html.EscapeString(clean(s)) }

// clean replaces what XML does not allow and what breaks a line.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || r == 0xfffe || r == 0xffff {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, " "))
}

// widths are the widths of the printable ASCII characters in Helvetica, in thousandths of the font size.
var widths = [...]uint16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556,
	556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556,
	556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// wide estimates the width of a text at a font size. The reader's font may be another one.
func wide(s string, size float64) float64 {
	sum := 0.0
	for _, r := range s {
		switch {
		case r >= ' ' && r <= '~':
			sum += float64(widths[r-' '])
		case r >= 0x1100: // Chinese, Japanese, Korean
			sum += 1000
		default:
			sum += 600
		}
	}
	return sum / 1000 * size
}

// fitted shortens a text so that it fits into a width.
func fitted(s string, size, room float64) string {
	s = clean(s)
	if wide(s, size) <= room {
		return s
	}
	runes := []rune(s)
	for len(runes) > 0 && wide(string(runes)+"…", size) > room {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
