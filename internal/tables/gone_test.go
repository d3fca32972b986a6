package tables

import (
	"cmp"
	"path/filepath"
	"slices"
	"testing"
)

// Every URL that is gone is found with its time, and no other one.
func TestGone(t *testing.T) {
	rows := []Gone{{"https://a.example/x", 5}, {"https://a.example/y", 0}, {"https://b.example/", -7}, {"urn:isbn:1", 1 << 40}}
	slices.SortFunc(rows, func(a, b Gone) int { return cmp.Compare(Hash(a.URL), Hash(b.URL)) })
	path := filepath.Join(t.TempDir(), GoneFile)
	w, err := CreateGone(path)
	must(t, err)
	for _, g := range rows {
		w.Add(g)
	}
	must(t, w.Close())
	table, err := OpenGone(path)
	must(t, err)
	defer table.Close()
	for i, g := range rows {
		if got, ok := table.Find(g.URL); !ok || got != g || table.At(i) != g {
			t.Errorf("%+v is found as %+v: %v", g, got, ok)
		}
	}
	for _, url := range []string{"", "https://a.example/", "https://b.example/x"} {
		if got, ok := table.Find(url); ok {
			t.Errorf("%q is found as %+v", url, got)
		}
	}
	if err := table.Err(); err != nil || table.Len() != len(rows) {
		t.Errorf("%d rows, error %v", table.Len(), err)
	}
}
