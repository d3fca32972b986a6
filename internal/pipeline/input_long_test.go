package pipeline_test

import (
	"slices"
	"testing"
)

// Much larger pages than in TestBadInput, of 50 MB and of 100,000 links.
func TestLongBadInput(t *testing.T) {
	large := []string{"a page that is too big", "too many <", "many links to one target", "many targets", "an anchor of many words", "gzip that stops"}
	badInput(t, preset(t, "web"), slices.DeleteFunc(badInputs(t, 100_000, 50<<20), func(b bad) bool { return !slices.Contains(large, b.name) }))
}
