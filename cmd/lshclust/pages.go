package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// pageRow is a row of a list of pages, or its header.
type pageRow struct{ figures, title, note, url string }

// Bounds of the columns of pages: the space between them, and the least room for a title beside a note.
const (
	gap        = "  "
	leastTitle = 24
)

// pageList writes pages below an empty line and a header, or below neither if the header is zero.
func pageList(w io.Writer, header pageRow, rows []pageRow) {
	lines := pageLines(header, rows)
	lines[0] = "\n" + lines[0]
	if header == (pageRow{}) {
		lines = lines[1:]
	}
	for _, l := range lines {
		fmt.Fprintln(w, l)
	}
}

// pageLines lays out a header and pages. On a terminal, the URL of a page is below its title, and so is a note for which
// there is no room beside it. Elsewhere a page has one line, on which nothing is cut.
func pageLines(header pageRow, rows []pageRow) []string {
	if !slices.ContainsFunc(rows, func(r pageRow) bool { return r.note != "" }) {
		header.note = ""
	}
	var before, names, notes, urls int
	lines := append([]pageRow{header}, rows...)
	links, out := make([]string, len(lines)), make([]string, len(lines))
	for i, r := range lines {
		r.title, r.note, r.url = whole(r.title), whole(r.note), whole(r.url)
		lines[i], links[i] = r, r.url
		before, notes = max(before, runewidth.StringWidth(r.figures)), max(notes, runewidth.StringWidth(r.note))
		names, urls = max(names, runewidth.StringWidth(cmp.Or(r.title, r.url))), max(urls, runewidth.StringWidth(r.url))
	}
	s := stdout()
	room := s.columns - before - len(gap)
	column, beside := room-notes-len(gap), true
	if column = min(column, max(names, leastTitle)); column < leastTitle || notes == 0 {
		column, beside = room, false
	}
	short, fit := s.fitURLs(links, column), s.fitURLs(links, room)
	for i, r := range lines {
		name, below := s.line(r.title, column), []string{fit[i]}
		if r.title == "" {
			name, below = short[i], nil
		}
		switch {
		case !s.terminal:
			name, below = runewidth.FillRight(r.url, urls)+gap+r.title, nil
			if notes > 0 {
				name = runewidth.FillRight(r.note, notes) + gap + name
			}
		case r.note == "":
		case beside && runewidth.StringWidth(name) <= column:
			name = runewidth.FillRight(name, column) + gap + r.note
		default:
			below = append([]string{s.line(r.note, room)}, below...)
		}
		if i == 0 {
			below = nil
		}
		out[i] = strings.TrimRight(runewidth.FillRight(r.figures, before)+gap+name, " ")
		for _, l := range below {
			out[i] += "\n" + strings.Repeat(" ", before+len(gap)) + l
		}
	}
	return out
}

// pageFinding writes a figure, the title of a page, and lines below it. To fit a terminal, URLs at the ends of lines are cut in
// their middles, and other lines are folded.
func pageFinding(w io.Writer, figure, title string, lines ...string) {
	if title == "" {
		title, lines = lines[0], lines[1:]
	}
	indent := 2 * len(gap)
	if figure != "" {
		indent, figure = indent+runewidth.StringWidth(figure), figure+gap
	}
	fmt.Fprintf(w, "%s%s%s\n", gap, figure, detail(title, indent))
	for _, l := range lines {
		before, url := "", l
		if arrow, rest, ok := strings.Cut(l, " "); ok && (arrow == "→" || arrow == "←") {
			before, url = arrow+" ", rest
		}
		switch {
		case l == "":
		case strings.Contains(url, "://") && !strings.Contains(url, " "):
			url = stdout().cutURL(url, width()-indent-runewidth.StringWidth(before))
			fmt.Fprintf(w, "%*s%s%s\n", indent, "", before, url)
		default:
			stdout().fold(w, whole(l), indent, indent)
		}
	}
}

// sure formats a probability or a share. Only what is exactly 1 is 100 %.
func sure(p float64) string {
	if p < 1 {
		p = min(p, 0.994)
	}
	return fmt.Sprintf("%3.0f %%", 100*p)
}
