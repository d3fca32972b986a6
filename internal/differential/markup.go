package differential

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tagName is the name of a start or end tag.
var tagName = regexp.MustCompile(`</?([a-zA-Z0-9]+)[^>]*>`)

// TagsBetween gives the names of the tags that stand between two pieces of a word wherever the markup has nothing but tags
// between them; of the pieces three letters are looked at, and one.
func TagsBetween(page []byte, before, after string) (names []string) {
	runes := []rune(before)
	before = string(runes[max(0, len(runes)-3):])
	between := regexp.MustCompile(regexp.QuoteMeta(before) + `['’]?((?:</?[a-zA-Z0-9]+[^>]*>)+)` + regexp.QuoteMeta(after[:1]))
	for _, found := range between.FindAllSubmatch(page, -1) {
		for _, tag := range tagName.FindAllSubmatch(found[1], -1) {
			names = append(names, strings.ToLower(string(tag[1])))
		}
	}
	return names
}

// Fostered tells whether two readings have the same letters, and all words of the second one, cut by split, stand in a
// table and in no cell or caption of it: the parser of browsers moves such text in front of the table.
func Fostered(first, second []string, page []byte, split func([]byte) []string) bool {
	if sorted(first) != sorted(second) {
		return false
	}
	words := astray(page, split)
	return !slices.ContainsFunc(second, func(w string) bool { return !words[w] })
}

func sorted(words []string) string {
	s := []rune(strings.Join(words, ""))
	slices.Sort(s)
	return string(s)
}

// astray are the words in tables that stand in no cell and no caption of theirs.
func astray(page []byte, split func([]byte) []string) map[string]bool {
	words, depth, cells := map[string]bool{}, 0, 0
	for z := html.NewTokenizer(bytes.NewReader(page)); ; {
		step := 0
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			return words
		case html.TextToken:
			if depth > cells {
				for _, w := range split(z.Text()) {
					words[w] = true
				}
			}
			continue
		case html.StartTagToken:
			step = 1
		case html.EndTagToken:
			step = -1
		}
		name, _ := z.TagName()
		switch atom.Lookup(name) {
		case atom.Table:
			depth = max(depth+step, 0)
			cells = min(cells, depth)
		case atom.Td, atom.Th, atom.Caption:
			cells = min(max(cells+step, 0), depth)
		case atom.Tr:
			cells = min(cells, max(depth-1, 0))
		}
	}
}
