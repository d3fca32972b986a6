package pages

import (
	"math"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"pgregory.net/rapid"
)

// TestSquarified: the boxes have the given areas, lie within the rectangle and do not overlap.
func TestSquarified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		areas := rapid.SliceOfN(rapid.Float64Range(1, 1000), 0, 50).Draw(t, "areas")
		boxes := squarified(areas, rapid.Float64Range(0.2, 5).Draw(t, "aspect"))
		all := 0.0
		for _, a := range areas {
			all += a
		}
		const little = 1e-9
		for i, b := range boxes {
			if math.Abs(b.w*b.h-areas[i]/all) > little || b.x < -little || b.y < -little || b.x+b.w > 1+little || b.y+b.h > 1+little {
				t.Fatalf("box %d of %v: %+v", i, areas, b)
			}
			for j, c := range boxes[:i] {
				if min(b.x+b.w, c.x+c.w)-max(b.x, c.x) > little && min(b.y+b.h, c.y+c.h)-max(b.y, c.y) > little {
					t.Fatalf("boxes %d and %d overlap: %+v %+v", j, i, c, b)
				}
			}
		}
		if len(boxes) != len(areas) {
			t.Fatalf("%d boxes of %d", len(boxes), len(areas))
		}
	})
}

// TestSquares: four equal areas in a square are squares.
func TestSquares(t *testing.T) {
	for _, b := range squarified([]float64{1, 1, 1, 1}, 1) {
		if math.Abs(b.w-0.5) > 1e-9 || math.Abs(b.h-0.5) > 1e-9 {
			t.Errorf("box %+v", b)
		}
	}
}

// TestRoomy: the topics that stay have room for their names, keep their order, and all stay where there is room.
func TestRoomy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []ask.Area
		for i, n := range rapid.SliceOfN(rapid.IntRange(1, 1000), 0, 30).Draw(t, "documents") {
			items = append(items, ask.Area{Title: strings.Repeat("a", i+1), Documents: n})
		}
		wide := rapid.Float64Range(0, 1).Draw(t, "width")
		kept, boxes := roomy(items, 0, picture, func(_ string, b rect) bool { return b.w >= wide })
		last := 0
		for i, a := range kept {
			if boxes[i].w < wide || len(a.Title) <= last {
				t.Fatalf("%d: %+v in %+v", i, a, boxes[i])
			}
			last = len(a.Title)
		}
		if len(kept) == 0 && len(items) > 0 && wide < 1 {
			t.Fatal("the last topic has the whole picture, and yet no room")
		}
	})
}

// TestRest: a rest without room for its name is left out if it is small, and else there are no parts.
func TestRest(t *testing.T) {
	wide, narrow := rect{0, 0, 0.5, 0.5}, rect{0, 0, 0.1, 0.3}
	for _, test := range []struct {
		documents int
		at        rect
		want      string
	}{{342, wide, "a"}, {600, wide, "a, 1 more"}, {342, narrow, "a"}, {600, narrow, "a"}, {900, narrow, ""}} {
		of := &ask.Area{Documents: test.documents, Parts: []ask.Area{{Title: "a", Documents: 342}}, MoreParts: 1}
		var got []string
		for _, part := range (&Question{Links: Links{place: Served}}).parts(of, test.at) {
			got = append(got, part.Text)
		}
		if said := strings.Join(got, ", "); said != test.want {
			t.Errorf("%d documents in %+v: %q, want %q", test.documents, test.at, said, test.want)
		}
	}
}

// TestLines: words stay whole, and those that do not fit begin a line.
func TestLines(t *testing.T) {
	for text, want := range map[string]float64{"": 1, "one two": 1, "three words now": 2, "in/two-or three": 2, "unbreakableword": math.Inf(1)} {
		if got := lines(text, 100, 15); got != want {
			t.Errorf("%q: %v lines, want %v", text, got, want)
		}
	}
}
