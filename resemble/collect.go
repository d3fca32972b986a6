package resemble

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// collector takes the sorted records apart into runs.
type collector struct {
	*join
	key    uint64
	ids    []uint32 // the first MaxCommon+1 of the run
	long   []uint32 // buffer
	length uint64   // of the run
}

func (c *collector) record(rec []byte) error {
	key, id := binary.BigEndian.Uint64(rec), binary.BigEndian.Uint32(rec[8:])
	c.stats.Records++
	if c.length > 0 && key != c.key {
		if err := c.end(); err != nil {
			return err
		}
	}
	c.key = key
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

func (c *collector) leaveOut(id uint32) {
	if c.unpaired != nil {
		c.unpaired(c.key, id)
	}
}

// end ends a run.
func (c *collector) end() error {
	n := c.length
	defer func() { c.ids, c.length = c.ids[:0], 0 }()
	if n == 0 {
		return nil
	}
	c.stats.Keys++
	c.stats.LongestRun = max(c.stats.LongestRun, n)
	if n > 1 {
		c.stats.Runs++
	}
	if n > uint64(c.maxCommon) {
		c.common()
		return nil
	}
	if n == 1 {
		return nil
	}
	short := c.shortFirst()
	c.count(int(n), short)
	if short == 0 {
		return nil
	}
	return c.runs.write(c.key, c.ids, short)
}

// shortFirst puts the documents of the run of which the key is a sample by their own
// tier before the others, both ascending, and returns their number.
func (c *collector) shortFirst() int {
	if c.short == nil {
		return len(c.ids)
	}
	c.long = c.long[:0]
	short := c.ids[:0]
	for _, id := range c.ids {
		if c.short(c.key, id) {
			short = append(short, id)
		} else {
			c.long = append(c.long, id)
		}
	}
	c.ids = append(short, c.long...)
	return len(short)
}

// common counts the run as that of a common key.
func (c *collector) common() {
	c.stats.CommonKeys++
	c.stats.CommonRecords += c.length
	list := c.stats.Common
	if len(list) == commonKept && list[commonKept-1].Documents >= c.length {
		return
	}
	examples := slices.Clone(c.ids[:min(examplesKept, len(c.ids))])
	list = append(list, CommonKey{c.key, c.length, examples})
	slices.SortStableFunc(list, func(x, y CommonKey) int { return cmp.Compare(y.Documents, x.Documents) })
	c.stats.Common = list[:min(len(list), commonKept)]
}
