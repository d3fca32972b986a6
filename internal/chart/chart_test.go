package chart

import (
	"bytes"
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

// figures are one of each kind, with all that can be drawn.
func figures() map[string]Figure {
	var curve, seen Series
	curve.Name, curve.Spread = "formula", Band
	seen.Name, seen.Spread, seen.NoLine = "found", ErrorBars, true
	for i := range 41 {
		s := float64(i) / 40
		p := 1 - math.Pow(1-s*s*s, 125)
		curve.Points = append(curve.Points, Point{s, p, max(0, p-0.04), min(1, p+0.04)})
		if i%8 == 4 {
			seen.Points = append(seen.Points, Point{s, p, max(0, p-0.1), min(1, p+0.02)})
		}
	}
	var counts Counts
	counts.Name = "pairs"
	edges := []float64{0}
	for i := range 20 {
		edges = append(edges, float64(i+1)/20)
		counts.Count = append(counts.Count, math.Floor(3e9*math.Exp(-float64(i)*1.3)))
	}
	found := Counts{Name: "found", Count: make([]float64, 20)}
	for i := range found.Count {
		found.Count[i] = math.Floor(counts.Count[i] * float64(i) / 20)
	}
	frame := Frame{Title: "Recall by similarity", Description: "What is found of the pairs of a similarity.", X: Axis{Label: "similarity"}, Y: Axis{Label: "share found", Max: 1}}
	pairs := Frame{Title: "Pairs by similarity", X: frame.X, Y: Axis{Label: "pairs", Log: true}}
	linear := pairs
	linear.Y.Log = false
	return map[string]Figure{
		"lines":     Lines{frame, []Series{curve, seen}, []Mark{{"floor <0.2>", 0.2}}},
		"log":       Lines{Frame: Frame{Title: "Cost", X: Axis{Label: "candidates", Log: true}, Y: Axis{Label: "s", Log: true}}, Series: []Series{{Name: "time", Dots: true, Points: []Point{{X: 10, Y: 0.02}, {X: 1e4, Y: 3}, {X: 1e8, Y: 4000}}}}},
		"histogram": Histogram{pairs, edges, []Counts{counts, found}},
		"linear":    Histogram{linear, edges[8:], []Counts{{"pairs", counts.Count[8:]}}},
		"bars": Bars{Frame{Title: "Hit by level", X: Axis{Label: "level"}, Y: Axis{Label: "hit"}}, []string{"1", "2", "3"}, []Values{
			{"web", ErrorBars, []Point{{Y: 0.65, Low: 0.6, High: 0.7}, {Y: 0.57, Low: 0.55, High: 0.6}, {Y: 0.34, Low: 0.3, High: 0.4}}},
			{"paper2000", ErrorBars, []Point{{Y: 0.28, Low: 0.25, High: 0.31}, {Y: 0.24, Low: 0.2, High: 0.25}, {Y: 0.15, Low: 0.1, High: 0.2}}},
			{"chance", None, []Point{{Y: 0.17}, {Y: 0.04}, {Y: 0.01}}},
		}},
		"point": Lines{Frame: Frame{Title: "One"}, Series: []Series{{Name: "one", Dots: true, Points: []Point{{X: 3, Y: 7}}}}},
		"plane": Plane{Frame: Frame{Title: "Two views", Description: "Pairs by both.", X: Axis{Label: "links"}, Y: Axis{Label: "texts"}}, Caption: "100 pages",
			Counts: [][]uint64{{5, 3, 0, 0, 1}, {90, 12000, 0, 1, 5}, {0, 900, 70, 0, 0}, {0, 10, 100, 2, 0}, {3, 0, 1, 1, 30}}, XMarks: []float64{.3, .7}, YMarks: []float64{.3, .7},
			Corners: [4]string{"same text", "both", "none", "same links"}},
		"zero": Lines{Frame: Frame{Title: "Zero"}, Series: []Series{{Name: "zero", Points: []Point{{}, {X: 1}}}}},
	}
}

// TestSVG: well-formed, themed, self-contained, named for the screen reader, the same bytes each time.
func TestSVG(t *testing.T) {
	outside := regexp.MustCompile(`href|url\(|@import|@font-face|<script|<image|NaN|Inf`)
	for name, f := range figures() {
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := figures()[name].SVG()
		if err != nil || !bytes.Equal(svg, again) {
			t.Errorf("%s: other bytes the second time (%v)", name, err)
		}
		if *keep != "" {
			if err := os.WriteFile(filepath.Join(*keep, name+".svg"), svg, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		text := string(svg)
		if bad := outside.FindString(text); bad != "" {
			t.Errorf("%s: holds %q", name, bad)
		}
		wellFormed(t, name, text)
		title := regexp.MustCompile(`aria-labelledby="(\S+) (\S+)"`).FindStringSubmatch(text)
		if title == nil || !strings.Contains(text, `<title id="`+title[1]+`">`) || !strings.Contains(text, `<desc id="`+title[2]+`">`) {
			t.Errorf("%s: no title or description", name)
		}
		for _, want := range []string{`role="img"`, "prefers-color-scheme:dark", `class="paper"`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s", name, want)
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

// TestColours: every class that is drawn has a rule for light and one for dark paper.
func TestColours(t *testing.T) {
	for name, f := range figures() {
		svg, err := f.SVG()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`class="([^"]*)"`).FindAllStringSubmatch(string(svg), -1) {
			if n := strings.Count(string(svg), ".chart ."+m[1]+"{"); n != 2 && m[1] != "chart" {
				t.Errorf("%s: %d rules for %s", name, n, m[1])
			}
		}
	}
}

func TestTable(t *testing.T) {
	lines := Lines{Frame: Frame{Title: "T", X: Axis{Label: "x"}}, Series: []Series{
		{Name: "a", Points: []Point{{X: 1, Y: 2}, {X: 3, Y: 4}}},
		{Name: "b", Spread: Band, Points: []Point{{X: 2, Y: 5, Low: 4, High: 6}, {X: 3, Y: 7, Low: 7, High: 8}}},
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
	hist := Histogram{Frame{X: Axis{Label: "x"}}, []float64{0, 1, 3}, []Counts{{"n", []float64{5, 0}}}}
	if d := cmp.Diff([][]any{{0.0, 1.0, 5.0}, {1.0, 3.0, 0.0}}, hist.Table().Rows); d != "" {
		t.Error(d)
	}
	bars := Bars{Frame{X: Axis{Label: "level"}}, []string{"one"}, []Values{{"v", ErrorBars, []Point{{Y: 2, Low: 1, High: 4}}}}}
	if d := cmp.Diff([][]any{{"one", 2.0, 1.0, 4.0}}, bars.Table().Rows); d != "" {
		t.Error(d)
	}
	for name, f := range figures() {
		table := f.Table()
		for _, row := range table.Rows {
			if len(row) != len(table.Columns) {
				t.Errorf("%s: %d cells in %d columns", name, len(row), len(table.Columns))
			}
		}
	}
}

func TestHTML(t *testing.T) {
	f := Lines{Frame: Frame{Title: "<b>", Description: "a & <i>"}, Series: []Series{{Name: "</text><script>", Dots: true, Points: []Point{{X: 1, Y: 0.123456}}}, {Name: "b\x00\x1b", Dots: true, Points: []Point{{X: 2, Y: 1}}}}}
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
	line := func(p ...Point) Lines { return Lines{Series: []Series{{Name: "s", Spread: Band, Points: p}}} }
	logs := line(Point{X: 1, Y: 0, High: 1})
	logs.Y.Log = true
	for name, f := range map[string]Figure{
		"nan":         line(Point{Y: math.NaN()}),
		"infinite":    line(Point{X: math.Inf(1)}),
		"interval":    line(Point{Y: 1, Low: 2, High: 3}),
		"back":        line(Point{X: 2}, Point{X: 1}),
		"twice":       line(Point{X: 2}, Point{X: 2}),
		"mark":        Lines{Series: []Series{{Points: []Point{{}}}}, Marks: []Mark{{"m", math.NaN()}}},
		"log":         logs,
		"empty":       Lines{},
		"no bins":     Histogram{},
		"no counts":   Histogram{Edges: []float64{0, 1}, Series: []Counts{{"n", []float64{0}}}},
		"bins":        Histogram{Edges: []float64{0, 0}, Series: []Counts{{"n", []float64{1}}}},
		"few counts":  Histogram{Edges: []float64{0, 1, 2}, Series: []Counts{{"n", []float64{1}}}},
		"negative":    Histogram{Edges: []float64{0, 1}, Series: []Counts{{"n", []float64{-1}}}},
		"no groups":   Bars{},
		"few values":  Bars{Groups: []string{"a"}, Series: []Values{{Name: "v"}}},
		"bar nan":     Bars{Groups: []string{"a"}, Series: []Values{{Name: "v", Values: []Point{{Y: math.NaN()}}}}},
		"bar spread":  Bars{Groups: []string{"a"}, Series: []Values{{Name: "v", Spread: ErrorBars, Values: []Point{{Y: 1}}}}},
		"no plane":    Plane{},
		"uneven":      Plane{Counts: [][]uint64{{1, 2}, {1}}},
		"plane mark":  Plane{Counts: [][]uint64{{1, 2}, {1, 2}}, XMarks: []float64{math.NaN()}},
		"bar on logs": Bars{Frame: Frame{Y: Axis{Log: true}}, Groups: []string{"a"}, Series: []Values{{Name: "v", Values: []Point{{Y: 1}}}}},
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
		{nil, "–"}, {"a", "a"}, {int64(12345678), "12345678"}, {3.0, "3"}, {1234567.8, "1234568"}, {0.123456, "0.1235"},
		{0.5, "0.5"}, {12.3456, "12.35"}, {0.0000123, "1.23e-05"}, {0.0, "0"}, {-0.25, "-0.25"},
	} {
		if got := Text(c.cell); got != c.want {
			t.Errorf("%v: %q, want %q", c.cell, got, c.want)
		}
	}
	for v, want := range map[float64]string{0: "0", 1500: "1.5k", 2e6: "2M", 3e9: "3G", 0.25: "0.25", 2e-17: "0"} {
		if got := short(v); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
}
