package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// typeName matches a flag whose value is named by a type of Go or of package pflag.
var typeName = regexp.MustCompile(`^ +(-\w, )?--[\w-]+ (u?int\d*|float\d*|string|strings|bytes\w*|duration|count|\w*(Slice|Array))( |$)`)

// TestHelpIsForPeople checks that --help of every command begins with examples, names the values of flags in words,
// and shows no number of bytes above 1 MiB without a unit and no list in brackets.
func TestHelpIsForPeople(t *testing.T) {
	for verb, c := range verbs() {
		c.InitDefaultHelpFlag()
		var b strings.Builder
		c.SetOut(&b)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		first, usage, _ := strings.Cut(b.String(), "\n\n")
		if first != paragraphs(c.Short) || !strings.HasPrefix(usage, "Examples:\n  ") || !strings.Contains(c.Example, "lshclust "+verb) {
			t.Errorf("%s: no example of the command comes first: %.60q", verb, usage)
		}
		if text := c.Long + c.Example; strings.Contains(text, `\n`) || strings.Contains(text, `\t`) {
			t.Errorf("%s: an escape that is printed as it is: %s", verb, text)
		}
		_, flags, _ := strings.Cut(usage, "\nUsage:\n")
		for l := range strings.Lines(flags) {
			if typeName.MatchString(l) {
				t.Errorf("%s: a type of Go: %s", verb, l)
			}
			if strings.Contains(l, "(default [") {
				t.Errorf("%s: brackets: %s", verb, l)
			}
			for _, digits := range regexp.MustCompile(`[0-9]+`).FindAllString(l, -1) {
				if n, err := strconv.ParseInt(digits, 10, 64); (err != nil || n > 1<<20) && !strings.Contains(l, "TIME") {
					t.Errorf("%s: %s without a unit: %s", verb, digits, l)
				}
			}
		}
	}
}

// TestHelpFolds checks that lists wider than the screen are folded next to the names, that comments of wide examples
// are above them, and that other text stays as it is.
func TestHelpFolds(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for text, want := range map[string]string{
		"A text:\n  a b   short\n  long  " + long + "and\n        more": "A text:\n  a b   short\n  long  " +
			strings.Repeat("word ", 19) + "word\n        " + strings.Repeat("word ", 10) + "and more",
		"One.\n\n  x  y\n     z\nTwo\nlines.": "One.\n\n  x  y\n     z\nTwo lines.",
	} {
		if got := paragraphs(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	command := "  lshclust cluster -o RUN " + strings.Repeat("x", 80)
	if got, want := examples("  a  # short\n"+command+"  # why"), "  a  # short\n  # why\n"+command; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHelpGroups checks that --help of lshclust itself shows every command that is not hidden, in a group.
func TestHelpGroups(t *testing.T) {
	root := newRoot()
	root.InitDefaultHelpCmd()
	var b strings.Builder
	root.SetOut(&b)
	if err := root.Help(); err != nil {
		t.Fatal(err)
	}
	for _, c := range root.Commands() {
		if shown := strings.Contains(b.String(), "\n  "+c.Name()+" "); shown == c.Hidden && c.Name() != "help" {
			t.Errorf("%s: hidden is %v, shown is %v", c.Name(), c.Hidden, shown)
		}
	}
	for name := range alsoCalled {
		if c, _, err := root.Find([]string{name}); err != nil || c == root {
			t.Errorf("there is no command %s", name)
		}
	}
}
