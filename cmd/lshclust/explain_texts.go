package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/texts"
)

// contextLines is the number of equal lines shown before and after a difference.
const contextLines = 2

// textsTable shows the texts of two pages line by line: - for the first page, + for the second, nothing for both.
func (x *explaining) textsTable(w io.Writer, a *ask.ExplainAnswer) {
	fmt.Fprintf(w, "- %s\n+ %s\n\n", whole(a.URLA), whole(a.URLB))
	show := make([]bool, len(a.Lines)) // lines close to a difference
	for i, l := range a.Lines {
		for j := max(0, i-contextLines); (x.All || !l.Same) && j <= min(len(show)-1, i+contextLines); j++ {
			show[j] = true
		}
	}
	for i := 0; i < len(a.Lines); i++ {
		hidden := 0
		for i+hidden < len(a.Lines) && !show[i+hidden] {
			hidden++
		}
		if hidden > 0 {
			fmt.Fprintf(w, "··· %s alike\n", count(hidden, "line"))
			i += hidden - 1
			continue
		}
		if l := a.Lines[i]; l.Same {
			stdout().fold(w, braced(l.A), 2, 2)
		} else {
			sideOf(w, "- ", l.A)
			sideOf(w, "+ ", l.B)
		}
	}
}

// sideOf writes the line of one page, if it has any.
func sideOf(w io.Writer, sign string, line []texts.Piece) {
	if line != nil {
		stdout().fold(w, sign+braced(line), 0, 2)
	}
}

// braced returns a line with braces around what the other page does not have.
func braced(line []texts.Piece) string {
	var b strings.Builder
	for _, p := range line {
		text := strings.TrimRight(p.Text, " ")
		if !p.Shared && text != "" {
			text = "{" + text + "}"
		}
		b.WriteString(text + p.Text[len(strings.TrimRight(p.Text, " ")):])
	}
	return b.String()
}
