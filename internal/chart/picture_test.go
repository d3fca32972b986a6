package chart

import (
	"fmt"
	"strings"
	"testing"
)

// TestPicture: a picture for a page has no style sheet, its cells with a count lead somewhere or have their text, and
// text and links in it stay what they are.
func TestPicture(t *testing.T) {
	h := Plane{
		Frame:  Frame{Title: "Title of the plane", Bare: true, X: Axis{Label: "<x>"}, Y: Axis{Label: "y"}},
		Counts: [][]uint64{{5, 0}, {7, 9}}, Chosen: &[2]int{1, 0},
		Link: func(x, y int) string {
			if x == y {
				return fmt.Sprintf("/?x=%d&y=%d&q=\"><script>", x, y)
			}
			return ""
		},
	}
	out, err := Picture(h)
	if err != nil {
		t.Fatal(err)
	}
	svg := string(out)
	for _, text := range []string{"<style", "<script", `class="title"`} {
		if strings.Contains(svg, text) {
			t.Errorf("%s is in the picture", text)
		}
	}
	for text, n := range map[string]int{
		"<a href=": 2, `role="group"`: 1, `<a href="/?x=1&amp;y=1&amp;q=&#34;&gt;&lt;script&gt;"><title>&lt;x&gt; 0 to 1, y 0 to 1: 9</title>`: 1,
		`class="hit"`: 3, "<title>&lt;x&gt; 0 to 1, y 0: 7</title>": 1, `class="chosen"`: 1, ">Title of the plane</title>": 1,
	} {
		if strings.Count(svg, text) != n {
			t.Errorf("%s is there %d times, want %d\n%s", text, strings.Count(svg, text), n, svg)
		}
	}
}
