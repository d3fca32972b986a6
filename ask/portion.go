package ask

import "math"

// Portion tells a client how long a list is, and how to get the next portion. Lists that come in portions embed it.
type Portion struct {
	Total int    `json:"total" doc:"number of rows of all portions"`
	Next  string `json:"next,omitempty" doc:"cursor of the next rows; missing if there are no more"`

	after int
}

// After returns the index of the first row of the next portion, or 0 after the last one.
func (p *Portion) After() int { return p.after }

// Follow sets the cursor of the next portion.
func (p *Portion) Follow(cursor string) { p.Next = cursor }

// GoOn records that the rows before to, of total rows, are answered.
func (p *Portion) GoOn(to, total int) {
	p.Total = total
	if to < total {
		p.after = to
	}
}

// Window is a range of rows of a list: at most Limit of them, or all for 0, after the first From. A question about a list that comes
// in portions embeds it, with the default of Limit as the tag limit.
type Window struct {
	Limit int `doc:"list at most this many rows" least:"1" value:"N"`
	From  int
	Most  int // maximum number of rows in all portions, 0 for no limit
}

// Rows returns the maximum number of rows.
func (w Window) Rows() int {
	if w.Limit == 0 {
		return math.MaxInt
	}
	return w.Limit
}

// Top returns the number of leading rows that determine the answer, and whether a later portion may follow.
func (w Window) Top() int {
	n := w.From + min(w.Rows(), math.MaxInt-w.From-1) + 1
	if w.Most > 0 {
		n = min(n, w.Most)
	}
	return n
}

// Cut returns the rows in a window and sets where the next portion begins, unless that is beyond the limit.
func Cut[T any](p *Portion, rows []T, w Window) []T {
	from := min(w.From, len(rows))
	to := from + min(w.Rows(), len(rows)-from)
	p.Total = len(rows)
	if to < len(rows) && (w.Most == 0 || to < w.Most) {
		p.after = to
	}
	return append([]T{}, rows[from:to]...)
}

// List returns a list that is not nil, because JSON would write nil as null.
func List[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}
