package pipeline

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
)

// The most frequent word of a term is shown for it, the first in alphabetical order if there are several, and the same
// for the term of links and that of content.
func TestWordReader(t *testing.T) {
	var all []byte
	for _, r := range []struct {
		term  uint64
		word  string
		count uint64
	}{{3, "apple", 2}, {3, "apples", 5}, {4, "pear", 1}, {4, "pears", 1}, {9, "unused", 1}, {12, "plum", 1}} {
		var rec [wordSize]byte
		all = append(all, wordRecord(&rec, r.term, r.word, r.count)...)
	}
	words := wordReader{all: all, rest: all}
	var got []string
	for _, term := range []bags.Term{3, 7, 12, bags.Term(3).OfContent(), bags.Term(4).OfContent(), bags.Term(12).OfContent()} {
		got = append(got, words.best(term))
	}
	if want := []string{"apples", "", "plum", "apples", "pear", "plum"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
