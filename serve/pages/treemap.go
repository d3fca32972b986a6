package pages

import (
	"math"
	"strings"
	"unicode/utf8"
)

// treemap is a picture of some clusters: an area for each.
type treemap struct {
	Name          string // class
	Width, Height float64
	Tiles         []tile
}

// tile is an area of a treemap with the lines of its text.
type tile struct {
	X, Y, Width, Height float64
	Shade               int // 1 to shades, the largest clusters first
	Name, To            string
	Size                int
	Lines               []string
	Font, TextX, TextY  float64
}

// shades is the number of the shades of tiles.
const shades = 4

// mapOf returns the treemap of some clusters, the largest first.
func mapOf(q *Question, topics []topic, name string, width, height float64) treemap {
	var sizes []float64
	for _, c := range topics {
		// Areas are in proportion to the root of the size, or a few large clusters would leave no room for the others.
		sizes = append(sizes, math.Sqrt(float64(c.size)))
	}
	m := treemap{Name: name, Width: width, Height: height}
	for i, r := range squarify(sizes, rect{0, 0, width, height}) {
		c := topics[i]
		m.Tiles = append(m.Tiles, newTile(r, c, q.Cluster("topical", c.id), 1+i*shades/len(topics)))
	}
	return m
}

const (
	gap       = 2.0 // between tiles
	padding   = 8.0 // around the text of a tile
	mostLines = 4   // of text
)

func newTile(r rect, c topic, to string, shade int) tile {
	t := tile{X: tenth(r.x + gap/2), Y: tenth(r.y + gap/2), Width: tenth(max(0, r.w-gap)), Height: tenth(max(0, r.h-gap)), Shade: shade, Name: phrases(c.label), To: to, Size: c.size}
	t.Font = tenth(min(18, max(11, math.Sqrt(t.Width*t.Height)/9)))
	t.TextX, t.TextY = tenth(t.X+padding), tenth(t.Y+padding+t.Font*0.85)
	lines := int((t.Height - 2*padding + t.Font*0.2) / (t.Font * 1.2))
	t.Lines = wrapped(c.label, int((t.Width-2*padding)/(t.Font*0.54)), min(lines, mostLines))
	return t
}

// tenth rounds a length to tenths.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

// wrapped breaks phrases of a label into at most n lines of at most width characters. It leaves out phrases
// that do not fit as a whole, and cuts the first one if none fits.
func wrapped(label []string, width, n int) (lines []string) {
	for _, phrase := range label {
		broken, ok := broken(phrase, width)
		if !ok || len(lines)+len(broken) > n {
			continue
		}
		lines = append(lines, broken...)
	}
	const least = 4 // characters that mean something
	if len(lines) == 0 && len(label) > 0 && n > 0 && width >= least {
		lines = append(lines, string([]rune(label[0])[:width-1])+"…")
	}
	return lines
}

// broken breaks a phrase into lines, between words and after the slashes and hyphens of long words. The second result is
// false if a piece of a word is too long.
func broken(phrase string, width int) (lines []string, ok bool) {
	line := ""
	for _, word := range strings.Fields(phrase) {
		between := " "
		for _, piece := range pieces(word, width) {
			switch n := utf8.RuneCountInString(piece); {
			case n > width:
				return nil, false
			case line == "":
				line = piece
			case utf8.RuneCountInString(line)+len(between)+n <= width:
				line += between + piece
			default:
				lines, line = append(lines, line), piece
			}
			between = ""
		}
	}
	return append(lines, line), true
}

// pieces returns a word, cut after slashes and hyphens if it is longer than width.
func pieces(word string, width int) (out []string) {
	for utf8.RuneCountInString(word) > width {
		i := strings.IndexAny(word, "/-")
		if i < 0 {
			break
		}
		out, word = append(out, word[:i+1]), word[i+1:]
	}
	return append(out, word)
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
