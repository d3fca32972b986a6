package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// screen describes where output goes. Lines are cut to the width of a terminal; in a pipe or a file, nothing is cut.
type screen struct {
	terminal bool
	columns  int // of the terminal, or columnsInPipe
}

// stdout returns the screen of standard output. It is determined once, so that the layout stays if the terminal is
// resized while a command runs.
var stdout = sync.OnceValue(func() screen {
	return newScreen(os.Stdout, os.Getenv)
})

// stderr returns the screen of standard error.
var stderr = sync.OnceValue(func() screen { return newScreen(os.Stderr, os.Getenv) })

// columnsInPipe is the width in a pipe or a file for layouts that need one.
const columnsInPipe = 110

func newScreen(f *os.File, env func(string) string) screen {
	s := screen{terminal: term.IsTerminal(int(f.Fd())), columns: columnsInPipe}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		s.columns = w
	}
	if w, err := strconv.Atoi(env("COLUMNS")); err == nil && w > 0 {
		s.columns = w
	}
	s.columns = max(s.columns, 40)
	return s
}

// drawable reports whether f is a terminal that can redraw lines, as progress bars must.
func drawable(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// width returns the number of columns of standard output.
func width() int { return stdout().columns }

// line is screen.line for standard output.
func line(s string, n int) string { return stdout().line(s, n) }

// pad is screen.pad for standard output.
func pad(s string, n int) string { return stdout().pad(s, n) }

// line returns text as one line without control characters. On a terminal it is cut to n columns.
func (s screen) line(text string, n int) string {
	text = whole(text)
	if !s.terminal {
		return text
	}
	return runewidth.Truncate(text, max(n, 8), "…")
}

// pad is like line but fills the text up to n columns.
func (s screen) pad(text string, n int) string { return runewidth.FillRight(s.line(text, n), n) }

// detail returns text as the rest of a line that begins with an indent.
func detail(s string, indent int) string { return line(s, width()-indent) }

// whole returns text as one line of any length without control characters.
func whole(s string) string { return harmless.Line(s) }

// fold writes text to standard output, indented. On a terminal it is folded to the width of the screen.
func fold(w io.Writer, s string, indent int) { stdout().fold(w, s, indent, indent) }

// say writes a message to standard error. On a terminal it is folded to the width of the screen.
func say(format string, values ...any) {
	stderr().fold(os.Stderr, fmt.Sprintf(format, values...), 0, 2)
}

// sayList writes lines to standard error, with a word before the first.
func sayList(word string, lines []string) {
	for _, l := range lines {
		fmt.Fprintln(os.Stderr, word, whole(l))
		word = strings.Repeat(" ", len(word))
	}
}

// fold writes text, indented by first columns on the first line and by others on the rest. On a terminal it breaks
// lines between words, and never within a word.
func (s screen) fold(w io.Writer, text string, first, others int) {
	room := s.columns
	if !s.terminal {
		room = math.MaxInt
	}
	var b strings.Builder
	used := first
	b.WriteString(strings.Repeat(" ", first))
	for i, word := range strings.Fields(harmless.Cell(text)) {
		n := runewidth.StringWidth(word)
		switch {
		case i == 0:
			used += n
		case used+1+n > room && used > others+1: // an arrow stays with what it points at
			b.WriteString("\n" + strings.Repeat(" ", others))
			used = others + n
		default:
			b.WriteByte(' ')
			used += 1 + n
		}
		b.WriteString(word)
	}
	fmt.Fprintln(w, b.String())
}

// cutPath shortens a file path to n columns on a terminal. It cuts the beginning, so that the file name stays.
func (s screen) cutPath(path string, n int) string {
	path = whole(path)
	n = max(n, 8)
	if w := runewidth.StringWidth(path); w > n && s.terminal {
		path = runewidth.TruncateLeft(path, w-n+1, "…")
	}
	return path
}

// cutURL shortens a URL to n columns on a terminal. It cuts the middle, so that the host and the last segment stay; if
// they do not fit, the URL stays whole.
func (s screen) cutURL(url string, n int) string {
	url = whole(url)
	if runewidth.StringWidth(url) <= n || !s.terminal {
		return url
	}
	host := strings.Index(url, "://") + 1
	if host > 0 {
		host += len("//")
	}
	slash := strings.IndexByte(url[host:], '/')
	if slash < 0 {
		return url
	}
	host += slash + 1
	last := max(host, strings.LastIndexByte(strings.TrimRight(url, "/"), '/'))
	room := n - 1 - runewidth.StringWidth(url[:host]) - runewidth.StringWidth(url[last:])
	if room < 0 {
		return url
	}
	return url[:host] + runewidth.Truncate(url[host:last], room, "") + "…" + url[last:]
}

// fitURLs shortens the URLs of a list to n columns on a terminal. A URL that cannot be shortened, or would look like
// another one of the list, stays whole.
func (s screen) fitURLs(urls []string, n int) []string {
	fit := make([]string, len(urls))
	looks := map[string]int{}
	for i, u := range urls {
		fit[i] = s.cutURL(u, n)
		looks[fit[i]]++
	}
	for i, u := range urls {
		if looks[fit[i]] > 1 {
			fit[i] = whole(u)
		}
	}
	return fit
}

// widest returns the width of the widest text.
func widest(texts []string) int {
	n := 0
	for _, t := range texts {
		n = max(n, runewidth.StringWidth(t))
	}
	return n
}

// tableColumns is the width that tables are designed for.
const tableColumns = 80

// tabled prints a table. On a terminal narrower than tableColumns, it folds long lines between words.
func tabled(table func(io.Writer)) {
	s := stdout()
	if !s.terminal || s.columns >= tableColumns {
		table(printed)
		return
	}
	var b bytes.Buffer
	table(&b)
	for line := range strings.Lines(b.String()) {
		fmt.Fprintln(printed, s.narrowed(strings.TrimSuffix(line, "\n")))
	}
}

// prose writes the text under a table of figures, folded to the width of the table even in a pipe.
func prose(w io.Writer, text string) {
	screen{terminal: true, columns: min(width(), tableColumns-1)}.fold(w, text, 0, 0)
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
