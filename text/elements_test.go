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

// Names are told as the tokenizer tells them, and none is longer than is looked at.
func TestElement(t *testing.T) {
	for a := range named {
		if len(a.String()) > maxName {
			t.Errorf("%v is longer than %d", a, maxName)
		}
	}
	for tag, want := range map[string]atom.Atom{
		"a>": atom.A, "A href=x>": atom.A, "Br/>": atom.Br, "h1\n>": atom.H1, "BLOCKQUOTE>": atom.Blockquote, "figcaption\t": atom.Figcaption,
		"blockquotes>": 0, "x-y>": 0, "a\x00>": 0, "a": 0, "": 0, ">": 0,
	} {
		if got := element([]byte(tag)); got != want {
			t.Errorf("%q is %v, not %v", tag, got, want)
		}
	}
}
