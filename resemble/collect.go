package resemble

import (
	"cmp"
	"slices"
)

// collector divides the sorted records into lists: for each key, the documents that have it.
type collector struct {
	*selfJoin
	key    uint64
	ids    []uint32 // the first MaxCommon+1 documents for which the key is their own
	length uint64   // number of all such documents
	long   []uint32 // the first MaxCommon of the others
	far    uint64   // number of the others
}

func (c *collector) record(key uint64, id uint32) error {
	c.stats.Records++
	if c.length+c.far > 0 && key != c.key {
		if err := c.end(); err != nil {
			return err
		}
	}
	c.key = key
	if c.short != nil && !c.short(key, id) {
		c.longer(id)
		return nil
	}
	c.length++
	switch {
	case c.length <= uint64(c.maxCommon):
		c.ids = append(c.ids, id)
	case c.length == uint64(c.maxCommon)+1:
		c.ids = append(c.ids, id)
		for _, id := range c.ids {
			c.leaveOut(id)
		}
	default:
		c.leaveOut(id)
	}
	return nil
}

// longer adds a document for which the key is not its own.
func (c *collector) longer(id uint32) {
	if c.far++; c.far <= uint64(c.maxCommon) {
		c.long = append(c.long, id)
	} else {
		c.leaveOut(id)
	}
}

func (c *collector) leaveOut(id uint32) {
	if c.unpaired != nil {
		c.unpaired(c.key, id)
	}
}

// end ends a list.
func (c *collector) end() error {
	n, far := c.length, c.far
	defer func() { c.ids, c.length, c.long, c.far = c.ids[:0], 0, c.long[:0], 0 }()
	if n+far == 0 {
		return nil
	}
	c.stats.LongestList = max(c.stats.LongestList, n+far)
	if n > 0 && n+far > uint64(c.maxCommon) {
		c.alone()
	}
	if n > uint64(c.maxCommon) {
		c.common()
		return nil
	}
	if n == 0 || n+uint64(len(c.long)) == 1 {
		return nil
	}
	short := len(c.ids)
	c.ids = append(c.ids, c.long...)
	c.count(len(c.ids), short)
	c.lists.add(c.key, c.ids, short)
	return nil
}

// alone pairs the short documents of a key only with one another, because there would be too many pairs with the long
// ones.
func (c *collector) alone() {
	for _, id := range c.long {
		c.leaveOut(id)
	}
	if c.far > 0 && c.length <= uint64(c.maxCommon) {
		c.stats.CommonAcross++
		for _, id := range c.ids {
			c.unpairedAcross(c.key, id)
		}
	}
	c.long = c.long[:0]
}

// common counts the list as that of a common key.
func (c *collector) common() {
	c.stats.CommonKeys++
	if c.ignored != nil {
		c.selfJoin.common = append(c.selfJoin.common, c.key)
	}
	list := c.stats.Common
	if len(list) == commonKept && list[commonKept-1].Documents >= c.length {
		return
	}
	examples := slices.Clone(c.ids[:min(examplesKept, len(c.ids))])
	list = append(list, CommonKey{c.key, c.length, examples})
	slices.SortStableFunc(list, func(x, y CommonKey) int { return cmp.Compare(y.Documents, x.Documents) })
	c.stats.Common = list[:min(len(list), commonKept)]
}
