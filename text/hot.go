package text

import (
	"math"

	"github.com/lshclust/lshclust/bags"
)

// hot is a word whose count is kept here and not in its slot. Most of a text is a few thousand words; their slots lie
// scattered over more memory than a processor has close at hand. The zero value is no word.
//
// Every word has one place; of those that share it the most frequent stays.
type hot struct {
	hash  uint64
	term  bags.Term
	count uint32
	slot  *slot
}

// hotBits are the bits of a hash that are the number of its place.
const hotBits = 12

// warm is the place of a hash, whatever word is there.
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
