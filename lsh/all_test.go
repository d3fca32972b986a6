package lsh

import (
	"slices"
	"testing"
)

// TestAll compares All with Pairs, leaves the loop early, and passes a configuration that cannot be used.
func TestAll(t *testing.T) {
	r := newRows(40, 7)
	sigs := r.group(300, 0.9).group(150, 0.5).signatures()
	x := mustIndex(t, 40, 2, 70, 3)
	want, _ := pairsOf(t, x, sigs, Config{Floor: 0.3})
	var got []Pair
	for p, err := range x.All(sigs, Config{Floor: 0.3}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, p)
	}
	for _, pairs := range [][]Pair{want, got} {
		slices.SortFunc(pairs, func(a, b Pair) int { return int(int64(a.A)<<32+int64(a.B)) - int(int64(b.A)<<32+int64(b.B)) })
	}
	if !slices.Equal(got, want) || len(want) < 1000 {
		t.Errorf("%d pairs, want %d", len(got), len(want))
	}
	n := 0
	for range x.All(sigs, Config{}) {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("%d pairs after leaving the loop at 10", n)
	}
	n = 0
	for _, err := range x.All(sigs, Config{Floor: 2}) {
		if n++; err == nil {
			t.Error("a floor of 2 is accepted")
		}
	}
	if n != 1 {
		t.Errorf("%d errors", n)
	}
}
