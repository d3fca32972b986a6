package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/harmless"
)

// contextLines is the number of equal lines shown before and after a difference.
const contextLines = 2

// textsTable shows the texts of two pages side by side.
func (x *explaining) textsTable(w io.Writer, a *ask.ExplainAnswer) {
	d := differ{w: w, colour: stdout().colour, column: (width() - 3) / 2}
	fmt.Fprintf(w, "left   %s\nright  %s\n", whole(a.URLA), whole(a.URLB))
	rule := []string{strings.Repeat("─", d.column)}
	d.pair(rule, rule)
	show := make([]bool, len(a.Lines)) // lines close to a difference
	for i, l := range a.Lines {
		for j := max(0, i-contextLines); (x.all || !l.Same) && j <= min(len(show)-1, i+contextLines); j++ {
			show[j] = true
		}
	}
	hidden := 0
	skipped := func() {
		if hidden > 0 {
			fmt.Fprintf(w, "··· %s alike\n", count(hidden, "line"))
		}
		hidden = 0
	}
	for i, l := range a.Lines {
		if !show[i] {
			hidden++
			continue
		}
		skipped()
		d.pair(d.lines(l.A), d.lines(l.B))
	}
	skipped()
}

// differ writes two texts in columns.
type differ struct {
	w      io.Writer
	colour bool
	column int
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

// lines folds a marked line to the width of a column and pads each part to it.
func (d *differ) lines(of []texts.Piece) []string {
	if of == nil {
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
	for _, p := range of {
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

// words splits a piece where a line may break. Without colour, braces mark pieces that are not shared.
func (d *differ) words(p texts.Piece) []string {
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
