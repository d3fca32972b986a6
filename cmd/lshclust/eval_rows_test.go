package main

import (
	"encoding/csv"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// scriptSameRows holds a CSV file to name the columns in its first line, and a TSV file to have the same rows, behind a
// line of the names or without one.
func scriptSameRows(ts *testscript.TestScript, neg bool, args []string) {
	need(ts, !neg && len(args) > 2, "samerows FILE.csv FILE.tsv COLUMN...")
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[0]))).ReadAll()
	ts.Check(err)
	if len(rows) < 2 || !slices.Equal(rows[0], args[2:]) {
		ts.Fatalf("%s: %d rows, the first is %q", args[0], len(rows), rows[:min(1, len(rows))])
	}
	var lines [][]string
	for l := range strings.Lines(ts.ReadFile(args[1])) {
		lines = append(lines, strings.Split(strings.TrimRight(l, "\n"), "\t"))
	}
	if len(lines) > 0 && strings.TrimPrefix(strings.Join(lines[0], " "), "# ") == strings.Join(args[2:], " ") {
		lines = lines[1:]
	}
	if !slices.EqualFunc(rows[1:], lines, slices.Equal) {
		ts.Fatalf("%s and %s have other rows: %d and %d, the first %q and %q", args[0], args[1], len(rows)-1, len(lines), rows[1], lines[:min(1, len(lines))])
	}
}
