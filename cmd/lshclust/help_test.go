package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// typeName matches a flag whose value is named by a type of Go or of package pflag.
var typeName = regexp.MustCompile(`^ +(-\w, )?--[\w-]+ (u?int\d*|float\d*|string|strings|bytes\w*|duration|count|\w*(Slice|Array))( |$)`)

// TestHelpIsForPeople: --help of every command begins with examples, names the values of flags in words, and shows no
// number of bytes above 1 MiB without a unit and no list in brackets.
func TestHelpIsForPeople(t *testing.T) {
	for verb, c := range verbs() {
		usage := c.UsageString()
		if !strings.HasPrefix(usage, "Examples:\n  ") || !strings.Contains(c.Example, "lshclust "+verb) {
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
