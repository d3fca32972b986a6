package torture

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// row is one promise, with how often it was tried and how often it was broken.
type row struct {
	Promise  string   `json:"promise"`
	Trials   int      `json:"trials"`
	Failures int      `json:"failures"`
	Notes    []string `json:"notes,omitempty"` // for example why it was not tried
}

// table has a row for each promise, in the order in which promises were first named. Several goroutines may use it.
type table struct {
	mu    sync.Mutex
	rows  []*row
	notes map[note]int
}

type note struct{ promise, what string }

func (t *table) row(promise string) *row {
	i := slices.IndexFunc(t.rows, func(r *row) bool { return r.Promise == promise })
	if i < 0 {
		i = len(t.rows)
		t.rows = append(t.rows, &row{Promise: promise})
	}
	return t.rows[i]
}

// add counts trials of a promise.
func (t *table) add(promise string, trials, failures int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := t.row(promise)
	r.Trials += trials
	r.Failures += failures
}

// remark counts an event that a note on the promise should mention.
func (t *table) remark(promise, what string, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.row(promise)
	if t.notes == nil {
		t.notes = map[note]int{}
	}
	t.notes[note{promise, what}] += n
	t.annotate()
}

// annotate writes the remarks into the rows.
func (t *table) annotate() {
	for _, r := range t.rows {
		r.Notes = nil
		for n, count := range t.notes {
			switch {
			case n.promise != r.Promise:
			case count == 0:
				r.Notes = append(r.Notes, n.what)
			default:
				r.Notes = append(r.Notes, fmt.Sprintf("%d %s", count, n.what))
			}
		}
		slices.Sort(r.Notes)
	}
}

func (t *table) failures() (n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.rows {
		n += r.Failures
	}
	return n
}

func (t *table) print(to io.Writer) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "trials\tfailures\t  promise")
	for _, r := range t.rows {
		fmt.Fprintf(w, "%d\t%d\t  %s\n", r.Trials, r.Failures, strings.Join(append([]string{r.Promise}, r.Notes...), "; "))
	}
	return w.Flush()
}
