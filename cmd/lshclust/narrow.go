package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// tableColumns is the width that tables are designed for.
const tableColumns = 80

// tabled writes a table. On a terminal narrower than tableColumns, it folds long lines between words.
func tabled(w io.Writer, table func(io.Writer)) {
	s := stdout()
	if !s.terminal || s.columns >= tableColumns {
		table(w)
		return
	}
	var b bytes.Buffer
	table(&b)
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(w, s.narrowed(strings.TrimSuffix(line, "\n")))
	}
}

// prose writes the text under a table of figures, folded to the width of the table even in a pipe.
func prose(w io.Writer, text string, first, others int) {
	screen{terminal: true, columns: min(width(), tableColumns-1)}.fold(w, text, first, others)
}

// narrowed breaks a line at the last space before the edge of the screen, indents the rest by two columns more than
// the line, and repeats. It keeps the spaces between columns that fit.
func (s screen) narrowed(line string) string {
	line = strings.TrimRight(line, " ")
	indent := len(line) - len(strings.TrimLeft(line, " "))
	further := strings.Repeat(" ", min(indent+2, s.columns/2))
	var b strings.Builder
	for runewidth.StringWidth(line) > s.columns {
		head := runewidth.Truncate(line, s.columns+1, "")
		at := strings.LastIndexByte(head, ' ')
		next, _, _ := strings.Cut(strings.TrimLeft(line[max(at, 0):], " "), " ")
		if strings.TrimLeft(line[:max(at, 0)], " ") == "" || runewidth.StringWidth(further+next) > s.columns { // a word wider than the screen
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		line = further + strings.TrimLeft(line[at:], " ")
	}
	return b.String() + line
}
