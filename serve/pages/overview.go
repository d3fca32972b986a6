package pages

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// overview is a picture of topics: partial "overview".
type overview struct {
	Name  string
	Areas []areaBox
	More  []Link // topics that are not in the picture
	Rest  string
}

// areaBox is a topic in the picture, or a part of one.
type areaBox struct {
	Link
	Place    template.CSS // position and size, in percent of what contains the box
	Colour   int          // 0 for one site to 4 for many
	Number   int
	Also     string
	Mostly   string
	Examples []areaExample
	Parts    []areaBox
}

type areaExample struct {
	Link
	Site string // "" if the name says it
}

// partsHigh is the share of the height of a topic that its parts take.
const partsHigh = 0.56

// picture is the width of the picture beside its height.
const picture = 1400.0 / 760

// Where the picture is widePicture pixels wide, a topic that is narrower or lower than partsFrom shows no parts, one that is
// lower than examplesFrom no examples, and one with parts neither unless it is higher than bothFrom. A part has room for its name.
const (
	widePicture  = 1200
	partsFrom    = 100
	partWide     = 44
	partHigh     = 26
	examplesFrom = 84
	bothFrom     = 216
)

// overviewOf draws an answer.
func overviewOf(q *Question, name string, a *ask.OverviewAnswer) *overview {
	o := &overview{Name: name}
	boxes := squarified(sizes(a.Items, 0), picture)
	for i := range a.Items {
		at, box := &a.Items[i], boxes[i]
		area := q.area(at, box)
		area.Parts = q.parts(at, box)
		if high := box.high(); high >= bothFrom || high >= examplesFrom && area.Parts == nil {
			for _, e := range at.Examples {
				area.Examples = append(area.Examples, q.example(e))
			}
		}
		if at.SiteShare >= 0.5 && at.SiteShare < 1 {
			area.Mostly = fmt.Sprintf("%s %% from %s", percent(math.Floor(100*at.SiteShare)/100), at.Site)
		}
		o.Areas = append(o.Areas, area)
	}
	for _, m := range a.More {
		o.More = append(o.More, Link{m.Title, q.Cluster(config.Topical, m.ID)})
	}
	if n := a.Total - len(a.Items) - len(a.More); n > 0 {
		o.Rest = counted(n, "topic", "topics")
	}
	return o
}

func (q *Question) example(e runs.Ref) areaExample {
	out := areaExample{Link{cmp.Or(e.Name, short(e.URL)), q.Page(e.URL)}, urls.Host(e.URL)}
	if strings.EqualFold(out.Text, out.Site) {
		out.Site = ""
	}
	return out
}

// parts returns the parts of a topic that have room for their names in its box, with the rest, or none.
func (q *Question) parts(of *ask.Area, at rect) (out []areaBox) {
	if at.wide() < partsFrom || at.high() < partsFrom {
		return nil
	}
	for n := len(of.Parts); n > 0; n-- {
		rest := of.Documents
		for _, p := range of.Parts[:n] {
			rest -= p.Documents
		}
		inner := squarified(sizes(of.Parts[:n], rest), picture*at.w/(at.h*partsHigh))
		if slices.ContainsFunc(inner, func(b rect) bool { return b.wide()*at.w < partWide || b.high()*at.h*partsHigh < partHigh }) {
			continue
		}
		for i := range of.Parts[:n] {
			out = append(out, q.area(&of.Parts[i], inner[i]))
		}
		if rest > 0 {
			more := Link{fmt.Sprintf("%d more", of.MoreParts+len(of.Parts)-n), q.Cluster(config.Topical, of.ID)}
			out = append(out, areaBox{Link: more, Place: inner[n].css(), Colour: 2, Number: rest})
		}
		return out
	}
	return nil
}

func (q *Question) area(a *ask.Area, at rect) areaBox {
	colour := 0
	for _, least := range [...]float64{3, 10, 40, 150} {
		if a.Sites >= least {
			colour++
		}
	}
	return areaBox{Link: Link{a.Title, q.Cluster(config.Topical, a.ID)}, Place: at.css(), Colour: colour, Number: a.Documents, Also: a.Also}
}

// sizes returns the areas of topics, and of the rest if there is any. Large topics get a little less than their share, so that
// small ones can be read.
func sizes(of []ask.Area, rest int) (out []float64) {
	size := func(n int) float64 { return math.Pow(float64(n), 0.86) }
	for _, a := range of {
		out = append(out, size(a.Documents))
	}
	if rest > 0 && len(of) > 0 {
		out = append(out, size(rest))
	}
	return out
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
