package pages

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/ask/texts"
)

// diffRow is a line of each text, side by side, or a number of omitted lines.
type diffRow struct {
	A, B   []mark
	OnlyA  bool
	OnlyB  bool
	Folded int // number of rows omitted here
}

// mark is a part of a line.
type mark struct {
	Text string
	Kind string // shared, boiler or own
}

// Kinds of marks.
const (
	sharedKind = "shared"
	boilerKind = "boiler"
	ownKind    = "own"
)

// Bounds on the texts on a page.
const (
	mostDiffed   = 250
	mostText     = 45_000 // bytes of both texts
	nearRows     = 2      // rows shown before and after rows that are always shown
	firstRows    = 12     // rows shown if none is of interest
	leastFold    = 4      // fewer rows in succession are not omitted
	longestPiece = 700    // bytes of a part; longer ones lose their middle
	longestLine  = 3_000  // bytes of a line
)

func kindOf(p texts.Piece) string {
	switch {
	case p.Shared:
		return sharedKind
	case p.Boilerplate:
		return boilerKind
	}
	return ownKind
}

// show fills in the texts: as many rows as fit on a page, starting at the requested one.
func (d *diff) show(q *Question, a, b string, rows []texts.Line) {
	visible := make([]bool, len(rows))
	all := q.Args.Flag("all")
	for i, r := range rows {
		visible[i] = all
		if r.A != nil {
			d.LinesA++
		}
		if r.B != nil {
			d.LinesB++
		}
	}
	if !all {
		d.Folded = fold(visible, rows)
	}
	to := func(all string, row int) string {
		return q.To("/diff", "a", a, "b", b, "all", all, "row", positive(row))
	}
	next := d.fill(rows, visible, min(q.Args.Int("row"), len(rows)))
	given := ""
	if all {
		given, d.All = "true", Link{"Leave out what is of less interest", to("", 0)}
	} else if d.Folded {
		d.All = Link{"Show all lines", to("true", 0)}
	}
	if next < len(rows) {
		d.More = to(given, next)
	}
	if q.Args.Int("row") > 0 {
		d.First = to(given, 0)
	}
}

// positive formats a number as a parameter, "" for 0.
func positive(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// fold chooses the rows to show and reports whether it omitted any. If the texts share most, it omits equal rows;
// otherwise it omits rows with nothing shared.
func fold(visible []bool, rows []texts.Line) (folded bool) {
	equal := 0
	for _, r := range rows {
		if r.Same {
			equal++
		}
	}
	alike, end := 2*equal > len(rows), 0 // of the rows that are visible so far
	show := func(from, to int) {
		if from-end < leastFold {
			from = end
		}
		for end = max(end, from); end < min(to, len(rows)); end++ {
			visible[end] = true
		}
		folded = folded || from > 0 && !visible[from-1]
	}
	for i, r := range rows {
		if alike && !r.Same || !alike && anyShared(r) {
			show(max(end, i-nearRows), i+nearRows+1)
		}
	}
	if end == 0 {
		show(0, firstRows)
	}
	if len(rows)-end < leastFold {
		show(end, len(rows))
	}
	return folded || end < len(rows)
}

func anyShared(r texts.Line) bool {
	return slices.ContainsFunc(slices.Concat(r.A, r.B), func(p texts.Piece) bool { return p.Shared })
}

// fill shows rows from the given one on, and returns the index of the first row that it did not show.
func (d *diff) fill(rows []texts.Line, visible []bool, from int) int {
	bytes := 0
	for i := from; i < len(rows); i++ {
		if !visible[i] {
			if n := len(d.Rows); n > 0 && d.Rows[n-1].Folded > 0 {
				d.Rows[n-1].Folded++
			} else {
				d.Rows = append(d.Rows, diffRow{Folded: 1})
			}
			continue
		}
		if len(d.Rows) >= mostDiffed || bytes > mostText {
			return i
		}
		l := rows[i]
		d.Rows = append(d.Rows, diffRow{A: marksOf(l.A, &bytes), B: marksOf(l.B, &bytes), OnlyA: l.B == nil, OnlyB: l.A == nil})
	}
	return len(rows)
}

// marksOf returns the parts of a line and adds their length to bytes. It omits the middle of long parts and the end
// of a long line.
func marksOf(line []texts.Piece, bytes *int) (out []mark) {
	room := longestLine
	for _, p := range line {
		text := middleOut(p.Text, longestPiece)
		if room -= len(text); room < 0 {
			return append(out, mark{"…", ownKind})
		}
		*bytes += len(text) + len(`<mark class="shared"></mark>`)
		out = append(out, mark{text, kindOf(p)})
	}
	return out
}

// middleOut removes the middle of a text longer than n bytes.
func middleOut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from, to := n*2/3, len(s)-n/3
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	for to < len(s) && !utf8.RuneStart(s[to]) {
		to++
	}
	return s[:from] + " … " + s[to:]
}
