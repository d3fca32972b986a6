package pipeline

import (
	"cmp"
	"maps"
	"slices"
)

// An item of an input is a record, or something that its source reports as left out. The read stage reads the items
// of all inputs in parts, each from one place to the next.

// place is a place between items of all inputs.
type place struct {
	Next  int      `json:"next"`            // no item of this input or of a later one precedes the place
	Open  []within `json:"open,omitempty"`  // inputs before Next of which some items do not precede the place
	Again int64    `json:"again,omitempty"` // number of matched revisits before the place; revisits follow the items of all inputs
}

// within is a place in an input.
type within struct {
	Input   int    `json:"input"`
	Items   int64  `json:"items"`   // number of items before the place
	Records uint64 `json:"records"` // number of records among them
	Mark    mark   `json:"mark,omitzero"`
}

// mark is a record at which the reader of an input can begin: the last such record before a place. It is zero if
// there is none; then the input is read from its start.
type mark struct {
	Offset int64 `json:"offset"` // of the record in the input
	Record int64 `json:"record"` // number of the record in the input
	Items  int64 `json:"items"`  // number of items before the record
}

// in returns the place within an input. ended is true if all its items precede the place.
func (p place) in(input int) (w within, ended bool) {
	for _, o := range p.Open {
		if o.Input == input {
			return o, false
		}
	}
	return within{Input: input}, input < p.Next
}

func (p place) equal(q place) bool {
	return p.Next == q.Next && slices.Equal(p.Open, q.Open) && p.Again == q.Again
}

// ended reports whether all items of n inputs precede the place.
func (p place) ended(n int) bool { return p.Next == n && len(p.Open) == 0 }

// tracker tracks the place up to which items were passed on.
type tracker struct {
	next  int
	open  map[int]within
	again int64
}

func track(from place) *tracker {
	t := &tracker{next: from.Next, open: map[int]within{}, again: from.Again}
	for _, w := range from.Open {
		t.open[w.Input] = w
	}
	return t
}

// pass moves the place past a batch.
func (t *tracker) pass(b batch) {
	t.again = max(t.again, b.again)
	if b.again > 0 {
		return
	}
	for ; t.next <= b.to.Input; t.next++ {
		t.open[t.next] = within{Input: t.next}
	}
	t.open[b.to.Input] = b.to
	if b.end {
		delete(t.open, b.to.Input)
	}
}

func (t *tracker) place() place {
	open := slices.SortedFunc(maps.Values(t.open), func(a, b within) int { return cmp.Compare(a.Input, b.Input) })
	return place{t.next, open, t.again}
}

// stretch is the part of the inputs between two places that no part has read.
type stretch struct {
	from place
	to   *place // nil for the end
	part int    // number of its first part
	last int    // number of its last part, -1 if it may have any number of parts
}

// missing returns the stretches of the inputs that no part has read. parts are in order of their numbers. After the
// last part there is always a stretch, which may be empty.
func missing(parts []readPart) (out []stretch) {
	at, number := place{}, 0
	for _, p := range parts {
		if p.number > number && !at.equal(p.From) {
			out = append(out, stretch{at, &p.From, number, p.number - 1})
		}
		at, number = p.To, p.number+1
	}
	return append(out, stretch{at, nil, number, -1})
}
