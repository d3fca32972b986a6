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
		got := string(p.HTML([]byte(c.html)).Opening(nil))
		if got != c.want || !utf8.ValidString(got) {
			t.Errorf("%.60s: %q, want %q", c.html, got, c.want)
		}
	}
}

func TestHeadingLines(t *testing.T) {
	long := strings.Repeat("ü", mostHeading)
	for _, c := range []struct{ html, want string }{
		{"<h1>Trees</h1><p>Text<h3>Oak <b>and</b> ash</h3><h2></h2><h2>C++</h2><h2>.NET!</h2>", "1Trees\n3Oak and ash\n2\n2C++\n2.NET\n"},
		{"<h2>one<br>two<div>three</div></h2>", "2one two\n"},
		{"<h6>" + long + "</h6>", "6" + long[:mostHeading] + "\n"},
		{"<p>Text", ""},
		{strings.Repeat("<h4>a</h4>", mostHeadings+1), strings.Repeat("4a\n", mostHeadings)},
	} {
		var p Parser
		if got := string(p.HTML([]byte(c.html)).Headings()); got != c.want {
			t.Errorf("%.60s: %q, want %q", c.html, got, c.want)
		}
	}
}
