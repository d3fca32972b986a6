package workload

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
)

// Bags is a world of documents with bags. [Bags.Cluster] builds a run from it as if it had read pages, followed
// redirects, and grouped and weighed the words around links.
//
// Its documents are the pages of the Config. A bag has as many terms as bags of the directory set have with the preset
// web. The documents are on lists of 1 to 66 entries, one list each. The bags of a list share the words of its headings,
// and entries near each other also share the words between them, as overlapping windows do. Planted documents come in
// groups of bagGroup: a first bag, and others that share a known number of elements with it.
type Bags struct {
	world    *World
	sum      int
	terms    int // of the vocabulary
	families uint64
	weights  [mostTerms + 1]float64 // sums of the first weights of terms
}

const (
	bagGroup  = 4
	mostTerms = 128 // of a bag
)

// LeastSum is the minimum sum of the bags of a world.
const LeastSum = 100

// Bags returns the world of documents whose bags have a given sum.
func (w *World) Bags(sum int) (*Bags, error) {
	if sum < LeastSum || sum > math.MaxUint16 {
		return nil, fmt.Errorf("bags of %d elements: must be %d to %d", sum, LeastSum, math.MaxUint16)
	}
	c := &w.config
	if c.Closed {
		return nil, errors.New("a closed crawl has links, and bags are made without any")
	}
	s := &Bags{
		world: w, sum: sum, terms: int(1000 + 75*math.Pow(float64(w.Pages()), .6)),
		families: uint64(float64(c.Pages) * c.Planted / bagGroup),
	}
	for j := range mostTerms {
		s.weights[j+1] = s.weights[j] + max(0, math.Pow(float64(j+1), -.8)-.08)
	}
	return s, nil
}

// Name identifies what the source holds: sources of the same name hold the same.
func (s *Bags) Name() string {
	c := &s.world.config
	return fmt.Sprintf("workload {Seed:%d Pages:%d Planted:%v Hub:%d Template:%d Long:%d Common:%t} sum %d",
		c.Seed, c.Pages, c.Planted, c.Hub, c.Template, c.Long, c.Common, s.sum)
}

// Documents returns the number of documents.
func (s *Bags) Documents() int { return int(s.world.Pages()) }

// Terms returns the number of terms of the vocabulary, some of which no document may have.
func (s *Bags) Terms() int { return s.terms }

// Word returns the word of a term.
func (s *Bags) Word(term int) string { return string(appendWord(nil, uint64(term+len(functionWords)))) }

// URL returns the canonical URL of a document.
func (s *Bags) URL(doc int) string {
	r := at(s.world.config.Seed, ofDocument, uint64(doc), 0)
	var room [64]byte
	url := append(s.world.hostName(append(room[:0], "https://"...), s.world.hosts.of(r.next())), '/')
	return string(appendNumber(append(url, 'd'), uint64(doc)))
}

// Document describes a document in g: its URL, the number of its links, and a linking sentence of words of its bag.
func (s *Bags) Document(doc int, g *anchors.Group) {
	r := at(s.world.config.Seed, ofDocument, uint64(doc), 1)
	*g = anchors.Group{URL: []byte(s.URL(doc)), InLinks: 1, InHosts: 1}
	if r.chance(.07) {
		g.InLinks += uint64(min(1e6, 1/math.Sqrt(1-unit(r.next()))))
		g.InHosts += uint64(r.below(int(g.InLinks)))
	}
	var b bags.Bag
	s.Bag(doc, &b)
	word := func(i int) []byte { return []byte(s.Word(int(b.Terms[i%b.Len()]))) }
	g.Evidence = []anchors.Quote{{Before: word(2), Anchor: append(append(word(0), ' '), word(1)...), After: word(3)}}
}

// Bag makes the bag of a document in b, which may hold another one. Its terms are distinct and in no order.
func (s *Bags) Bag(doc int, b *bags.Bag) {
	c := &s.world.config
	b.Terms, b.Counts = b.Terms[:0], b.Counts[:0]
	sum := s.sum
	if c.Common {
		sum -= s.sum / 3
		b.Terms, b.Counts = append(b.Terms, 0), append(b.Counts, uint16(s.sum/3))
	}
	if int64(doc) >= c.Pages {
		if k, _ := s.world.kindOf(int64(doc)); k == template { // a few terms apart
			s.fill(b, sum, 1<<40, 0)
			s.change(b, 3, at(c.Seed, ofBag, uint64(doc), 1))
			return
		}
		s.fill(b, sum, 1<<40+uint64(doc), 0)
		return
	}
	switch slot := s.world.places.from(uint64(doc)); {
	case slot >= s.families*bagGroup:
		list, entry := listOf(slot)
		s.fill(b, sum, list, entry)
	case slot%bagGroup == 0:
		s.fill(b, sum, 1<<41+slot, 0)
	default:
		own := at(c.Seed, ofMember, slot, 4)
		s.fill(b, sum, 1<<41+slot/bagGroup*bagGroup, 0)
		s.change(b, own.below(sum*3/4), own)
	}
}

// listLengths are the numbers of entries of successive lists.
var listLengths = [...]uint64{66, 1, 34, 2, 16, 3, 9, 5}

// listOf returns the list that holds a slot, and its entry there.
func listOf(slot uint64) (list, entry uint64) {
	total := uint64(0)
	for _, n := range listLengths {
		total += n
	}
	list, entry = slot/total*uint64(len(listLengths)), slot%total
	for _, n := range listLengths {
		if entry < n {
			break
		}
		entry -= n
		list++
	}
	return list, entry
}

// fill adds terms with a given sum: those around an entry of a list, from the nearest, and those of the headings. Lists
// differ in how often a term is one of a heading, and in the number of words from one entry to the next.
func (s *Bags) fill(b *bags.Bag, sum int, list, entry uint64) {
	c := &s.world.config
	r, l := at(c.Seed, ofBag, list, entry), at(c.Seed, ofBag, list, 1<<40)
	heading := [...]int{2, 2, 3, 3, 3, 3, 3, 3, 3, 4}[l.below(10)]
	center := 1<<32 + int(entry)*(1+l.below(4))
	n := min(bagTerms.of(unit(r.next())), sum/2)
	more := float64(sum-n) / s.weights[n]
	for j := range n {
		place := uint64(j / heading)
		if j%heading != heading-1 {
			place = uint64(center + beside(j-j/heading))
		}
		word := at(c.Seed, ofTopic, 1<<48+list, place)
		s.add(b, &word, 1+int(more*s.weights[j+1]+1e-9)-int(more*s.weights[j]+1e-9))
	}
}

// beside returns the distance of word i from the center, from the nearest, on both sides in turn: 0, -1, 1, -2, 2, ...
func beside(i int) int {
	if i%2 == 1 {
		return -(i + 1) / 2
	}
	return i / 2
}

// change replaces n elements of the bag by others that neither the bag nor its group has.
func (s *Bags) change(b *bags.Bag, n int, r random) {
	terms := b.Len()
	for j := r.below(terms); n > 0; j = (j + 1) % terms {
		if s.world.config.Common && j == 0 {
			continue
		}
		moved := min(n, int(b.Counts[j]))
		if moved == 0 {
			break // all that may be replaced are
		}
		b.Counts[j] -= uint16(moved)
		n -= moved
		s.add(b, &r, moved)
	}
	kept := 0
	for j, count := range b.Counts {
		if count > 0 {
			b.Terms[kept], b.Counts[kept] = b.Terms[j], count
			kept++
		}
	}
	b.Terms, b.Counts = b.Terms[:kept], b.Counts[:kept]
}

// add adds a term that the bag does not have yet.
func (s *Bags) add(b *bags.Bag, r *random, count int) {
	for {
		word := s.world.words.of(r.next())
		if word < uint64(len(functionWords)) {
			continue
		}
		if term := s.term(word); !slices.Contains(b.Terms, term) {
			b.Terms, b.Counts = append(b.Terms, term), append(b.Counts, uint16(count))
			return
		}
	}
}

// term returns the term of the rank of a word. Words that are rarer than all terms are spread over the rarer half of the
// vocabulary. Term 0 is left for the term that all documents have.
func (s *Bags) term(word uint64) uint32 {
	term := word - uint64(len(functionWords)) + 1
	if term >= uint64(s.terms) {
		half := uint64(s.terms) / 2
		term = half + mix(word)%half
	}
	return uint32(term)
}

// sortBag puts the terms of a bag into their order.
func sortBag(b *bags.Bag) {
	all := make([]uint64, b.Len())
	for i, t := range b.Terms {
		all[i] = uint64(t)<<16 | uint64(b.Counts[i])
	}
	slices.SortFunc(all, cmp.Compare[uint64])
	for i, x := range all {
		b.Terms[i], b.Counts[i] = uint32(x>>16), uint16(x)
	}
}
