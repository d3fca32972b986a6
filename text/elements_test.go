package text

import (
	"testing"

	"golang.org/x/net/html/atom"
)

// The table of kinds stands on how large atoms are.
func TestKinds(t *testing.T) {
	for a, k := range named {
		if kindOf(a) != k {
			t.Errorf("%v is out of the range of the table", a)
		}
	}
	if kindOf(0) != inline || kindOf(atom.Span) != inline || kindOf(1<<31) != inline {
		t.Error("an element that is not named is not inline")
	}
}
