package chart

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// colour is the number of a colour in the theme. It is drawn as one that means nothing, and finish puts a class in its
// place: the style sheet then decides, by whether the reader's screen is light or dark.
type colour uint8

const (
	paper colour = iota
	ink
	muted
	faint
	series // the first of the lines
	soft   = series + colour(palette)
)

// RGBA makes a colour one of image/color.
func (c colour) RGBA() (r, g, b, a uint32) {
	return color.NRGBA{R: 0xfa, G: uint8(c), B: 0xce, A: 0xff}.RGBA()
}

// theme is the colours on light and on dark paper: those of Okabe and Ito, which the colour-blind can tell apart, the
// yellow ones darker on light paper, the blue one lighter on dark.
var theme = []struct{ light, dark string }{
	paper: {"#ffffff", "#16181d"}, ink: {"#1c1f24", "#e8eaed"}, muted: {"#5b616b", "#a9afb9"}, faint: {"#e3e5e9", "#30343c"},
	series: {"#0072b2", "#56b4e9"}, {"#c44e00", "#ff9d5c"}, {"#00805c", "#3ed6a4"}, {"#a8477f", "#eba3cb"},
	{"#8a6d00", "#f0d25a"}, {"#4b5563", "#c3c9d3"},
}

// palette is the number of series that have a colour of their own; then they come again.
const palette = 6

func lineColour(i int) colour { return series + colour(i%palette) }
func softColour(i int) colour { return soft + colour(i%palette) }

func stroke(i int) draw.LineStyle { return draw.LineStyle{Color: lineColour(i), Width: 1.6} }

// glyph is the mark of a series: shape tells them apart too.
func glyph(i int) draw.GlyphDrawer {
	shapes := []draw.GlyphDrawer{
		draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{},
	}
	return shapes[i%len(shapes)]
}

var (
	styled  = regexp.MustCompile(`\s*style="([^"]*)"`)
	drawn   = regexp.MustCompile(`^(fill|stroke):#FA([0-9A-F]{2})CE$`)
	heading = regexp.MustCompile(`(?s)^.*?<svg[^>]*>\s*`)
)

// finish makes the SVG accessible and themed: a head of our own, classes for colours.
func finish(c *vgsvg.Canvas, f Frame) ([]byte, error) {
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	body := heading.ReplaceAll(b.Bytes(), nil)
	body = styled.ReplaceAllFunc(body, func(s []byte) []byte {
		return []byte(classes(string(styled.FindSubmatch(s)[1])))
	})
	w, h := f.size()
	// One page may hold several figures, so the ids are their own.
	id := fmt.Sprintf("chart-%08x", uint32(xxh3.HashString(f.Title+"\x00"+f.Description)^xxh3.Hash(body)))
	var out bytes.Buffer
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 %g %g" width="%.0f" height="%.0f" role="img" aria-labelledby="%s-title %s-desc">`+"\n", w, h, w*4/3, h*4/3, id, id)
	fmt.Fprintf(&out, `<title id="%s-title">%s</title>`+"\n"+`<desc id="%s-desc">%s</desc>`+"\n", id, html.EscapeString(clean(f.Title)), id, html.EscapeString(clean(f.Description)))
	fmt.Fprintf(&out, "<style>%s</style>\n", sheet(body))
	out.Write(body)
	return out.Bytes(), nil
}

// classes turns the declarations of a style into a class for each colour and a style with the rest. Fonts are left to the
// sheet.
func classes(declarations string) string {
	var class, rest []string
	for d := range strings.SplitSeq(declarations, ";") {
		switch m := drawn.FindStringSubmatch(d); {
		case m != nil:
			class = append(class, m[1][:1]+strings.ToLower(m[2]))
		case strings.HasPrefix(d, "font-") && !strings.HasPrefix(d, "font-size"):
		default:
			rest = append(rest, d)
		}
	}
	var out string
	if len(class) > 0 {
		out += fmt.Sprintf(` class="%s"`, strings.Join(class, " "))
	}
	if len(rest) > 0 {
		out += fmt.Sprintf(` style="%s"`, strings.Join(rest, ";"))
	}
	return out
}

var used = regexp.MustCompile(`class="([fs])([0-9a-f]{2})"`)

// sheet is the style sheet for the classes in a body; its rules hold inside figures alone.
func sheet(body []byte) string {
	var light, dark strings.Builder
	seen := map[string]bool{}
	for _, m := range used.FindAllStringSubmatch(string(body), -1) {
		n, err := strconv.ParseUint(m[2], 16, 8)
		if err != nil || seen[m[1]+m[2]] || n >= uint64(soft+palette) {
			continue
		}
		seen[m[1]+m[2]] = true
		property, c := map[string]string{"f": "fill", "s": "stroke"}[m[1]], colour(n)
		if c >= soft {
			property, c = "fill-opacity:.22;"+property, c-palette
		}
		fmt.Fprintf(&light, ".chart .%s%s{%s:%s}", m[1], m[2], property, theme[c].light)
		fmt.Fprintf(&dark, ".chart .%s%s{%s:%s}", m[1], m[2], property, theme[c].dark)
	}
	return `.chart{max-width:100%;height:auto}.chart text{font-family:"Liberation Sans",Arial,Helvetica,sans-serif}` +
		light.String() + "@media(prefers-color-scheme:dark){" + dark.String() + "}"
}
