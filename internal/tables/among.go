package tables

import (
	"cmp"
	"iter"
	"sort"

	"github.com/lshclust/lshclust/resemble"
)

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
