package pages

import (
	"math"
	"strings"
)

// treemap is a picture of the largest clusters: an area for each, in proportion to its size.
type treemap struct {
	Width, Height float64
	Tiles         []tile
}

// tile is an area of a treemap with the lines of its text.
type tile struct {
	X, Y, Width, Height float64
	Shade               int // 1 to shades, the more members the darker
	Name, To            string
	Size                int
	Lines               []string
	Font                float64
	TextX, TextY        float64
}

// shades is the number of the shades of tiles.
const shades = 4

// mapOf returns the treemap of some clusters, the largest first, and the table with the same content.
func mapOf(q *Question, topics []topic) (*treemap, Table) {
	t := Table{Caption: "The largest topical clusters", Columns: []string{"What it is about", "Documents"}}
	var sizes []float64
	for _, c := range topics {
		// Areas are in proportion to the root of the size, or a few large clusters would leave no room for the others.
		sizes = append(sizes, math.Sqrt(float64(c.size)))
		t.Rows = append(t.Rows, []any{Link{strings.Join(c.label, ", "), q.Cluster("topical", c.id)}, c.size})
	}
	m := &treemap{Width: 720, Height: 560}
	for i, r := range squarify(sizes, rect{0, 0, m.Width, m.Height}) {
		c := topics[i]
		m.Tiles = append(m.Tiles, newTile(r, c, q.Cluster("topical", c.id), 1+min(shades-1, i*shades/len(topics))))
	}
	return m, t
}

const (
	gap     = 2.0 // between tiles
	padding = 8.0 // around the text of a tile
)

func newTile(r rect, c topic, to string, shade int) tile {
	t := tile{X: r.x + gap/2, Y: r.y + gap/2, Width: max(0, r.w-gap), Height: max(0, r.h-gap), Shade: shade, Name: strings.Join(c.label, ", "), To: to, Size: c.size}
	t.Font = min(17, max(11, math.Sqrt(t.Width*t.Height)/9))
	t.TextX, t.TextY = t.X+padding, t.Y+padding+t.Font*0.85
	room := int((t.Height - 2*padding + t.Font*0.2) / (t.Font * 1.2))
	t.Lines = wrapped(c.label, int((t.Width-2*padding)/(t.Font*0.54)), room)
	return t
}

// wrapped breaks phrases into at most n lines of at most width characters. A word that does not fit into a line ends
// the text.
func wrapped(phrases []string, width, n int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(strings.Join(phrases, ", ")) {
		switch {
		case len([]rune(word)) > width:
			word = ""
		case line == "":
			line = word
			continue
		case len([]rune(line))+1+len([]rune(word)) <= width:
			line += " " + word
			continue
		}
		if lines = append(lines, line); len(lines) >= n || word == "" {
			line = ""
			break
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	lines = lines[:min(len(lines), max(n, 0))]
	if len(lines) > 0 {
		lines[len(lines)-1] = strings.TrimSuffix(lines[len(lines)-1], ",")
	}
	return lines
}

// rect is a rectangle.
type rect struct{ x, y, w, h float64 }

// squarify divides a rectangle among sizes, which descend, into rectangles that are nearly squares (Bruls, Huizing, van
// Wijk: Squarified Treemaps, 2000).
func squarify(sizes []float64, in rect) []rect {
	total := 0.0
	for _, s := range sizes {
		total += s
	}
	var out []rect
	scale := in.w * in.h / total
	for len(sizes) > 0 {
		side := min(in.w, in.h)
		n, sum := 1, sizes[0]*scale
		for n < len(sizes) && worst(sizes[0]*scale, sizes[n]*scale, sum+sizes[n]*scale, side) <= worst(sizes[0]*scale, sizes[n-1]*scale, sum, side) {
			sum += sizes[n] * scale
			n++
		}
		out = append(out, strip(sizes[:n], scale, sum, &in)...)
		sizes = sizes[n:]
	}
	return out
}

// worst returns the greatest ratio of the sides of the rectangles of a strip, given its largest and smallest areas, the
// sum of all, and the length of the strip.
func worst(largest, smallest, sum, side float64) float64 {
	return max(side*side*largest/(sum*sum), sum*sum/(side*side*smallest))
}

// strip cuts a strip off a rectangle along its shorter side and divides it.
func strip(sizes []float64, scale, sum float64, in *rect) (out []rect) {
	if in.w >= in.h {
		w, y := sum/in.h, in.y
		for _, s := range sizes {
			out = append(out, rect{in.x, y, w, s * scale / w})
			y += s * scale / w
		}
		in.x, in.w = in.x+w, in.w-w
		return out
	}
	h, x := sum/in.w, in.x
	for _, s := range sizes {
		out = append(out, rect{x, in.y, s * scale / h, h})
		x += s * scale / h
	}
	in.y, in.h = in.y+h, in.h-h
	return out
}
