package pages

import (
	"math"
	"testing"

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
