package bags

// Scorer compares one bag with many. It is several times as fast as [Similarity], since it does not merge two sorted
// lists but looks up the terms of the other bag in a table, without a branch that a processor could mispredict. It
// merges after all if the table would be too large or the terms of the bag do not ascend. A Scorer is for one
// goroutine; its zero value compares an empty bag. The bag must not change until the next Reset.
type Scorer struct {
	bag    Bag
	merge  bool     // merge instead of using the table
	table  []uint16 // by hash of a term, its number in terms, from 1; 0 if the bag has no term with this hash
	terms  []counted
	logs   []uint32 // logOf the count of each of terms
	shift  uint8
	factor uint32 // of the hash; chosen so that no two terms of the bag have the same hash
	sum    int    // of the counts
	square uint64 // sum of the squares of the logarithms of the counts
}

type counted struct{ term, count uint32 }

// Limits of a Scorer's table. With eight times as many places as the square of the number of terms, a random factor
// gives all terms different hashes with probability 0.94. A table has that many places for bags of up to 362 terms; for
// 1,000 terms the probability is 0.62.
const (
	tableBits  = 20
	tableTerms = 1000
)

// tableTries is the number of factors that a Scorer tries before it merges instead.
const tableTries = 64

// Reset sets the bag to compare others with.
func (s *Scorer) Reset(bag Bag) {
	for _, x := range s.terms[min(1, len(s.terms)):] {
		s.table[s.place(x.term)] = 0
	}
	s.bag, s.terms, s.logs, s.sum = bag, append(s.terms[:0], counted{}), append(s.logs[:0], 0), 0
	s.square = squares(bag.Counts)
	s.merge = bag.Len() > tableTerms || !ascending(bag.Terms)
	if s.merge {
		return
	}
	for i, t := range bag.Terms {
		s.terms = append(s.terms, counted{t, uint32(bag.Counts[i])})
		s.logs = append(s.logs, uint32(logOf(bag.Counts[i])))
		s.sum += int(bag.Counts[i])
	}
	bits := 12
	for 1<<bits < 8*bag.Len()*bag.Len() && bits < tableBits {
		bits++
	}
	if len(s.table) < 1<<bits {
		s.table = make([]uint16, 1<<bits)
	}
	s.shift, s.factor = uint8(32-bits), 0x9e3779b1
	for range tableTries {
		if s.fill() {
			return
		}
		s.factor = s.factor*0x2c1b3c6d | 1
	}
	s.merge, s.terms = true, s.terms[:0]
}

func ascending(terms []uint32) bool {
	for i := 1; i < len(terms); i++ {
		if terms[i-1] >= terms[i] {
			return false
		}
	}
	return true
}

// fill enters the terms into the table, unless two of them have the same hash.
func (s *Scorer) fill() bool {
	for i, x := range s.terms[1:] {
		at := &s.table[s.place(x.term)]
		if *at != 0 {
			for _, y := range s.terms[1 : i+1] {
				s.table[s.place(y.term)] = 0
			}
			return false
		}
		*at = uint16(i + 1)
	}
	return true
}

func (s *Scorer) place(term uint32) uint32 { return term * s.factor >> (s.shift & 31) }

// Similarity returns the similarity of the bag to other, as the function [Similarity] does.
func (s *Scorer) Similarity(other Bag) float64 {
	if s.merge {
		return Similarity(s.bag, other)
	}
	smaller, sum := s.overlap(other)
	if smaller == 0 {
		return 0
	}
	return float64(smaller) / float64(s.sum+sum-smaller)
}

// overlap returns the sum of the smaller counts of the terms of both bags, and the sum of other's counts.
func (s *Scorer) overlap(other Bag) (common, total int) {
	if len(s.table) == 0 {
		return 0, other.Sum()
	}
	smaller, sum := uint32(0), uint64(0)
	table, terms, factor, shift := s.table, s.terms, s.factor, s.shift&31
	counts := other.Counts[:len(other.Terms)]
	for i, t := range other.Terms {
		n := uint32(counts[i])
		sum += uint64(n)
		x := terms[table[t*factor>>shift]]
		d := x.term ^ t
		same := (d|-d)>>31 - 1 // all ones if the terms are equal, or zero
		smaller += min(n, x.count&same)
	}
	return int(smaller), int(sum)
}

// LogCosine returns the cosine of the bag and other, as the function [LogCosine] does.
func (s *Scorer) LogCosine(other Bag) float64 {
	if s.merge || len(s.table) == 0 {
		return LogCosine(s.bag, other)
	}
	common, square := uint64(0), uint64(0)
	table, terms, logs, factor, shift := s.table, s.terms, s.logs[:len(s.terms)], s.factor, s.shift&31
	counts := other.Counts[:len(other.Terms)]
	for i, t := range other.Terms {
		n := logOf(counts[i])
		square += n * n
		at := table[t*factor>>shift]
		d := terms[at].term ^ t
		same := uint64((d|-d)>>31) - 1
		common += n * uint64(logs[at]) & same
	}
	return cosine(common, s.square, square)
}
