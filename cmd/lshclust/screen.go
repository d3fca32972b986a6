package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// screen is what stdout leads to. On a terminal lines are cut to its width; in a pipe or a file nothing is cut.
type screen struct {
	terminal bool
	columns  int  // of the terminal; elsewhere those of a layout that needs a width
	colour   bool // wanted and possible
}

// stdout is asked once: a terminal that changes its size while a command runs keeps the old layout.
var stdout = sync.OnceValue(func() screen {
	return newScreen(os.Stdout, os.Getenv)
})

// columnsInPipe is the width of layouts that need one where there is no terminal.
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

// drawable tells whether a terminal can redraw lines, which progress bars need.
func drawable(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columnsOf is the width of a terminal.
func columnsOf(f *os.File) int { return newScreen(f, os.Getenv).columns }

// width is the number of columns of the screen.
func width() int { return stdout().columns }

// line is text for one line: no control characters, no line feeds. On a terminal it is cut to n columns.
func line(s string, n int) string {
	if s = whole(s); !stdout().terminal {
		return s
	}
	return runewidth.Truncate(s, max(n, 8), "…")
}

// pad fills a line up to n columns.
func pad(s string, n int) string { return runewidth.FillRight(line(s, n), n) }

// detail is text for the rest of a line that is indented.
func detail(s string, indent int) string { return line(s, width()-indent) }

// whole is text for a line of its own, however long it is: no control characters, no line feeds.
func whole(s string) string { return strings.Join(strings.Fields(strings.Map(dropControl, s)), " ") }

// fold writes text that is indented by so many columns, on a terminal folded between words to its width.
func fold(w io.Writer, s string, indent int) {
	room := max(width()-indent, 20)
	if !stdout().terminal {
		room = math.MaxInt
	}
	used := -1 // columns of the line at hand; -1 before the first
	for _, word := range strings.Fields(strings.Map(dropControl, s)) {
		n := runewidth.StringWidth(word)
		switch {
		case used < 0:
			fmt.Fprint(w, strings.Repeat(" ", indent), word)
			used = n
		case used+1+n > room:
			fmt.Fprint(w, "\n", strings.Repeat(" ", indent), word)
			used = n
		default:
			fmt.Fprint(w, " ", word)
			used += 1 + n
		}
	}
	fmt.Fprintln(w)
}

// cutURL shortens a URL on a terminal to n columns, in the middle: its host and its last segment stay. It is false for a URL that
// cannot be shortened so far.
func cutURL(url string, n int) (string, bool) {
	url = whole(url)
	if runewidth.StringWidth(url) <= n || !stdout().terminal {
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

// fitURLs shortens the URLs of a list to n columns on a terminal. A URL that cannot be shortened, or that would look like
// another one of the list, stays whole and so takes more than n columns.
func fitURLs(urls []string, n int) []string {
	fit := make([]string, len(urls))
	looks := map[string]int{}
	for i, u := range urls {
		fit[i] = whole(u)
		if short, ok := cutURL(u, n); ok {
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

// urlColumn is how wide a column of URLs is: as wide as the widest, on a terminal at most so many columns.
func urlColumn(urls []string, most int) int {
	n := 8
	for _, u := range urls {
		n = max(n, utf8.RuneCountInString(u))
	}
	if stdout().terminal {
		n = min(n, most)
	}
	return n
}

// urlCell is a URL in a column of n columns that starts at an indent. What follows a URL that is wider stands below it.
func urlCell(url string, indent, n int) string {
	if runewidth.StringWidth(url) <= n {
		return runewidth.FillRight(url, n)
	}
	return url + "\n" + strings.Repeat(" ", indent+n)
}

// lastColumn makes URLs fit for the last column of a table, behind so many others. If too few are left they stand below
// their rows: below is what leads there.
func lastColumn(urls []string, before int) (fit []string, below string) {
	const indent, least = 4, 32
	if room := width() - before; room >= least || !stdout().terminal {
		return fitURLs(urls, room), ""
	}
	return fitURLs(urls, width()-indent), "\n" + strings.Repeat(" ", indent)
}
