package readings

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestDiff checks that the sequences are equal outside the hunks and that no hunk is empty.
func TestDiff(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 30)
		a, b := words.Draw(t, "a"), words.Draw(t, "b")
		x, y, edits := 0, 0, 0
		for _, h := range Diff(a, b) {
			if h.A0 < x || h.B0 < y || !slices.Equal(a[x:h.A0], b[y:h.B0]) || h.A0 == h.A1 && h.B0 == h.B1 {
				t.Fatalf("%v", Diff(a, b))
			}
			x, y, edits = h.A1, h.B1, edits+h.A1-h.A0+h.B1-h.B0
		}
		if !slices.Equal(a[x:], b[y:]) {
			t.Fatalf("%v: the ends differ", Diff(a, b))
		}
		if want := len(a) + len(b) - 2*common(a, b); edits != want {
			t.Fatalf("%d edits, the shortest script has %d", edits, want)
		}
	})
}

// common returns the length of the longest common subsequence.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, x := range a {
		diagonal := 0
		for j, y := range b {
			above := row[j+1]
			if x == y {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestDiffGivesUp(t *testing.T) {
	a, b := make([]string, MaxEdits), make([]string, MaxEdits)
	for i := range a {
		a[i], b[i] = "a", "b"
	}
	if got := Diff(append([]string{"x"}, a...), append([]string{"x"}, b...)); !slices.Equal(got, []Hunk{{1, MaxEdits + 1, 1, MaxEdits + 1}}) {
		t.Errorf("%v", got)
	}
}
