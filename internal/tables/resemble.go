package tables

import (
	"cmp"
	"iter"
	"sort"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// similarWords is the number of 4-byte numbers of a pair in similar.lsh: both pages, the exact counts of A, B and both,
// and the sampled ones.
const similarWords = 8

var similarTable = kind{"similar", 1}

type similarColumns struct {
	words numbers32 `lsh:"pair,stream"`
}

// SimilarWriter writes similar.lsh in order of (A, B).
type SimilarWriter struct {
	writer
	similarColumns
}

// CreateSimilar starts similar.lsh.
func CreateSimilar(path string) *SimilarWriter {
	w := new(SimilarWriter)
	w.writer = similarTable.create(path, &w.similarColumns)
	return w
}

// Add appends a pair.
func (w *SimilarWriter) Add(p resemble.Pair) {
	for _, x := range [similarWords]int{int(p.A), int(p.B), p.Exact.A, p.Exact.B, p.Exact.Both, p.Sample.A, p.Sample.B, p.Sample.Both} {
		w.words.Add(uint32(x))
	}
}

// Similar reads similar.lsh, which holds the pairs of pages that resemble or contain each other.
type Similar struct {
	file
	similarColumns
}

// OpenSimilar opens similar.lsh.
func OpenSimilar(path string) (*Similar, error) {
	s := new(Similar)
	return s, similarTable.open(path, &s.file, &s.similarColumns, func() bool { return s.words.Len()%similarWords == 0 })
}

// Len returns the number of pairs.
func (s *Similar) Len() int { return s.words.Len() / similarWords }

// At returns pair i, or the zero Pair if there is none.
func (s *Similar) At(i int) resemble.Pair {
	x := s.words.Slice(i*similarWords, (i+1)*similarWords)
	if len(x) == 0 {
		return resemble.Pair{}
	}
	overlap := func(a, b, both uint32) shingles.Overlap {
		return shingles.Overlap{A: int(a), B: int(b), Both: int(both)}
	}
	return resemble.Pair{A: x[0], B: x[1], Exact: overlap(x[2], x[3], x[4]), Sample: overlap(x[5], x[6], x[7])}
}

// Find returns the pair of two pages.
func (s *Similar) Find(a, b uint32) (p resemble.Pair, ok bool) {
	low, high := min(a, b), max(a, b)
	i, ok := sort.Find(s.Len(), func(i int) int {
		p := s.At(i)
		return cmp.Or(cmp.Compare(low, p.A), cmp.Compare(high, p.B))
	})
	if ok {
		p = s.At(i)
	}
	return p, ok
}

// All yields the pairs in order.
func (s *Similar) All() iter.Seq2[resemble.Pair, error] {
	return func(yield func(resemble.Pair, error) bool) {
		for i := range s.Len() {
			if !yield(s.At(i), nil) {
				return
			}
		}
	}
}

// Of yields the pairs of one page. The pairs with the page as B are scattered over all pairs before it, so Of reads
// all of these.
func (s *Similar) Of(page uint32) iter.Seq[resemble.Pair] {
	return func(yield func(resemble.Pair) bool) {
		first := sort.Search(s.Len(), func(i int) bool { return s.words.At(i*similarWords) >= page })
		words := s.words.Slice(0, first*similarWords)
		for i := range first {
			if words[i*similarWords+1] == page && !yield(s.At(i)) {
				return
			}
		}
		for i := first; i < s.Len() && s.words.At(i*similarWords) == page; i++ {
			if !yield(s.At(i)) {
				return
			}
		}
	}
}

// Among yields the pairs whose pages are both in a set, which is distinct and ascending, with the places of the
// pairs, in order. It looks the pairs up: for each page it reads a bounded number of pairs for each of the page's own
// pairs or for each page of the set, whichever are fewer.
func (s *Similar) Among(pages []uint32) iter.Seq2[int, resemble.Pair] {
	return func(yield func(int, resemble.Pair) bool) {
		at := 0
		for i, a := range pages {
			rest := pages[i+1:]
			for at = s.from(at, a, 0); len(rest) > 0 && at < s.Len() && s.words.At(at*similarWords) == a; {
				b := s.words.At(at*similarWords + 1)
				rest = rest[gallop(len(rest), func(i int) bool { return rest[i] >= b }):]
				switch {
				case len(rest) == 0:
				case rest[0] > b:
					at = s.from(at, a, rest[0])
				case !yield(at, s.At(at)):
					return
				default:
					at++
				}
			}
		}
	}
}

// from returns the first place, from at on, of a pair that is not less than (a, b).
func (s *Similar) from(at int, a, b uint32) int {
	return at + gallop(s.Len()-at, func(i int) bool {
		i = (at + i) * similarWords
		return cmp.Or(cmp.Compare(s.words.At(i), a), cmp.Compare(s.words.At(i+1), b)) >= 0
	})
}

// gallop returns the least i below n for which reached is true, or n. It takes steps of doubling length from 0, so
// that it finds a small i fast.
func gallop(n int, reached func(i int) bool) int {
	low, high := 0, 1 // not reached before low
	for high <= n && !reached(high-1) {
		low, high = high, 2*high
	}
	high = min(high, n)
	return low + sort.Search(high-low, func(i int) bool { return reached(low + i) })
}
