package main

import (
	"bytes"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// tableColumns is the width for which tables of figures are made.
const tableColumns = 80

// narrow returns a writer for a table that is made for tableColumns. On a narrower terminal it folds longer lines
// between words and indents the rest by two more columns. The caller flushes it at the end.
func narrow(w io.Writer) (out io.Writer, flush func()) {
	s := stdout()
	if !s.terminal || s.columns >= tableColumns {
		return w, func() {}
	}
	f := &folder{screen: s, w: w}
	return f, f.flush
}

// prose writes text under a table of figures, folded to the width of the table also in a pipe.
func prose(w io.Writer, text string, first, others int) {
	screen{terminal: true, columns: min(width(), tableColumns-1)}.fold(w, text, first, others)
}

// folder is a writer that folds lines.
type folder struct {
	screen screen
	w      io.Writer
	rest   []byte // of a line that has not ended
}

// Write folds and writes every line that ends in p.
func (f *folder) Write(p []byte) (int, error) {
	f.rest = append(f.rest, p...)
	for {
		i := bytes.IndexByte(f.rest, '\n')
		if i < 0 {
			return len(p), nil
		}
		line := string(f.rest[:i])
		f.rest = f.rest[i+1:]
		if _, err := io.WriteString(f.w, f.fold(line)+"\n"); err != nil {
			return len(p), err
		}
	}
}

func (f *folder) flush() {
	if len(f.rest) > 0 {
		io.WriteString(f.w, f.fold(string(f.rest))) //nolint:errcheck // as with all that is printed
		f.rest = nil
	}
}

// fold breaks a line at the last space before the edge of the screen, indents the rest by two columns more than the
// line, and repeats. It keeps the spaces between columns that fit.
func (f *folder) fold(line string) string {
	line = strings.TrimRight(line, " ")
	indent := len(line) - len(strings.TrimLeft(line, " "))
	further := strings.Repeat(" ", min(indent+2, f.screen.columns/2))
	var b strings.Builder
	for runewidth.StringWidth(line) > f.screen.columns {
		head := runewidth.Truncate(line, f.screen.columns+1, "")
		at := strings.LastIndexByte(head, ' ')
		if strings.TrimLeft(line[:max(at, 0)], " ") == "" { // a word that is wider than the screen
			break
		}
		b.WriteString(strings.TrimRight(line[:at], " ") + "\n")
		line = further + strings.TrimLeft(line[at:], " ")
	}
	return b.String() + line
}
