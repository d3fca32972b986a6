package main

import (
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/query"
	"github.com/mattn/go-runewidth"
)

// mostRounds is the greatest value of --rounds. After a few rounds nothing is found any more.
const mostRounds = 100

// relatedMarksOf returns a column of a table of neighbours that follows their similarities: + if a neighbour was found
// by expansion, ·N if N pages link to both. All its cells have the same width and end with spaces.
func relatedMarksOf(near []query.Neighbour) []string {
	together := make([]string, len(near))
	for i, n := range near {
		if n.Together > 0 {
			together[i] = fmt.Sprintf(" ·%d  ", n.Together)
		}
	}
	column := max(1, widest(together))
	for i, n := range near {
		plus := " "
		if n.Found.Round() > 0 {
			plus = "+"
		}
		together[i] = plus + runewidth.FillRight(together[i], column)
	}
	return together
}

// relatedMarks tells which marks a command has shown.
type relatedMarks struct{ plus, dot bool }

func (m *relatedMarks) see(near []query.Neighbour) {
	for _, n := range near {
		m.plus, m.dot = m.plus || n.Found.Round() > 0, m.dot || n.Together > 0
	}
}

// String explains the marks that were shown. It is empty if there were none.
func (m *relatedMarks) String() string {
	var parts []string
	if m.plus {
		parts = append(parts, "+ a neighbour of a neighbour")
	}
	if m.dot {
		parts = append(parts, "·N listed together on N pages")
	}
	return strings.Join(parts, "; ")
}
