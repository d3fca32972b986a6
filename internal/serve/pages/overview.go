package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
)

// overview is a picture of topics: partial "overview".
type overview struct {
	Name        string
	Least, Most string // what the colours mean
	Colours     []pageLink
	Areas       []areaBox
	More        []Link // topics that are not in the picture
	Rest        string
}

// areaBox is a topic in the picture, or a part of one.
type areaBox struct {
	Link
	Place    template.CSS // position and size, in percent of what contains the box
	Colour   int          // 0 to 4
	Number   int
	Word     int // longestWord of the name
	Also     string
	Mostly   string
	Examples []areaExample
	Parts    []areaBox
}

type areaExample struct {
	Link
	Site string // "" if the name says it or there is no room
}

// partsHigh is the share of the height of a topic that its parts take.
const partsHigh = 0.56

// picture is the width of the picture beside its height, and widePicture its width in pixels for which texts are chosen.
const (
	picture     = 1400.0 / 760
	widePicture = 1170
)

// Sizes of text in pixels: of parts, of notes and examples, the heights of their lines, and the margins of a topic.
const (
	partFont, noteFont, noteHigh, exampleHigh, margins = 11.5, 12, 17, 24, 20

	bold = 1.1 // how much wider a bold font is
)

// overviewOf draws an answer.
func overviewOf(q *Question, name string, a *ask.OverviewAnswer) *overview {
	c := q.colouring()
	o := &overview{Name: name, Least: c.least, Most: c.most}
	for i := range colourings {
		to := q.To(strings.TrimSuffix(q.Of.Path, "{$}"), append(repeated(q.Args, "cursor", "row", "colour"), "colour", colourings[i].name)...)
		if to != "" && colourings[i].offered(q) {
			o.Colours = append(o.Colours, pageLink{Link{colourings[i].text, to}, &colourings[i] == c})
		}
	}
	if len(o.Colours) < 2 {
		o.Colours = nil
	}
	items, boxes := roomy(a.Items, 0, picture, func(name string, b rect) bool { return b.nameHigh(name) < b.high() })
	shown := map[string]bool{}
	for i := range items {
		o.Areas = append(o.Areas, q.filled(&items[i], boxes[i]))
		shown[items[i].ID] = true
	}
	for _, m := range append(slices.Clone(a.Items), a.More...) {
		if !shown[m.ID] {
			o.More = append(o.More, Link{m.Title, q.Cluster(config.Topical, m.ID)})
		}
	}
	if n := a.Total - len(a.Items) - len(a.More); n > 0 {
		o.Rest = counted(n, "topic", "topics")
	}
	return o
}

// roomy divides a rectangle among topics and the rest of some documents, without those whose names do not fit.
func roomy(items []ask.Area, documents int, aspect float64, fits func(name string, b rect) bool) ([]ask.Area, []rect) {
	for {
		boxes := squarified(sizes(items, documents), aspect)
		i := len(boxes) - 1
		for ; i >= 0; i-- {
			name := "99 more " + count(documents)
			if i < len(items) {
				name = items[i].Title + " " + count(items[i].Documents)
			}
			if !fits(name, boxes[i]) {
				break
			}
		}
		if i < 0 || len(items) == 0 {
			return items, boxes
		}
		i = min(i, len(items)-1)
		items = slices.Delete(slices.Clone(items), i, i+1)
	}
}

// filled returns the box of a topic with as much about it as it has room for.
func (q *Question) filled(a *ask.Area, at rect) areaBox {
	area, wide := q.area(a, at), at.wide()-margins
	area.Parts = q.parts(a, at)
	left := at.high() - at.nameHigh(a.Title+" "+count(a.Documents))
	if area.Parts != nil {
		left -= at.high() * partsHigh
	}
	for _, phrase := range strings.Split(a.Also, ", ") {
		if also := strings.TrimPrefix(area.Also+", "+phrase, ", "); left > noteHigh && lines(also, wide, noteFont) == 1 {
			area.Also = also
		}
	}
	if area.Also != "" {
		left -= noteHigh
	}
	if of := mostly(a); of != "" && left > noteHigh && lines(of, wide, noteFont) == 1 {
		area.Mostly, left = of, left-noteHigh
	}
	for _, e := range a.Examples {
		name, site := cmp.Or(e.Name, short(e.URL)), urls.Host(e.URL)
		if strings.EqualFold(name, site) || lines(name+"  "+site, wide, noteFont) > 1 {
			site = ""
		}
		if left -= exampleHigh; left > 0 && lines(name, 1.5*wide, noteFont) == 1 {
			area.Examples = append(area.Examples, areaExample{Link{name, q.Page(e.URL)}, site})
		}
	}
	return area
}

// mostly says which site has half of the documents of a topic or more, but not all, or returns "".
func mostly(a *ask.Area) string {
	if a.SiteShare < 0.5 || a.SiteShare == 1 {
		return ""
	}
	return fmt.Sprintf("%s %% from %s", percent(math.Floor(100*a.SiteShare)/100), a.Site)
}

// lines returns the number of lines of a text in a font of some size, infinity if a word is longer than a line.
func lines(text string, wide, font float64) float64 {
	const letter = 0.6 // width of the mean letter of a wide font
	n, at := 1.0, 0.0
	for _, word := range wordsOf(text) {
		w := font * letter * float64(utf8.RuneCountInString(word))
		if at > 0 && at+w > wide {
			n, at = n+1, 0
		}
		at += w + font*letter
		if w > wide {
			return math.Inf(1)
		}
	}
	return n
}

// wordsOf returns what a line of a name can hold the whole of.
func wordsOf(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == ' ' || r == '/' || r == '-' })
}

// longestWord returns the number of letters of the longest word of a name in steps, for which the style sheet chooses a font.
func longestWord(name string) (letters int) {
	for _, word := range wordsOf(name) {
		letters = max(letters, utf8.RuneCountInString(word))
	}
	return min(max(8, (letters+3)/4*4), 24)
}

// nameHigh returns the height of a name in a box with the margins, in the font that the style sheet chooses.
func (b rect) nameHigh(name string) float64 {
	wide := b.wide() - margins
	font := max(12, min(0.085*min(b.wide(), b.high()), wide/(0.66*float64(longestWord(name))), 28))
	return margins + lines(name, wide, font*bold)*font*1.15
}

// parts returns the parts of a topic that have room for their names in its box, with the rest, or none.
func (q *Question) parts(of *ask.Area, at rect) (out []areaBox) {
	high := at.high() * partsHigh
	aspect, fits := picture*at.w/(at.h*partsHigh), func(name string, b rect) bool {
		return lines(name, b.w*at.wide()-14, partFont)*partFont*1.25+10 < b.h*high
	}
	parts, boxes := roomy(of.Parts, of.Documents, aspect, fits)
	if len(parts) == 0 { // a small rest is left out rather than all
		if parts, boxes = roomy(of.Parts, 0, aspect, fits); 2*documentsOf(parts) < of.Documents {
			return nil
		}
	}
	rest := of.Documents
	for i := range parts {
		out = append(out, q.area(&parts[i], boxes[i]))
		rest -= parts[i].Documents
	}
	if out != nil && len(boxes) > len(parts) {
		more := Link{fmt.Sprintf("%d more", of.MoreParts+len(of.Parts)-len(parts)), q.Cluster(config.Topical, of.ID)}
		out = append(out, areaBox{Link: more, Place: boxes[len(parts)].css(), Colour: 2, Number: rest})
	}
	return out
}

func (q *Question) area(a *ask.Area, at rect) areaBox {
	return areaBox{Link: Link{a.Title, q.Cluster(config.Topical, a.ID)}, Place: at.css(), Colour: q.colour(a), Number: a.Documents,
		Word: longestWord(a.Title)}
}

// colouring is what the colours of a picture show: a share of the documents of a topic or of some of them.
type colouring struct {
	name, text, least, most string
	offered                 func(q *Question) bool
	counts                  func(q *Question, id uint32) (in, part bool) // nil for the number of sites
}

var colourings = []colouring{
	{"sites", "how many sites", "one site", "many sites", func(*Question) bool { return true }, nil},
	{"crawled", "how much was crawled", "nothing was crawled", "all was", hasUncrawled, func(q *Question, id uint32) (bool, bool) {
		return true, q.Run.Docs.Crawled(id)
	}},
	{"copies", "copies", "no crawled page has a copy", "all have", hasTexts, func(q *Question, id uint32) (bool, bool) {
		_, copied := texts.CopyOf(q.Run.Run, id)
		return q.Run.Docs.Crawled(id), copied
	}},
	{"views", "where the views disagree", "copies are in one topic", "in others", hasTexts, func(q *Question, id uint32) (bool, bool) {
		of, copied := texts.CopyOf(q.Run.Run, id)
		return copied, copied && q.Run.Tree.Leaf(of) != q.Run.Tree.Leaf(id)
	}},
	{"new", "changes since the older crawl", "all was in it", "all is new", func(q *Question) bool { return q.Older != nil }, func(q *Question, id uint32) (bool, bool) {
		_, old := q.Older.Docs.Find(q.Run.Docs.URL(id))
		return true, !old
	}},
}

func hasTexts(q *Question) bool { return q.Run.Need(config.Syntactic) == nil }

func hasUncrawled(q *Question) bool {
	counts := q.Run.Manifest.Counts
	return counts["pages"]-counts["captures_superseded"] < counts["documents"]
}

// colouring returns the colouring that is asked for, if the run has it.
func (q *Question) colouring() *colouring {
	for i := range colourings {
		if c := &colourings[i]; c.name == q.Args.Text("colour") && c.offered(q) {
			return c
		}
	}
	return &colourings[0]
}

// colour returns the number of the colour of a topic.
func (q *Question) colour(a *ask.Area) int {
	c := q.colouring()
	if c.counts == nil {
		few := slices.IndexFunc([]float64{3, 10, 40, 150, math.Inf(1)}, func(sites float64) bool { return a.Sites < sites })
		return max(0, few)
	}
	all, parts := 0, 0
	for _, id := range a.IDs(q.Run.Run) {
		if in, part := c.counts(q, id); in {
			all++
			if part {
				parts++
			}
		}
	}
	return int(math.Ceil(4 * float64(parts) / float64(max(1, all))))
}

// sizes returns the areas of topics, and of the rest of the documents if there are more, as if it had at most half as many as
// these topics. Large topics get a little less than their share, so that small ones can be read.
func sizes(of []ask.Area, documents int) (out []float64) {
	size := func(n int) float64 { return math.Pow(float64(n), 0.86) }
	for _, a := range of {
		out = append(out, size(a.Documents))
	}
	shown := documentsOf(of)
	if rest := documents - shown; rest > 0 && shown > 0 {
		out = append(out, size(min(rest, (shown+1)/2)))
	}
	return out
}

func documentsOf(areas []ask.Area) (n int) {
	for _, a := range areas {
		n += a.Documents
	}
	return n
}

// rect is a rectangle in one of width and height 1.
type rect struct{ x, y, w, h float64 }

// css returns the distances from the edges, from the top clockwise.
func (b rect) css() template.CSS {
	return template.CSS("inset:" + percent(b.y) + "% " + percent(1-b.x-b.w) + "% " + percent(1-b.y-b.h) + "% " + percent(b.x) + "%")
}

// wide and high return the size in pixels where the picture is widePicture wide.
func (b rect) wide() float64 { return b.w * widePicture }
func (b rect) high() float64 { return b.h * widePicture / picture }

// squarified divides a rectangle, whose width is aspect times its height, into boxes with the given areas, in their order, so
// that the boxes are as square as rows and columns of them allow (Bruls, Huizing and van Wijk, "Squarified Treemaps", 2000).
func squarified(areas []float64, aspect float64) []rect {
	out := make([]rect, 0, len(areas))
	free, left := rect{0, 0, aspect, 1}, 0.0
	for _, a := range areas {
		left += a
	}
	for len(areas) > 0 {
		side, scale := min(free.w, free.h), free.w*free.h/left
		n, sum, worst := 0, 0.0, math.Inf(1)
		for _, a := range areas { // the row grows as long as its boxes become squarer
			thick := (sum + a) * scale / side
			long, small := areas[0]*scale/thick, a*scale/thick
			w := max(max(long/thick, thick/long), max(small/thick, thick/small))
			if w > worst {
				break
			}
			n, sum, worst = n+1, sum+a, w
		}
		thick, at := sum*scale/side, 0.0
		for _, a := range areas[:n] {
			length := a * scale / thick
			b := rect{free.x, free.y + at, thick, length}
			if free.w < free.h {
				b = rect{free.x + at, free.y, length, thick}
			}
			out, at = append(out, rect{b.x / aspect, b.y, b.w / aspect, b.h}), at+length
		}
		if free.w < free.h {
			free.y, free.h = free.y+thick, free.h-thick
		} else {
			free.x, free.w = free.x+thick, free.w-thick
		}
		areas, left = areas[n:], left-sum
	}
	return out
}
