package texts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// located is a text with the places of its shingles.
type located struct {
	text    []byte
	values  []uint64 // shingles in the order of the text
	spans   []shingles.Span
	byValue []int // indexes of values, sorted by value
}

// locate finds the places of the shingles of a text.
func locate(s *shingles.Shingler, text []byte) *located {
	l := &located{text: text}
	for value, span := range s.Locate(text) {
		l.values, l.spans = append(l.values, value), append(l.spans, span)
	}
	l.byValue = make([]int, len(l.values))
	for i := range l.byValue {
		l.byValue[i] = i
	}
	slices.SortFunc(l.byValue, func(i, j int) int { return cmp.Or(cmp.Compare(l.values[i], l.values[j]), cmp.Compare(i, j)) })
	return l
}

// passages returns the parts of the text that some shingles cover, longest first. The shingles are distinct and
// ascending.
func (l *located) passages(shared []uint64) (out []Passage) {
	var at []int // places of the shared shingles
	rest := l.byValue
	for _, v := range shared {
		n, _ := slices.BinarySearchFunc(rest, v, func(i int, v uint64) int { return cmp.Compare(l.values[i], v) })
		for rest = rest[n:]; len(rest) > 0 && l.values[rest[0]] == v; rest = rest[1:] {
			at = append(at, rest[0])
		}
	}
	slices.Sort(at)
	for len(at) > 0 {
		n := 1
		for n < len(at) && l.spans[at[n]].Start < l.spans[at[n-1]].End {
			n++
		}
		out = append(out, l.passage(l.spans[at[0]].Start, l.spans[at[n-1]].End))
		at = at[n:]
	}
	slices.SortStableFunc(out, func(a, b Passage) int { return cmp.Compare(b.Words, a.Words) })
	return out
}

func (l *located) passage(start, end int) Passage {
	p := Passage{Text: strings.Join(strings.Fields(string(l.text[start:end])), " "), start: start, end: end}
	for range shingles.Words(l.text[start:end], false) {
		p.Words++
	}
	return p
}

// sharedWith returns the shingles that a document and a page have in common, without the boilerplate of the page's host.
func sharedWith(r *runs.Run, document shingles.Stored, page uint32) []uint64 {
	mine, own := sides(r, document.Values, page)
	return sets.Intersect(nil, mine, own)
}

// longEnough reports whether a page with a share of the shingles of a document contains enough words of it in a row.
// If not all shingles or their places are known, it reports whether that is possible.
func longEnough(r *runs.Run, document shingles.Stored, text *located, page uint32, share float64, words int) bool {
	if share <= 0 || share*float64(document.Size) < float64(words-r.Config.Shingle+1) {
		return false
	}
	if len(text.values) == 0 || r.Sketched() {
		return true
	}
	passages := text.passages(sharedWith(r, document, page))
	return len(passages) > 0 && passages[0].Words >= words
}
