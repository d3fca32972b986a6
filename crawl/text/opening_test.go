package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOpening(t *testing.T) {
	const (
		menu  = "<p><a href=1>The first place to go to</a> | <a href=2>the second place to go to</a> | <a href=3>and the third place</a></p>"
		blurb = "<p>This site has been about trees since 1999, and it is made by people who like trees.</p>"
		first = "An apple tree bears fruit after four years, if it stands in the sun and is cut in winter."
		then  = "A pear tree takes twice as long, and it likes a wall at its back that keeps the heat of the day."
	)
	long := strings.Repeat("Fruit trees want sun. ", 30)
	for _, c := range []struct{ html, want string }{
		{menu + blurb + "<h1>Trees</h1><p>By me<p>" + first + "<p>" + then, first + " " + then},
		{menu + "<p>" + first, first},
		{"<p>" + first + "<h1>Trees</h1><p>By me", first},
		{menu + "<a href=4><p>" + first + "</p></a><p>" + then, then},
		{"<p>" + long, strings.Repeat("Fruit trees want sun. ", 13) + "Fruit trees…"},
		{"<p>" + strings.Repeat("木", 200), strings.Repeat("木", 99) + "…"},
		{"<p>Short.", ""}, {"", ""},
	} {
		var p Parser
		got := string(p.HTML([]byte(c.html)).Opening())
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("%.60s: %q, want %q", c.html, got, c.want)
		}
	}
}
