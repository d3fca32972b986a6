package resemble

import (
	"math/bits"
	"slices"
)

// deferral saves forming pairs that share only frequent keys, which are most of the pairs that share a key: a list of
// 1,000 documents makes 500,000 pairs, and hardly any of them are compared. A pair that is compared shares many keys,
// so it also shares rarer ones. Therefore each document defers some of the longest lists that it is in, at most half as
// many as it must share with any larger document, and two documents are not paired by a list that both of them defer.
// If the deferred lists of a pair that other lists have formed can make it a candidate, they are counted afterwards. So
// the candidates, and the keys that they share, are the same as without deferred lists.
type deferral struct {
	// least, if not nil, returns a number of keys that a candidate shares at least if the document is its smaller one.
	least func(id uint32) int
	// candidate reports whether a pair that shares n keys is a candidate. It must be set if least is.
	candidate func(a, b uint32, n int) bool

	needs    []uint8 // by document, what least returns, mostPut at most
	deferred []uint8 // by document, the number of lists that it defers
}

const (
	classes    = 12              // of lists, by the length of the own documents: 2, 4, 8 and so on
	shortClass = 4               // lists of lower classes are never deferred
	mostPut    = 1<<8 - 2        // the most lists that a document defers, and keys that it must share
	manyLists  = 1<<8 - 1        // means a number of lists of a class that is not counted exactly
	mostNeeded = marginTable / 2 // documents with more samples need as many
)

func classOf(own int) int { return min(bits.Len(uint(own)), classes) - 1 }

// putOff reports the documents of the lists that are not paired all with all, chooses the lists that each document
// defers, and moves the documents that defer a list behind the list's other own ones.
func (j *selfJoin) putOff() error {
	counts := make([]uint8, 0)
	if j.least != nil {
		counts = make([]uint8, classes*j.docs)
	}
	err := j.lists.each(func(_ uint64, l list) error {
		switch capped := j.capped(l); {
		case capped && j.unpaired != nil:
			for _, id := range l.ids {
				j.unpaired(l.key, id)
			}
		case !capped && j.least != nil && classOf(l.own) >= shortClass:
			for _, id := range l.ids[:l.own] {
				n := &counts[int(id)*classes+classOf(l.own)]
				*n = min(*n, manyLists-1) + 1
			}
		}
		return nil
	})
	if err != nil || j.least == nil {
		return err
	}
	from := j.choose(counts)
	var put []uint32
	return j.lists.each(func(word uint64, l list) error {
		class := classOf(l.own)
		if class < shortClass || j.capped(l) {
			return nil
		}
		put = put[:0]
		active := slices.DeleteFunc(l.ids[:l.own:l.own], func(id uint32) bool {
			if int(from[id]) > class {
				return false
			}
			put = append(put, id)
			return true
		})
		copy(l.ids[len(active):], put)
		j.lists.setActive(word, len(active))
		return nil
	})
}

// choose returns for each document the class from which it defers lists. counts holds the numbers of lists of each
// class that each document is in.
func (j *selfJoin) choose(counts []uint8) (from []uint8) {
	from, j.deferred, j.needs = make([]uint8, j.docs), make([]uint8, j.docs), make([]uint8, j.docs)
	for id := range from {
		needs := min(j.least(uint32(id)), mostPut)
		of, most, n := counts[id*classes:][:classes], needs/2, 0
		class := classes
		for class > shortClass && n+int(of[class-1]) <= most {
			class--
			n += int(of[class])
		}
		from[id], j.deferred[id], j.needs[id] = uint8(class), uint8(n), uint8(needs)
	}
	return from
}

// complete adds to the partners of a the deferred lists that they have in common, and drops the partners that cannot be
// candidates.
func (f *former) complete(a uint32, near []partner) []partner {
	if f.needs == nil {
		return near
	}
	kept, needs := near[:0], f.needs[a]
	for _, p := range near {
		most := min(len(f.put), int(f.deferred[p.id]))
		if int(p.n)+most < int(min(needs, f.needs[p.id])) { // most pairs, and in a small table
			continue
		}
		if most > 0 {
			if !f.candidate(a, p.id, int(p.n)+most) {
				continue
			}
			for _, ids := range f.put {
				_, both := slices.BinarySearch(ids, p.id)
				p.n += uint32(toInt(both))
			}
		}
		kept = append(kept, p)
	}
	return kept
}

// newEnough returns the least number of samples that a pair must share to be similar, by the number of samples of the
// smaller document.
func (p *pairing) newEnough() []uint32 {
	needs := make([]uint32, mostNeeded)
	for n := range needs {
		size := uint32(n)
		for s := needs[max(n-1, 0)]; ; s++ {
			if p.similar.enough(s, 2*size-min(s, size)) || p.c.Containment <= 1 && p.within.enough(s, size) {
				needs[n] = s
				break
			}
		}
	}
	return needs
}

// least returns how many keys a document must share with any larger one.
func (p *pairing) least(id uint32) int {
	if p.tier[id] == outside {
		return 0
	}
	least := uint32(mostPut)
	for other := range p.tiers.rate {
		t := p.across.between(p.tier[id], uint8(other))
		size := p.of[id].size[t]
		size -= min(size, p.mostDropped[t])
		need := p.enough[min(size, mostNeeded-1)]
		need -= min(need, p.of[id].apart[t]+p.of[id].far[t])
		least = min(least, need)
	}
	return int(least)
}
