package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// pageRow is a row of a list of pages, or its header.
type pageRow struct{ figures, title, note, url string }

// leastTitle is the least room for a title beside a note.
const leastTitle = 24

// pageList writes pages under a header, which may be zero.
func pageList(w io.Writer, header pageRow, rows []pageRow) {
	for i, l := range pageLines(header, rows) {
		if i > 0 || header != (pageRow{}) {
			fmt.Fprintln(w, l)
		}
	}
}

// pageLines lays out a header and pages. On a terminal, the URL of a page is below its title, and so is a note for which
// there is no room beside it. Elsewhere a page has one line, on which nothing is cut.
func pageLines(header pageRow, rows []pageRow) []string {
	var before, titles, notes, urls int
	lines := append([]pageRow{header}, rows...)
	for _, r := range lines {
		before, notes = max(before, runewidth.StringWidth(r.figures)), max(notes, runewidth.StringWidth(r.note))
		titles, urls = max(titles, runewidth.StringWidth(whole(r.title))), max(urls, runewidth.StringWidth(whole(r.url)))
	}
	s, out := stdout(), make([]string, len(lines))
	room := s.columns - before - len(gap)
	column := room - notes - len(gap)
	beside := notes == 0 || column >= leastTitle
	column = min(column, max(titles, leastTitle))
	for i, r := range lines {
		var columns []string
		switch figures := runewidth.FillRight(r.figures, before); {
		case !s.terminal:
			columns = []string{figures, runewidth.FillRight(r.note, notes), runewidth.FillRight(whole(r.url), urls), whole(r.title)}
			if notes == 0 {
				columns = append(columns[:1], columns[2:]...)
			}
		case beside && notes > 0:
			columns = []string{figures, s.pad(r.named(s, column), column), r.note}
		default:
			columns = []string{figures, s.line(r.named(s, room), room)}
		}
		out[i] = strings.TrimRight(strings.Join(columns, gap), " ")
		if i == 0 || !s.terminal {
			continue
		}
		below := "\n" + strings.Repeat(" ", before+len(gap))
		if !beside && r.note != "" {
			out[i] += below + s.line(r.note, room)
		}
		if url, _ := s.cutURL(r.url, room); r.title != "" {
			out[i] += below + url
		}
	}
	return out
}

// named returns the title of a page, or else its URL.
func (r *pageRow) named(s screen, room int) string {
	if r.title != "" {
		return r.title
	}
	url, _ := s.cutURL(r.url, room)
	return url
}
