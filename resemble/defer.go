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
	// budget, if not nil, returns how many lists a document may defer: fewer than a candidate shares in which it is the
	// smaller document.
	budget func(id uint32) int
	// candidate reports whether a pair that shares n keys is a candidate. It must be set if budget is.
	candidate func(a, b uint32, n int) bool

	deferred []uint8 // by document, the number of lists that it defers
}

const (
	classes    = 12              // of lists, by the length of the own documents: 2, 4, 8 and so on
	shortClass = 4               // lists of lower classes are never deferred
	mostPut    = 1<<8 - 2        // the most lists that a document defers
	manyLists  = 1<<8 - 1        // means a number of lists of a class that is not counted exactly
	mostNeeded = marginTable / 2 // documents with more samples defer no list
)

func classOf(own int) int { return min(bits.Len(uint(own)), classes) - 1 }

// putOff reports the documents of the lists that are not paired all with all, chooses the lists that each document
// defers, and moves the documents that defer a list behind the list's other own ones.
func (j *selfJoin) putOff() error {
	counts := make([]uint8, 0)
	if j.budget != nil {
		counts = make([]uint8, classes*j.docs)
	}
	err := j.lists.each(func(_ uint64, l list) error {
		switch capped := j.capped(l); {
		case capped && j.unpaired != nil:
			for _, id := range l.ids {
				j.unpaired(l.key, id)
			}
		case !capped && j.budget != nil && classOf(l.own) >= shortClass:
			for _, id := range l.ids[:l.own] {
				n := &counts[int(id)*classes+classOf(l.own)]
				*n = min(*n, manyLists-1) + 1
			}
		}
		return nil
	})
	if err != nil || j.budget == nil {
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
	from, j.deferred = make([]uint8, j.docs), make([]uint8, j.docs)
	for id := range from {
		of, most, n := counts[id*classes:][:classes], min(j.budget(uint32(id)), mostPut), 0
		class := classes
		for class > shortClass && n+int(of[class-1]) <= most {
			class--
			n += int(of[class])
		}
		from[id], j.deferred[id] = uint8(class), uint8(n)
	}
	return from
}

// complete adds to the partners of a the deferred lists that they have in common, and drops the partners that cannot be
// candidates.
func (f *former) complete(a uint32, near []partner) []partner {
	if len(f.put) == 0 {
		return near
	}
	kept := near[:0]
	for _, p := range near {
		if most := min(len(f.put), int(f.deferred[p.id])); most > 0 {
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

// newNeeds returns the least number of samples that a pair must share to be similar, by the number of samples of the
// smaller document.
func (p *pairing) newNeeds() []uint32 {
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

// budget returns how many lists a document may defer: half of the lists that it must share with any larger document.
func (p *pairing) budget(id uint32) int {
	if p.tier[id] == outside {
		return 0
	}
	least := uint32(mostPut)
	for other := range p.tiers.rate {
		t := p.across.between(p.tier[id], uint8(other))
		size := p.of[id].size[t]
		if size -= min(size, p.mostDropped[t]); size >= mostNeeded {
			return 0
		}
		need := p.needs[size]
		need -= min(need, p.of[id].apart[t]+p.of[id].far[t])
		least = min(least, need/2)
	}
	return int(least)
}
