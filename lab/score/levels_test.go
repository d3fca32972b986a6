package score

import (
	"errors"
	"strings"
	"testing"
)

func labelsOf(rows ...string) (out []Label) {
	for _, r := range rows {
		url, path, _ := strings.Cut(r, " ")
		out = append(out, Label{URL: "https://" + url, Path: strings.Split(path, "/")})
	}
	return out
}

// A gold by which any neighbour would agree, or none could, is refused with the reason; a single such level gives a
// warning.
func TestTells(t *testing.T) {
	for _, c := range []struct {
		name, missing string // the absent target
		labels        []Label
		says          string // of the error
		warns         string
	}{
		{"two categories", "", labelsOf("a A", "b A", "c B", "d B"), "", ""},
		{"one category", "", labelsOf("a All", "b All", "c All"), "all 3 targets at hand are in the category All, so any neighbour agrees", ""},
		{"one category that all share among others", "", labelsOf("a A", "a X", "b A", "b Y", "c A"), "in the category A", ""},
		{"one category on each level", "", labelsOf("a A/B", "b A/B"), "in the category A, so any neighbour agrees; all 2 targets at hand are in the category A/B", ""},
		{"one category at hand", "c", labelsOf("a A", "b A", "c B"), "all 2 targets at hand are in the category A", ""},
		{"one target at hand", "b", labelsOf("a A", "b A"), "the run holds 1 of 2 targets, and a pair needs two", ""},
		{"a category for each", "", labelsOf("a A", "b B", "c C"), "no two of the 3 targets at hand are in the same category", ""},
		{"a top that all share", "", labelsOf("a Top/A", "b Top/A", "c Top/B"), "", "level 1 tells nothing: all 3 targets at hand are in the category Top"},
		{"a level without pairs", "", labelsOf("a A/X", "b A/Y", "c B/Z"), "", "level 2 tells nothing: no two of the 3 targets"},
		{"a level that some have", "", labelsOf("a A/X", "b A/X", "c B"), "", ""},
	} {
		d, err := NewDirectory(c.labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		warnings, err := d.CheckLevels(func(i int) bool { return d.URL(i) != "https://"+c.missing }, "the run holds")
		switch {
		case c.says == "" && err != nil, c.says != "" && !errors.Is(err, ErrTellsNothing):
			t.Errorf("%s: %v", c.name, err)
		case err != nil && !strings.Contains(err.Error(), c.says):
			t.Errorf("%s: %v, want %s", c.name, err, c.says)
		}
		if got := strings.Join(warnings, "; "); c.warns == "" && got != "" || !strings.Contains(got, c.warns) {
			t.Errorf("%s: warns %q, want %q", c.name, got, c.warns)
		}
	}
}
