package chart

import (
	"fmt"
	"strings"
)

// The classes of the elements. A style sheet in the figure sets their colours for light and for dark screens. A class
// that is written with a number exists once for each colour of the palette.
const (
	classPaper = "paper" // the background
	classGrid  = "grid"  // lines of the grid
	classAxis  = "axis"  // axes and ticks
	classTick  = "tick"  // labels of ticks, and other secondary text
	classInk   = "ink"   // all other text
	classTitle = "title"
	classHit   = "hit" // invisible; shows a number under the pointer

	classLine = "l" // lines of a series
	classDot  = "d" // its dots
)

// colours is a colour on light paper and on dark paper.
type colours struct{ light, dark string }

// palette is the colours of series. They are those of Okabe and Ito, which colour-blind people can distinguish, with
// the yellow ones darker on light paper and the blue one lighter on dark paper. After the last colour, series start
// again with the first.
var palette = []colours{
	{"#0072b2", "#56b4e9"}, {"#c44e00", "#ff9d5c"}, {"#00805c", "#3ed6a4"},
	{"#a8477f", "#eba3cb"}, {"#8a6d00", "#f0d25a"}, {"#4b5563", "#c3c9d3"},
}

// rule is the style of a class; %s stands for its colour.
type rule struct {
	class, look string
	colours
}

// rules are the styles of all classes, in the order of the style sheet.
var rules = func() []rule {
	paper, ink, muted, faint := colours{"#ffffff", "#16181d"}, colours{"#1c1f24", "#e8eaed"}, colours{"#5b616b", "#a9afb9"}, colours{"#e3e5e9", "#30343c"}
	all := []rule{
		{classPaper, "fill:%s", paper},
		{classGrid, "fill:none;stroke:%s", faint},
		{classAxis, "fill:none;stroke:%s", muted},
		{classTick, "fill:%s;font-size:12px", muted},
		{classInk, "fill:%s;font-size:13px", ink},
		{classTitle, "fill:%s;font-size:16px;font-weight:600", ink},
		{classHit, "fill:%s;fill-opacity:0", paper},
	}
	for i, c := range palette {
		all = append(all,
			rule{fmt.Sprint(classLine, i), "fill:none;stroke:%s;stroke-width:2;stroke-linejoin:round", c},
			rule{fmt.Sprint(classDot, i), "fill:%s", c})
	}
	return all
}()

// of returns the class for series i.
func of(class string, i int) string { return fmt.Sprint(class, i%len(palette)) }

// sheet returns the style sheet of a figure that uses the given classes. Its rules only apply inside figures.
func sheet(used map[string]bool) string {
	var light, dark strings.Builder
	for _, r := range rules {
		if used[r.class] {
			fmt.Fprintf(&light, ".chart ."+r.class+"{"+r.look+"}", r.light)
			fmt.Fprintf(&dark, ".chart ."+r.class+"{"+r.look+"}", r.dark)
		}
	}
	return `.chart{max-width:100%;height:auto}.chart text{font-family:"Liberation Sans",Arial,Helvetica,sans-serif}` +
		light.String() + "@media(prefers-color-scheme:dark){" + dark.String() + "}"
}
