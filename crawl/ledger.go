package crawl

import (
	"cmp"
	"errors"
	"slices"

	"github.com/lshclust/lshclust/crawl/record"
)

// LedgerExamples is the number of examples kept for each reason.
const LedgerExamples = 5

// Ledger counts what was left out, by reason. The zero value is ready to use. A Ledger is not safe for concurrent use:
// give each worker its own and Merge them. The result does not depend on the order or the grouping of the merges.
type Ledger struct {
	rows map[record.Reason]*Tally
}

// Tally is one row of a ledger.
type Tally struct {
	Reason   record.Reason `json:"reason"`
	Damage   bool          `json:"damage"`
	Count    int64         `json:"count"`
	Passed   int64         `json:"bytes_passed_over,omitempty"` // total; see Skip
	Examples []Example     `json:"examples,omitempty"`          // the first ones by position
}

// Example is one skip as the manifest shows it.
type Example struct {
	Pos    record.Position `json:"position"`
	URL    string          `json:"url,omitempty"`
	Detail string          `json:"detail,omitempty"`
}

// Add counts err if it is (or wraps) a *Skip, and reports whether it was one.
func (l *Ledger) Add(err error) bool {
	s, ok := errors.AsType[*record.Skip](err)
	if !ok {
		return false
	}
	t := l.row(s.Reason)
	t.Count++
	t.Passed += s.Passed
	if n := len(t.Examples); n < LedgerExamples || s.Pos.Compare(t.Examples[n-1].Pos) <= 0 {
		t.keep(exampleOf(s))
	}
	return true
}

// AddPage counts the warnings of a page.
func (l *Ledger) AddPage(p *record.Page) {
	for _, w := range p.Warnings {
		l.Add(w)
	}
}

// AddReason counts a reason n times without examples. It is for links, which are too many to locate.
func (l *Ledger) AddReason(r record.Reason, n int64) {
	if n > 0 {
		l.row(r).Count += n
	}
}

// Merge adds the counts of other and leaves other unchanged.
func (l *Ledger) Merge(other *Ledger) {
	for r, o := range other.rows {
		t := l.row(r)
		t.Count += o.Count
		t.Passed += o.Passed
		t.keep(o.Examples...)
	}
}

// Tallies returns the rows, damage first, then sorted by reason.
func (l *Ledger) Tallies() []Tally {
	out := make([]Tally, 0, len(l.rows))
	for _, t := range l.rows {
		out = append(out, Tally{t.Reason, t.Damage, t.Count, t.Passed, slices.Clone(t.Examples)})
	}
	slices.SortFunc(out, func(a, b Tally) int {
		if a.Damage != b.Damage {
			if a.Damage {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Reason, b.Reason)
	})
	return out
}

// Count returns the number of skips for a reason.
func (l *Ledger) Count(r record.Reason) int64 {
	if t := l.rows[r]; t != nil {
		return t.Count
	}
	return 0
}

// Damaged returns the number of skips for unreadable input.
func (l *Ledger) Damaged() (n int64) {
	for _, t := range l.rows {
		if t.Damage {
			n += t.Count
		}
	}
	return n
}

// SetTallies fills an empty ledger with saved rows when a run is resumed.
func (l *Ledger) SetTallies(rows []Tally) {
	l.rows = make(map[record.Reason]*Tally, len(rows))
	for _, t := range rows {
		row := l.row(t.Reason)
		row.Count += t.Count
		row.Passed += t.Passed
		row.keep(t.Examples...)
	}
}

func (l *Ledger) row(r record.Reason) *Tally {
	t := l.rows[r]
	if t == nil {
		if l.rows == nil {
			l.rows = make(map[record.Reason]*Tally)
		}
		t = &Tally{Reason: r, Damage: r.Damage()}
		l.rows[r] = t
	}
	return t
}

// keep adds examples, and keeps the first by position, then URL and detail.
func (t *Tally) keep(es ...Example) {
	t.Examples = append(t.Examples, es...)
	slices.SortFunc(t.Examples, func(a, b Example) int {
		return cmp.Or(a.Pos.Compare(b.Pos), cmp.Compare(a.URL, b.URL), cmp.Compare(a.Detail, b.Detail))
	})
	if len(t.Examples) > LedgerExamples {
		t.Examples = slices.Clone(t.Examples[:LedgerExamples])
	}
}

func exampleOf(s *record.Skip) Example { return Example{s.Pos, s.URL, s.Detail()} }
