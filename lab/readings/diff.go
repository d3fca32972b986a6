// Package readings is for tests that compare two readings of the same pages. It finds the differences of two sequences
// and counts them by class.
package readings

// Hunk is a place where two sequences differ: a has a[A0:A1] where b has b[B0:B1].
type Hunk struct{ A0, A1, B0, B1 int }

// MaxEdits limits the work of Diff. If two sequences differ by more edits, everything between their equal ends is one
// hunk.
const MaxEdits = 3000

// Diff returns the hunks of a shortest edit script in order (Myers 1986). Everything between two hunks is equal.
func Diff(a, b []string) []Hunk {
	front := 0
	for front < len(a) && front < len(b) && a[front] == b[front] {
		front++
	}
	back := 0
	for back < len(a)-front && back < len(b)-front && a[len(a)-1-back] == b[len(b)-1-back] {
		back++
	}
	return join(edits(a[front:len(a)-back], b[front:len(b)-back]), front)
}

// edits returns the single insertions and deletions, from the last to the first.
func edits(a, b []string) []Hunk {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	most := min(len(a)+len(b), MaxEdits)
	reach := make([]int, 2*most+3) // furthest place in a on diagonal k (place in a minus place in b), at most+1+k
	var trace [][]int
	for d := 0; d <= most; d++ {
		trace = append(trace, append([]int(nil), reach[most+1-d:most+2+d]...))
		for k := -d; k <= d; k += 2 {
			x := reach[most+2+k]
			if k == d || k > -d && reach[most+k] >= x {
				x = reach[most+k] + 1
			}
			if k == -d && d == 0 {
				x = 0
			}
			for x < len(a) && x-k < len(b) && a[x] == b[x-k] {
				x++
			}
			reach[most+1+k] = x
			if x >= len(a) && x-k >= len(b) {
				return back(trace, len(a), len(b))
			}
		}
	}
	return []Hunk{{0, len(a), 0, len(b)}}
}

// back follows the trace to the front. trace[d] holds the reach of diagonals -d to d before step d.
func back(trace [][]int, x, y int) (out []Hunk) {
	for d := len(trace) - 1; d > 0; d-- {
		before := func(k int) int {
			if k < -d || k > d {
				return -1
			}
			return trace[d][k+d]
		}
		k := x - y
		down := k == -d || k != d && before(k-1) < before(k+1)
		px := before(k - 1)
		py := px - (k - 1)
		if down {
			px = before(k + 1)
			py = px - (k + 1)
		}
		if down {
			out = append(out, Hunk{px, px, py, py + 1})
		} else {
			out = append(out, Hunk{px, px + 1, py, py})
		}
		x, y = px, py
	}
	return out
}

// join reverses the single edits and joins those that touch into one hunk.
func join(single []Hunk, front int) (out []Hunk) {
	for i := len(single) - 1; i >= 0; i-- {
		h := single[i]
		h = Hunk{h.A0 + front, h.A1 + front, h.B0 + front, h.B1 + front}
		if n := len(out); n > 0 && out[n-1].A1 == h.A0 && out[n-1].B1 == h.B0 {
			out[n-1].A1, out[n-1].B1 = h.A1, h.B1
			continue
		}
		out = append(out, h)
	}
	return out
}
