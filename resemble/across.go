package resemble

import (
	"context"
	"math/bits"
	"slices"
	"sync/atomic"
)

// maxAcross is the number of samples of short documents above which long ones are searched only for samples of a later
// tier.
const maxAcross = 1 << 25

// across compares documents of different tiers at the finer tier. So a paragraph is compared with a book by its own
// samples, which are enough, and not only by the few that the book also has. A long document then needs the values that
// are samples of some short document. Filters hold them in two bytes each. There is one filter for each level of
// values, because most questions are about values of level 0, of which only the shortest documents have samples, so
// that their filter is small enough for a cache.
type across struct {
	from    uint8    // the finest tier at which documents of different tiers are compared
	filters []filter // by the level of values, below that of the last tier
}

// newAcross chooses the sizes of the filters by the number of shingles of the documents.
func newAcross(docs Documents, equal *Equal, t *tiers, most uint64) across {
	top := t.top()
	keys := make([]uint64, len(t.rate))   // samples of short documents, by the least tier
	levels := make([]uint64, len(t.rate)) // of these samples, by their level
	for id := range uint32(docs.Len()) {
		if equal.Relation(id) != Alone {
			continue
		}
		n := docs.Stored(id)
		tier := t.of(n)
		if tier == top {
			continue
		}
		for from := range keys[:top] {
			keys[from] += t.expected(n, max(tier, uint8(from)))
		}
		for level := tier; level < top; level++ {
			levels[level] += t.expected(n, level) - t.expected(n, level+1)
		}
	}
	a := across{}
	for a.from < top && keys[a.from] > most {
		a.from++
	}
	for level := range top {
		if level < a.from {
			levels[level] = 0
		}
		a.filters = append(a.filters, newFilter(levels[level]))
	}
	return a
}

// between returns the tier at which two documents are compared.
func (a *across) between(x, y uint8) uint8 {
	return min(max(min(x, y), a.from), max(x, y))
}

// filter is a set of values that also reports one in 100 other values as a member. A value has three bits in one 64-bit
// word.
type filter []atomic.Uint64

func newFilter(keys uint64) filter {
	return make(filter, 1<<bits.Len64(keys/4)) // 16 to 32 bits for each
}

func (f filter) place(v uint64) (word int, mask uint64) {
	h := v * 0x9e3779b97f4a7c15
	return int(h >> 20 & uint64(len(f)-1)), 1<<(h>>58) | 1<<(h>>52&63) | 1<<(h>>46&63)
}

func (f filter) add(v uint64) {
	word, mask := f.place(v)
	if f[word].Load()&mask != mask {
		f[word].Or(mask)
	}
}

func (f filter) has(v uint64) bool {
	word, mask := f.place(v)
	return f[word].Load()&mask == mask
}

// look determines the tier of every document.
func (p *pairing) look(ctx context.Context) error {
	return each(ctx, p.docs.Len(), p.c.workers(), func(worker int, id uint32) error {
		if p.strip.Of(p.docs.Host(id)) != nil {
			_, _ = p.own(worker, id)
		} else {
			p.takesPart(worker, id, p.docs.Stored(id))
		}
		return nil
	})
}

// keys appends to dst the keys of the samples of a document and those of its other values that are samples of a shorter
// one. It must have been called for all documents of finer tiers: it puts the samples into the filters.
func (p *pairing) keys(worker int, id uint32, dst []uint32) (keys, outlined []uint32) {
	c, x := &p.comps[worker], &p.of[id]
	own, _ := c.own(&c.a, valuesIn(&c.wholeA, p.docs, id), p.docs.Host(id))
	tier, from, before := p.tier[id], p.across.from, len(dst)
	var at counts // values of each level; those with one key count once
	for _, v := range own {
		level := p.tiers.level(v)
		at[level]++
		if level < tier && (level < from || !p.across.filters[level].has(v)) {
			continue
		}
		key := keyOf(v, p.shift, level)
		dst = append(dst, key)
		x.all.add(key)
		if level < tier {
			continue
		}
		x.own.add(key)
		if level >= from && int(level) < len(p.across.filters) {
			p.across.filters[level].add(v)
		}
	}
	c.outline = outline(c.outline[:0], own)
	keys = dst[before:]
	if !slices.IsSorted(keys) { // levels of values that differ only in bits that a key has not
		slices.Sort(keys)
	}
	for i := 1; i < len(keys); i++ {
		if keys[i] == keys[i-1] {
			at[keys[i]&(1<<levelBits-1)]--
		}
	}
	x.tier, x.size = tier, at.fromEach()
	return dst[:before+len(slices.Compact(keys))], c.outline
}
