package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/mattn/go-runewidth"
)

// showTexts shows the texts of two pages side by side.
func showTexts(ctx context.Context, r *query.Run, urls []string, all bool) error {
	ids, err := documentsOf(r, r.LookupPage, urls)
	if err != nil {
		return err
	}
	x, y, err := r.Diff(ctx, ids[0], ids[1])
	if err != nil {
		return err
	}
	out := bufio.NewWriter(printed)
	d := differ{w: out, colour: stdout().colour, column: (width() - 3) / 2, all: all}
	d.write(x, y)
	return out.Flush()
}

// contextLines is the number of equal lines shown on each side of a difference.
const contextLines = 2

type differ struct {
	w      *bufio.Writer
	colour bool
	column int
	all    bool
}

func (d *differ) write(x, y query.Marked) {
	fmt.Fprintf(d.w, "left   %s\nright  %s\n", whole(x.URL), whole(y.URL))
	d.pair([]string{strings.Repeat("─", d.column)}, []string{strings.Repeat("─", d.column)})
	rows := query.Align(x.Lines, y.Lines)
	show := d.shown(rows, x, y)
	hidden := 0
	for i, r := range rows {
		if !show[i] {
			hidden++
			continue
		}
		d.skipped(&hidden)
		d.pair(d.lines(x.Lines, r.A), d.lines(y.Lines, r.B))
	}
	d.skipped(&hidden)
}

// shown marks the rows near a difference.
func (d *differ) shown(rows []query.Row, x, y query.Marked) []bool {
	show := make([]bool, len(rows))
	for i, r := range rows {
		if d.all || r.A < 0 || r.B < 0 || x.Lines[r.A].Key != y.Lines[r.B].Key {
			for j := max(0, i-contextLines); j <= min(len(rows)-1, i+contextLines); j++ {
				show[j] = true
			}
		}
	}
	return show
}

func (d *differ) skipped(n *int) {
	if *n > 0 {
		fmt.Fprintf(d.w, "··· %s alike\n", count(*n, "line"))
	}
	*n = 0
}

// pair writes two columns.
func (d *differ) pair(a, b []string) {
	for i := range max(len(a), len(b)) {
		left, right := strings.Repeat(" ", d.column), ""
		if i < len(a) {
			left = a[i]
		}
		if i < len(b) {
			right = b[i]
		}
		fmt.Fprintf(d.w, "%s │ %s\n", left, right)
	}
}

// lines folds a marked line to the width of a column, each padded to it.
func (d *differ) lines(of []query.MarkedLine, i int) []string {
	if i < 0 {
		return nil
	}
	var out []string
	var row strings.Builder
	used := 0
	end := func() {
		out = append(out, row.String()+strings.Repeat(" ", max(0, d.column-used)))
		row.Reset()
		used = 0
	}
	for _, p := range of[i].Pieces {
		for _, word := range d.words(p) {
			w := runewidth.StringWidth(word)
			if used > 0 && used+w > d.column {
				end()
			}
			row.WriteString(d.paint(word, p.Shared))
			used += w
		}
	}
	end()
	return out
}

// words splits a piece where a line may be broken. Without colour, it puts a piece that is not shared in braces.
func (d *differ) words(p query.Piece) []string {
	s := harmless.Cell(p.Text)
	if !p.Shared && !d.colour && strings.TrimSpace(s) != "" {
		s = "{" + strings.TrimRight(s, " ") + "}" + s[len(strings.TrimRight(s, " ")):]
	}
	var out []string
	for _, w := range strings.SplitAfter(s, " ") {
		for runewidth.StringWidth(w) > d.column {
			head := runewidth.Truncate(w, d.column, "")
			out, w = append(out, head), w[len(head):]
		}
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

func (d *differ) paint(word string, shared bool) string {
	if shared || !d.colour {
		return word
	}
	return "\x1b[33m" + word + "\x1b[0m"
}
