package main

import (
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
	columns  int  // of the terminal, or columnsInPipe
	colour   bool // wanted and supported
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
	s.colour = s.terminal && env("NO_COLOR") == "" && env("TERM") != "dumb"
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
		case used+1+n > room:
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

// cutURL shortens a URL to n columns on a terminal. It cuts the middle, so that the host and the last segment stay,
// and returns false if they do not fit.
func (s screen) cutURL(url string, n int) (string, bool) {
	url = whole(url)
	if runewidth.StringWidth(url) <= n || !s.terminal {
		return url, true
	}
	host := 0
	if i := strings.Index(url, "://"); i >= 0 {
		host = i + len("://")
	}
	if i := strings.IndexByte(url[host:], '/'); i >= 0 {
		host += i + 1
	} else {
		return url, false
	}
	last := max(host, strings.LastIndexByte(strings.TrimRight(url, "/"), '/'))
	room := n - 1 - runewidth.StringWidth(url[:host]) - runewidth.StringWidth(url[last:])
	if room < 0 {
		return url, false
	}
	return url[:host] + runewidth.Truncate(url[host:last], room, "") + "…" + url[last:], true
}

// fitURLs shortens the URLs of a list to n columns on a terminal. A URL that cannot be shortened, or would look like
// another one of the list, stays whole.
func (s screen) fitURLs(urls []string, n int) []string {
	fit := make([]string, len(urls))
	looks := map[string]int{}
	for i, u := range urls {
		fit[i] = whole(u)
		if short, ok := s.cutURL(u, n); ok {
			fit[i] = short
		}
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

// listing writes a row for each item: figures, a URL, and words about it.
func listing[T any](w io.Writer, items []T, row func(i int, item T) (figures, url, words string)) {
	for _, l := range listed(items, row) {
		fmt.Fprintln(w, l)
	}
}

// listed returns the lines of a listing.
func listed[T any](items []T, row func(i int, item T) (figures, url, words string)) []string {
	rows, urls, words := make([]string, len(items)), make([]string, len(items)), make([]string, len(items))
	for i, x := range items {
		rows[i], urls[i], words[i] = row(i, x)
	}
	before := widest(rows)
	rest := stdout().lastColumn(urls, before)
	if widest(words) > 0 {
		rest = stdout().urlsAndWords(urls, words, before)
	}
	for i, r := range rest {
		rows[i] = runewidth.FillRight(rows[i], before)
		if strings.HasPrefix(r, "\n") {
			rows[i] = strings.TrimRight(rows[i], " ")
		}
		rows[i] += r
	}
	return rows
}

// leastWords is the least room for words below a URL that begins where the URL does.
const leastWords = 24

// Indents of a URL that follows other columns, and of one on its own line.
const (
	gap   = "  "
	below = "\n    "
)

// urlsAndWords lays out two columns after others of the given width: URLs, and words that may be cut. If the URLs
// cannot be shortened to six tenths of the room, the words go below them, and a URL that is still too wide gets its
// own line.
func (s screen) urlsAndWords(urls, words []string, before int) []string {
	before += len(gap)
	rows, column := make([]string, len(urls)), widest(urls)
	if s.terminal {
		column = min(column, (s.columns-before-len(gap))*6/10)
	}
	fit, room, between := s.fitURLs(urls, column), s.columns-before-column-len(gap), gap
	if widest(fit) > column {
		indent := before
		if s.columns-before < leastWords {
			indent = len(below) - 1
		}
		fit, room, between, column = s.fitURLs(urls, s.columns-before), s.columns-indent, "\n"+strings.Repeat(" ", indent), 0
	}
	for i, u := range fit {
		rows[i] = s.placed(u, s.columns-before)
		if w := s.line(words[i], room); w != "" {
			rows[i] = runewidth.FillRight(rows[i], len(gap)+column) + between + w
		}
	}
	return rows
}

// placed returns a URL behind other columns if it fits there, and on its own line otherwise.
func (s screen) placed(url string, room int) string {
	if s.terminal && runewidth.StringWidth(url) > room {
		return below + url
	}
	return gap + url
}

// lastColumn lays out URLs as the last column of a table, after others of the given width. If most do not fit, every
// URL gets its own line.
func (s screen) lastColumn(urls []string, before int) []string {
	room := s.columns - before - len(gap)
	fit, wide := s.fitURLs(urls, room), 0
	for _, u := range fit {
		if s.terminal && runewidth.StringWidth(u) > room {
			wide++
		}
	}
	if 2*wide > len(urls) {
		room = 0
		fit = s.fitURLs(urls, s.columns-len(below)+1)
	}
	for i, u := range fit {
		fit[i] = s.placed(u, room)
	}
	return fit
}
