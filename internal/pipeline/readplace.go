package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/run"
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

// A process that builds a whole run decides while it reads where a part of the stage read ends. Processes that do
// single parts must know that before, so their parts end between inputs: a part is a sequence of inputs that together
// have the size of a part, or one larger input. Everything else is the same for both, and either can continue where
// the other stopped.

// mostReadParts is the number of parts above which parts grow.
const mostReadParts = 1 << 11

// readStep divides what no part has read between the processes.
func (b readStage) readStep() (*plan, error) {
	r, todo, err := b.readParts()
	n := 0
	for number := range todo {
		n = max(n, number+1)
	}
	return &plan{parts: n, together: true, open: func(context.Context, int, *opened) (partFunc, error) {
		return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
			return nil, r.inParts(ctx, todo[at.number], b.cut, func(number int, note partNote) error {
				out.named(b.fromRead().file(number))
				out.note = note
				return nil
			})
		}, r.addReaders()
	}}, err
}

// readParts returns what each part of the stage read reads, by the number of the part.
func (b readStage) readParts() (r *reading, todo map[int]stretch, err error) {
	r = b.newReading()
	parts, same, err := r.recorded()
	if err != nil {
		return r, nil, err
	}
	if !same || b.stream {
		return r, nil, fmt.Errorf("%w: only the command that began the run can read these inputs, which are streams or had other paths", ErrTask)
	}
	todo = map[int]stretch{}
	for _, s := range divided(missing(parts), b.readBorders()) {
		todo[s.part] = s
	}
	for _, done := range parts { // they may be done again
		todo[done.number] = stretch{done.From, &done.To, done.number, done.number}
	}
	return r, todo, nil
}

// readBorders returns the inputs at which parts begin, and the number of all inputs.
func (b readStage) readBorders() (out []int) {
	inputs, total := b.dir.Inputs, int64(0)
	for _, in := range inputs {
		total += in.Bytes
	}
	least, size := max(b.sizeOfPart(), total/mostReadParts), int64(0)
	for i, in := range inputs {
		if i == 0 || size >= least || size > 0 && in.Bytes >= least {
			out, size = append(out, i), 0
		}
		size += in.Bytes
	}
	return append(out, len(inputs))
}

// divided cuts stretches where inputs begin, each into as many parts as it may have. The last place is that after the
// last border. Nothing follows the items of all inputs, because only the end of the stage reads the originals of
// revisits.
func divided(stretches []stretch, borders []int) (out []stretch) {
	end := place{Next: borders[len(borders)-1]}
	for _, s := range stretches {
		if s.from.ended(end.Next) && s.part > 0 || s.to != nil && s.to.Again > 0 {
			continue
		}
		if s.to == nil {
			s.to = &end
		}
		for _, at := range borders {
			if at <= s.from.Next || at >= s.to.Next || s.part == s.last {
				continue
			}
			between := place{Next: at}
			out = append(out, stretch{s.from, &between, s.part, s.part})
			s.from, s.part = between, s.part+1
		}
		out = append(out, stretch{s.from, s.to, s.part, s.part})
	}
	return out
}

// findInputs finds the inputs of a run that another process began. They must have the same paths and sizes.
func (r *runner) findInputs() error {
	if r.stream || len(r.dir.Arguments) == 0 {
		return nil
	}
	columns, err := crawl.ParseMap(r.config.Map...)
	if err != nil {
		return err
	}
	files, skipped, err := crawl.Expand(r.dir.Arguments, columns)
	if err != nil {
		return err
	}
	if !slices.EqualFunc(files, r.dir.Inputs, isInput) {
		return fmt.Errorf("%w: the inputs of the run are not there, as seen from this folder: %q", ErrTask, r.dir.Arguments)
	}
	r.inputs, r.skipped = files, skipped
	return nil
}

// isInput reports whether the file at a path may be an input of the run.
func isInput(path string, in run.Input) bool {
	full, err := filepath.Abs(path)
	if err != nil || full != in.Path {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || !info.Mode().IsRegular() || in.Digest == unreadableDigest || info.Size() == in.Bytes
}
