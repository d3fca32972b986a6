package chart

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var keep = flag.String("keep", "", "folder to write the pictures to, to look at them")

// figures hold all that can be drawn.
func figures() map[string]Lines {
	var curve, seen Series
	curve.Name, seen.Name, seen.Intervals = "formula", "found", true
	for i := range 41 {
		s := float64(i) / 40
		p := 1 - math.Pow(1-s*s*s, 125)
		curve.Points = append(curve.Points, Point{X: s, Y: p})
		if i%8 == 4 {
			seen.Points = append(seen.Points, Point{s, p, max(0, p-0.1), min(1, p+0.02)})
		}
	}
	return map[string]Lines{
		"lines": {"Recall by similarity", "What is found of the pairs of a similarity.", Axis{Label: "similarity"}, Axis{"share found", 1}, []Series{curve, seen}, []Mark{{"floor <0.2>", 0.2}}},
		"point": {Title: "One", Series: []Series{{Name: "one", Points: []Point{{X: 3, Y: 7}}}}},
		"zero":  {Title: "Zero", Series: []Series{{Name: "zero", Points: []Point{{}, {X: 1}}}}},
	}
}

// TestSVG checks that the SVG is well-formed, self-contained, named for screen readers, has two colours for each
// variable, and has the same bytes each time.
func TestSVG(t *testing.T) {
	outside := regexp.MustCompile(`href|url\(|@import|@font-face|<script|<image|NaN|Inf`)
	for name, f := range figures() {
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := figures()[name].SVG()
		if err != nil || svg != again {
			t.Errorf("%s: other bytes the second time (%v)", name, err)
		}
		if *keep != "" {
			if err := os.WriteFile(filepath.Join(*keep, name+".svg"), []byte(svg), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if bad := outside.FindString(svg); bad != "" {
			t.Errorf("%s: holds %q", name, bad)
		}
		wellFormed(t, name, svg)
		for _, want := range []string{`role="img" aria-label="` + f.Title + `"`, "<title>" + f.Title, "<desc>" + f.Description} {
			if !strings.Contains(svg, want) {
				t.Errorf("%s: no %s", name, want)
			}
		}
		for _, m := range regexp.MustCompile(`var\((--\w+)\)`).FindAllStringSubmatch(svg, -1) {
			if n := strings.Count(svg, m[1]+":"); n != 2 {
				t.Errorf("%s: %d colours for %s", name, n, m[1])
			}
		}
	}
}

func wellFormed(t *testing.T, name, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
}

func TestTable(t *testing.T) {
	lines := Lines{Title: "T", X: Axis{Label: "x"}, Series: []Series{
		{Name: "a", Points: []Point{{X: 1, Y: 2}, {X: 3, Y: 4}}},
		{Name: "b", Intervals: true, Points: []Point{{X: 2, Y: 5, Low: 4, High: 6}, {X: 3, Y: 7, Low: 7, High: 8}}},
		{Name: "c", Points: []Point{{X: 1, Y: 9}}},
	}}
	want := Table{"T", []string{"x", "a", "b", "b, low", "b, high", "c"}, [][]any{
		{1.0, 2.0, nil, nil, nil, 9.0},
		{2.0, nil, 5.0, 4.0, 6.0, nil},
		{3.0, 4.0, 7.0, 7.0, 8.0, nil},
	}}
	if d := cmp.Diff(want, lines.Table()); d != "" {
		t.Error(d)
	}
}

func TestHTML(t *testing.T) {
	f := Lines{Title: "<b>", Description: "a & <i>", Series: []Series{{Name: "</text><script>", Points: []Point{{X: 1, Y: 0.123456}}}, {Name: "b\x00\x1b", Points: []Point{{X: 2, Y: 1}}}}}
	got, err := HTML(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<figcaption>a &amp; &lt;i&gt;</figcaption>", "<details open>", `<td class="number">0.1235</td>`, "<td>–</td>"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
	if strings.Contains(string(got), "<script") || strings.Contains(string(got), "<b>") || strings.ContainsAny(string(got), "\x00\x1b") {
		t.Errorf("not escaped: %s", got)
	}
}

func TestRefused(t *testing.T) {
	line := func(p ...Point) Lines { return Lines{Series: []Series{{Name: "s", Intervals: true, Points: p}}} }
	for name, f := range map[string]Lines{
		"nan":      line(Point{Y: math.NaN()}),
		"infinite": line(Point{X: math.Inf(1)}),
		"interval": line(Point{Y: 1, Low: 2, High: 3}),
		"back":     line(Point{X: 2}, Point{X: 1}),
		"twice":    line(Point{X: 2}, Point{X: 2}),
		"mark":     {Series: []Series{{Points: []Point{{}}}}, Marks: []Mark{{"m", math.NaN()}}},
		"empty":    {},
	} {
		if _, err := f.SVG(); err == nil {
			t.Errorf("%s: drawn", name)
		}
		if _, err := HTML(f); err == nil {
			t.Errorf("%s: on a page", name)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		cell any
		want string
	}{
		{nil, "–"}, {3.0, "3"}, {1234567.8, "1234568"}, {0.123456, "0.1235"}, {0.5, "0.5"}, {12.3456, "12.35"}, {0.0000123, "1.23e-05"}, {0.0, "0"}, {-0.25, "-0.25"},
	} {
		if got := text(c.cell); got != c.want {
			t.Errorf("%v: %q, want %q", c.cell, got, c.want)
		}
	}
}
