// Package differential is what tests share that hold two readings of the same pages against one another: the
// differences of two sequences, and a tally of them by named classes.
package differential

// Hunk is a stretch where two sequences differ: a[A0:A1] stands where b[B0:B1] does.
type Hunk struct{ A0, A1, B0, B1 int }

// MaxEdits bounds the work of Diff: sequences further apart are one hunk between their equal ends.
const MaxEdits = 3000

// Diff gives the hunks of a shortest edit script, in order; what is between them is equal (Myers 1986).
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

// edits gives the single insertions and deletions, from the end to the front.
func edits(a, b []string) []Hunk {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	most := min(len(a)+len(b), MaxEdits)
	reach := make([]int, 2*most+3) // furthest place in a on diagonal k (place in a less place in b), at most+1+k
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

// back follows the trace to the front; trace[d] holds the reach of diagonals -d to d before step d.
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

// join turns round the single edits and makes one hunk of those that touch.
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
