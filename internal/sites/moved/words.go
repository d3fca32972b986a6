package moved

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/lshclust/lshclust/internal/sets"
)

// Words splits a name or a path into its words: letters and digits in lower case. It also splits CamelCase, since paths
// have no spaces. The words are distinct and sorted.
func Words(s string) []string {
	var words []string
	begin, before := -1, ' '
	end := func(at int) {
		if begin >= 0 {
			words = append(words, strings.ToLower(s[begin:at]))
		}
		begin = -1
	}
	for at, r := range s {
		in := unicode.IsLetter(r) || unicode.IsDigit(r)
		if !in || unicode.IsUpper(r) && unicode.IsLower(before) {
			end(at)
		}
		if in && begin < 0 {
			begin = at
		}
		before = r
	}
	end(len(s))
	slices.Sort(words)
	return slices.Compact(words)
}

// Rarity counts how many pages have a word.
type Rarity struct {
	pages map[string]int
	n     int
}

// Add counts the words of one page.
func (r *Rarity) Add(words []string) {
	if r.pages == nil {
		r.pages = map[string]int{}
	}
	r.n++
	for _, w := range words {
		r.pages[w]++
	}
}

// weight returns the inverse document frequency of a word. A word on all pages weighs almost nothing.
func (r *Rarity) weight(word string) float64 {
	return math.Log1p(float64(r.n)) - math.Log(float64(r.pages[word])+0.5) + 0.05
}

// Similarity returns the weight of the words that two pages share, divided by the weight of all their words.
func (r *Rarity) Similarity(a, b []string) float64 { return sets.Alike(a, b, r.weight) }

// Alike returns the similarity of two short texts: the share of their pairs of adjacent characters that both have
// (Dice's coefficient), ignoring case and punctuation.
func Alike(a, b string) float64 {
	p, q := bigrams(a), bigrams(b)
	if len(p)+len(q) == 0 {
		return 0
	}
	return 2 * float64(len(sets.Intersect(nil, p, q))) / float64(len(p)+len(q))
}

// bigrams returns the sorted pairs of adjacent letters and digits, with the edges of the text as characters.
func bigrams(s string) (out []uint64) {
	before := rune(0)
	for _, r := range s {
		if r = unicode.ToLower(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, uint64(before)<<32|uint64(r))
			before = r
		}
	}
	if before != 0 {
		out = append(out, uint64(before)<<32)
	}
	slices.Sort(out)
	return out
}

// Bounds of Telling: the number of pages with one name from which on it says less, about the number of candidates of a
// page, and the number from which on it says nothing.
const (
	few  = 40
	many = 4000
)

// Telling returns the value of a name that n pages of a crawl have: 1 for few pages, which may all be candidates and
// then compete with each other, and 0 for many.
func Telling(n int) float64 {
	return min(1, max(0, 1-math.Log(float64(max(1, n))/few)/math.Log(many/few)))
}
