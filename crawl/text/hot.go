package text

import (
	"math"

	"github.com/lshclust/lshclust/bags"
)

// hot is a word whose count is kept here instead of in its slot. Most of a text consists of a few thousand words, whose
// slots are scattered over more memory than the caches of a processor hold. The zero value is no word.
//
// Every word has one place. Each place keeps the most frequent of the words that share it.
type hot struct {
	hash  uint64
	term  bags.Term
	count uint32
	slot  *slot
}

// hotBits is the number of bits of a hash that choose a word's place.
const hotBits = 12

// warm returns the place of a hash, which any word may occupy.
func (v *Vocabulary) warm(hash uint64) *hot { return &v.hot[hash>>(64-hotBits)] }

func (c *hot) counted() bags.Term {
	if c.count < math.MaxUint32 {
		c.count++
	}
	return c.term
}

// cool empties a place.
func (c *hot) cool() {
	if c.slot != nil {
		c.slot.count = c.count
	}
	*c = hot{}
}

// cool brings all counts back into the slots.
func (v *Vocabulary) cool() {
	for i := range v.hot {
		v.hot[i].cool()
	}
}
