package readings

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tagName matches the name of a start or end tag.
var tagName = regexp.MustCompile(`</?([a-zA-Z0-9]+)[^>]*>`)

// TagsBetween returns the names of the tags between two pieces of a word, wherever the markup has only tags between
// them. It looks for three letters of each piece, and for one.
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

// Fostered reports whether two readings have the same letters, and all words of second, as split cuts them, are in a
// table but not in its cells or captions. The parser of browsers moves such text in front of the table.
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

// astray returns the words in tables that are in no cell and no caption of the table.
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
