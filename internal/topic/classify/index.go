package classify

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
)

// Index finds the examples that are nearest to a bag. It holds, for each term, the examples whose bags contain it.
type Index struct {
	bags  []bags.Bag
	sums  []int
	first []uint32 // first posting of each term
	posts []posting
}

type posting struct {
	example int32
	count   uint16
}

// mostPostings bounds the postings that are read for one bag. On the directory set, 8,105 labelled documents, a bag has
// 1,700 on average. Only if there are some hundreds of thousands of examples are the common terms of a bag left out;
// then the best of the examples with a rarer term are compared exactly.
const mostPostings = 1 << 18

// mostCompared is the number of examples that are compared exactly if common terms were left out.
const mostCompared = 1 << 10

// NewIndex makes the index of the bags of the examples.
func NewIndex(all []bags.Bag) *Index {
	x := &Index{bags: all, sums: make([]int, len(all))}
	terms := 0
	for i, b := range all {
		x.sums[i] = b.Sum()
		if n := b.Len(); n > 0 {
			terms = max(terms, int(b.Terms[n-1])+1)
		}
	}
	x.first = make([]uint32, terms+1)
	for _, b := range all {
		for _, t := range b.Terms {
			x.first[t+1]++
		}
	}
	for t := range terms {
		x.first[t+1] += x.first[t]
	}
	x.posts = make([]posting, x.first[terms])
	next := slices.Clone(x.first)
	for i, b := range all {
		for j, t := range b.Terms {
			x.posts[next[t]] = posting{int32(i), b.Counts[j]}
			next[t]++
		}
	}
	return x
}

// postings returns the examples with a term.
func (x *Index) postings(term uint32) []posting {
	if int(term)+1 >= len(x.first) {
		return nil
	}
	return x.posts[x.first[term]:x.first[term+1]]
}

// Search is a search of an index. It has buffers of its own, so that each goroutine needs one.
type Search struct {
	index   *Index
	overlap []int32 // with each example
	met     []int32
	order   []int
	Cut     bool // the last search left out common terms
}

// NewSearch returns a search of the index.
func (x *Index) NewSearch() *Search { return &Search{index: x, overlap: make([]int32, len(x.bags))} }

// Near returns the neighbours of a bag: the nearest examples, and the nearest that no page links to together with it,
// at most `most` of each. skip leaves examples out, and together tells of an example whether a page links to it and
// the document.
func (s *Search) Near(b bags.Bag, most int, skip, together func(example int32) bool) Lists {
	s.walk(b)
	sum := b.Sum()
	similarity := func(i int32) float64 {
		if s.Cut {
			return bags.Similarity(b, s.index.bags[i])
		}
		shared := int(s.overlap[i])
		return float64(shared) / float64(sum+s.index.sums[i]-shared)
	}
	if s.Cut && len(s.met) > mostCompared {
		slices.SortFunc(s.met, func(a, b int32) int { return cmp.Or(cmp.Compare(s.overlap[b], s.overlap[a]), cmp.Compare(a, b)) })
		for _, i := range s.met[mostCompared:] {
			s.overlap[i] = 0
		}
		s.met = s.met[:mostCompared]
	}
	all, apart := nearest{most: most}, nearest{most: most}
	for _, i := range s.met {
		if !skip(i) {
			n := Neighbour{Example: i, Similarity: similarity(i)}
			if all.wants(n) || apart.wants(n) {
				n.Together = together(i)
				all.add(n)
				if !n.Together {
					apart.add(n)
				}
			}
		}
		s.overlap[i] = 0
	}
	return Lists{all.list, apart.list}
}

// walk adds up the overlap of the bag with all examples, the rarest terms first.
func (s *Search) walk(b bags.Bag) {
	s.order = s.order[:0]
	for i := range b.Terms {
		s.order = append(s.order, i)
	}
	slices.SortFunc(s.order, func(i, j int) int {
		return cmp.Or(cmp.Compare(len(s.index.postings(b.Terms[i])), len(s.index.postings(b.Terms[j]))), cmp.Compare(i, j))
	})
	s.met, s.Cut = s.met[:0], false
	read := 0
	for _, i := range s.order {
		posts := s.index.postings(b.Terms[i])
		if read += len(posts); read > mostPostings && read > len(posts) {
			s.Cut = true
			return
		}
		for _, p := range posts {
			if s.overlap[p.example] == 0 {
				s.met = append(s.met, p.example)
			}
			s.overlap[p.example] += int32(min(p.count, b.Counts[i]))
		}
	}
}

// nearest keeps the nearest neighbours that it is given, in order.
type nearest struct {
	most int
	list []Neighbour
}

func byNearness(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Example, b.Example))
}

// wants reports whether add would keep a neighbour.
func (k *nearest) wants(n Neighbour) bool {
	return len(k.list) < k.most || k.most > 0 && byNearness(n, k.list[len(k.list)-1]) < 0
}

func (k *nearest) add(n Neighbour) {
	if !k.wants(n) {
		return
	}
	at, _ := slices.BinarySearchFunc(k.list, n, byNearness)
	if len(k.list) == k.most {
		k.list = k.list[:k.most-1]
	}
	k.list = slices.Insert(k.list, at, n)
}
