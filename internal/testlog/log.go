package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// event is a line of go test -json: see go doc test2json.
type event struct {
	Action     string
	Package    string
	ImportPath string // set if a build failed
	Test       string
	Elapsed    float64 // in seconds
	Output     string
}

// duration is how long a package or a test took.
type duration struct {
	name    string
	seconds float64
}

// log collects events.
type log struct {
	out                     io.Writer
	said                    map[string][]string // output of each running test, and of each package
	tests                   map[string]int      // number of tests of each package that passed
	passed, failed, skipped int                 // numbers of tests, not counting subtests
	packages                int                 // number of packages that failed
	reasons                 map[string]int      // number of skipped tests by reason
	slow                    [2][]duration       // slowest packages, slowest tests
}

func newLog(out io.Writer) *log {
	return &log{out: out, said: map[string][]string{}, tests: map[string]int{}, reasons: map[string]int{}}
}

// short leaves out the path of the module.
func short(path string) string {
	_, name, _ := strings.Cut(path, "/lshclust/lshclust")
	return cmp.Or(strings.TrimPrefix(name, "/"), "lshclust")
}

// line processes one line of the input. It prints a line that is not an event, such as a message of the compiler.
func (l *log) line(b []byte) {
	var e event
	if b[0] != '{' || json.Unmarshal(b, &e) != nil {
		fmt.Fprintf(l.out, "%s", b)
		return
	}
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output":
		l.said[key] = append(l.said[key], e.Output)
	case "build-output":
		fmt.Fprint(l.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			l.endPackage(e)
		} else {
			l.endTest(e)
		}
		delete(l.said, key)
	}
}

func (l *log) endTest(e event) {
	said := l.said[e.Package+" "+e.Test]
	if e.Action == "fail" {
		fmt.Fprint(l.out, strings.Join(said, ""))
	}
	if strings.Contains(e.Test, "/") {
		if e.Action == "skip" {
			l.reasons[reason(said)]++
		}
		return
	}
	l.slow[1] = append(l.slow[1], duration{short(e.Package) + " " + e.Test, e.Elapsed})
	switch e.Action {
	case "pass":
		l.passed++
		l.tests[e.Package]++
	case "fail":
		l.failed++
	case "skip":
		l.skipped++
		l.reasons[reason(said)]++
	}
}

// reason returns the message of a skipped test without its place in the source.
func reason(said []string) string {
	for _, s := range said {
		if _, text, ok := strings.Cut(s, ".go:"); ok {
			_, text, _ = strings.Cut(text, ": ")
			return strings.TrimSpace(text)
		}
	}
	return "no reason given"
}

func (l *log) endPackage(e event) {
	if e.Action == "skip" { // it has no tests
		return
	}
	verdict := "ok  "
	if e.Action == "fail" {
		verdict = "FAIL"
		l.packages++
		for key, said := range l.said { // output of tests that a panic or the timeout ended, and of the package
			if strings.HasPrefix(key, e.Package+" ") {
				fmt.Fprint(l.out, strings.Join(said, ""))
			}
		}
	}
	if l.tests[e.Package] == 0 && e.Action == "pass" {
		return
	}
	l.slow[0] = append(l.slow[0], duration{short(e.Package), e.Elapsed})
	fmt.Fprintf(l.out, "%s  %-28s %4d tests %7.1f s\n", verdict, short(e.Package), l.tests[e.Package], e.Elapsed)
}

// list prints the packages and the tests that took longest.
func (l *log) list(most int) {
	for i, what := range []string{"packages", "tests"} {
		slices.SortFunc(l.slow[i], func(a, b duration) int { return cmp.Compare(b.seconds, a.seconds) })
		if n := min(most, len(l.slow[i])); n > 0 {
			fmt.Fprintf(l.out, "the slowest %s:\n", what)
			for _, d := range l.slow[i][:n] {
				fmt.Fprintf(l.out, "%8.1f s  %s\n", d.seconds, d.name)
			}
		}
	}
}

// end prints why tests were skipped and the last line, and reports whether all passed.
func (l *log) end(left int) bool {
	for _, why := range slices.Sorted(maps.Keys(l.reasons)) {
		fmt.Fprintf(l.out, "skipped %d: %s\n", l.reasons[why], why)
	}
	fmt.Fprintf(l.out, "tests: %d passed, %d failed, %d skipped\n", l.passed, l.failed, l.skipped)
	good := l.failed == 0 && l.packages == 0 && l.passed > 0
	if good && left > 0 {
		fmt.Fprintf(l.out, "%d tests passed, %d were left out: ./test.sh all runs them\n", l.passed, left)
	}
	return good
}
