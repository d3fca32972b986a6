package readings

import (
	"slices"
	"strings"
	"testing"
)

func TestTagsBetween(t *testing.T) {
	page := []byte(`<p>three</div></B>four five <i>six</i> threefour`)
	if got := TagsBetween(page, "three", "four"); !slices.Equal(got, []string{"div", "b"}) {
		t.Errorf("%q", got)
	}
	if got := TagsBetween(page, "five", "six"); got != nil {
		t.Errorf("%q over white space", got)
	}
}

func TestFostered(t *testing.T) {
	page := []byte(`<p>one<table>two<tr><td>three<table><tr>four<td>five</table>six</td>seven</tr></table>eight`)
	split := func(s []byte) []string { return strings.Fields(string(s)) }
	for _, word := range []string{"two", "four", "seven"} {
		if !Fostered([]string{word}, []string{word}, page, split) {
			t.Errorf("%s is not astray", word)
		}
	}
	for _, word := range []string{"one", "three", "five", "six", "eight"} {
		if Fostered([]string{word}, []string{word}, page, split) {
			t.Errorf("%s is astray", word)
		}
	}
	if Fostered([]string{"one", "two"}, []string{"two"}, page, split) {
		t.Error("other letters")
	}
}
