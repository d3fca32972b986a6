package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

// fromLine tells how much of a bag comes from where, unless all of it comes from links.
func fromLine(s query.Origins) string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{s.Links, "links"}, {s.Title, "its title"}, {s.Content, "its content"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d from %s", p.n, p.name))
		}
	}
	if s.Title+s.Content == 0 {
		return ""
	}
	return ", " + strings.Join(parts, ", ")
}

// explainOwn lists the terms of one side that come from the page itself.
func explainOwn(w io.Writer, x *query.Explanation, name rune, s query.Side) {
	for _, source := range []struct {
		name string
		of   func(query.Origins) int
	}{
		{"title", func(s query.Origins) int { return s.Title }},
		{"content", func(s query.Origins) int { return s.Content }},
	} {
		var words []string
		for _, t := range x.Terms {
			from := t.AFrom
			if name == 'B' {
				from = t.BFrom
			}
			if n := source.of(from); n > 0 {
				words = append(words, fmt.Sprintf("%s %d", t.Word, n))
			}
		}
		if len(words) > 0 {
			lead := fmt.Sprintf("  from the %s of %c, sum %d: ", source.name, name, source.of(s.From))
			fmt.Fprintln(w, lead+line(strings.Join(words, ", "), width()-len(lead)))
		}
	}
}
