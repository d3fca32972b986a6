package answer

import "math"

// Portion is the part of a list that tells where it goes on. Lists that come in portions embed it.
type Portion struct {
	Next string `json:"next,omitempty" doc:"cursor of the next rows; missing if there are no more"`

	after int
}

// After returns the number of the first row of the next portion, 0 if this is the last one.
func (p *Portion) After() int { return p.after }

// Follow sets the cursor of the next portion.
func (p *Portion) Follow(cursor string) { p.Next = cursor }

// GoOn sets that the rows before to are answered, of a list of this size.
func (p *Portion) GoOn(to, size int) {
	if to < size {
		p.after = to
	}
}

// Window says which rows of a list an answer has: at most Limit of them, without the first From.
type Window struct {
	From, Limit int
	Most        int // rows that all portions have together, 0 without a bound
}

// top returns the number of rows from the first on that decide what an answer has, and whether there are more.
func (w Window) top() int {
	n := w.From + min(w.Limit, math.MaxInt-w.From-1) + 1
	if w.Most > 0 {
		n = min(n, w.Most)
	}
	return n
}

// Cut returns the rows in a window. It sets where the list goes on, unless that is beyond the bound.
func Cut[T any](p *Portion, rows []T, w Window) []T {
	from := min(w.From, len(rows))
	to := from + min(w.Limit, len(rows)-from)
	if to < len(rows) && (w.Most == 0 || to < w.Most) {
		p.after = to
	}
	return append([]T{}, rows[from:to]...)
}

// list returns a list that is not nil, which JSON would write as null.
func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
