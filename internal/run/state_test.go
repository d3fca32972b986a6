package run

import (
	"fmt"
	"slices"
	"testing"
)

// TestReordered checks that two lists are reordered if they have the same inputs, each equally often, in different
// orders. Inputs are the same if their contents are or, if a digest is unknown, if their names are.
func TestReordered(t *testing.T) {
	in := func(path, digest string) Input { return Input{Path: path, Bytes: 7, Digest: digest} }
	a, b, c := in("a", "1"), in("b", "2"), in("c", "3")
	for _, x := range []struct {
		then, now []Input
		want      bool
	}{
		{[]Input{a, b}, []Input{a, b}, false}, {[]Input{a, b}, []Input{b, a}, true}, {[]Input{a, b}, []Input{b, c}, false},
		{[]Input{a, a, b}, []Input{a, b, b}, false}, {[]Input{a, a, b}, []Input{a, b, a}, true}, {[]Input{a, b}, []Input{b}, false},
		{[]Input{a, b}, []Input{in("moved", "2"), a}, true}, {[]Input{a, b}, []Input{{"b", 8, "2"}, a}, false},
		{[]Input{in("a", ""), in("b", "")}, []Input{in("b", ""), in("a", "")}, true}, {[]Input{a, b}, []Input{in("b", ""), in("a", "")}, true},
	} {
		if got := reordered(x.then, x.now); got != x.want {
			t.Errorf("%v then, %v now: %t", x.then, x.now, got)
		}
	}
}

// TestReorderedMany checks that reordered compares many inputs in one pass. If it compared pairs, this test would not
// end.
func TestReorderedMany(t *testing.T) {
	many := make([]Input, 200_000)
	for i := range many {
		many[i] = Input{Path: fmt.Sprint(i), Bytes: 1}
	}
	reverse := slices.Clone(many)
	slices.Reverse(reverse)
	if !reordered(many, reverse) {
		t.Error("the reverse is not another order")
	}
}
