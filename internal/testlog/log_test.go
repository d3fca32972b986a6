package main

import (
	"strings"
	"testing"
)

const module = "github.com/lshclust/lshclust"

// events are what go test -json prints, shortened: tests that pass, are skipped, have parts, fail, and are ended by a
// panic.
const events = `
{"Action":"start","Package":"` + module + `/bags"}
{"Action":"output","Package":"` + module + `/bags","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"pass","Package":"` + module + `/bags","Test":"TestA","Elapsed":0.25}
{"Action":"output","Package":"` + module + `/bags","Test":"TestB/x","Output":"    b_test.go:7: no data: set X\n"}
{"Action":"skip","Package":"` + module + `/bags","Test":"TestB/x","Elapsed":0}
{"Action":"pass","Package":"` + module + `/bags","Test":"TestB","Elapsed":0.5}
{"Action":"output","Package":"` + module + `/bags","Test":"TestC","Output":"    c_test.go:9: no data: set X\n"}
{"Action":"skip","Package":"` + module + `/bags","Test":"TestC","Elapsed":0}
{"Action":"pass","Package":"` + module + `/bags","Elapsed":1.5}
{"Action":"skip","Package":"` + module + `/none","Elapsed":0}
`

const failures = `
{"Action":"output","Package":"` + module + `","Test":"TestD","Output":"    d_test.go:3: got 1\n"}
{"Action":"fail","Package":"` + module + `","Test":"TestD","Elapsed":0.1}
{"Action":"output","Package":"` + module + `","Test":"TestE","Output":"panic: oh\n"}
{"Action":"fail","Package":"` + module + `","Elapsed":0.2}
`

func logged(t *testing.T, in string, left int) (string, bool) {
	t.Helper()
	var out strings.Builder
	l := newLog(&out)
	if err := l.readAll(strings.NewReader(strings.TrimSpace(in))); err != nil {
		t.Fatal(err)
	}
	l.list(1)
	good := l.end(left)
	return out.String(), good
}

func TestLog(t *testing.T) {
	got, good := logged(t, events, 12)
	want := `ok    bags                            2 tests     1.5 s
the slowest packages:
     1.5 s  bags
the slowest tests:
     0.5 s  bags TestB
skipped 2: no data: set X
tests: 2 passed, 0 failed, 1 skipped
2 tests passed, 12 were left out: ./test.sh all runs them
`
	if got != want || !good {
		t.Errorf("%v:\n%s", good, got)
	}
}

func TestLogOfFailures(t *testing.T) {
	got, good := logged(t, events+failures, 12)
	if good {
		t.Error("failures pass")
	}
	for _, want := range []string{"d_test.go:3: got 1", "panic: oh", "FAIL  lshclust", "tests: 2 passed, 1 failed, 1 skipped"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if strings.Contains(got, "TestA") {
		t.Errorf("a test that passed shows:\n%s", got)
	}
	if _, good := logged(t, `{"Action":"pass","Package":"x","Elapsed":1}`, 0); good {
		t.Error("no test passes")
	}
}
