package pipeline

import (
	"errors"

	"github.com/lshclust/lshclust/internal/codec"
	"github.com/lshclust/lshclust/internal/sweep"
	"github.com/lshclust/lshclust/text"
)

// earlierWords adds up the counts of words that are in the records of an earlier run. A word is looked up when its counts
// in many pages have been added up.
type earlierWords struct {
	fetch *sweep.Fetcher
	to    *wordSpill
	open  [openCounts]struct {
		words sweep.Shared
		used  uint64 // 0: there are no counts
		text.Recount
	}
	clock uint64
}

// openCounts is the number of lists of words whose counts a worker adds up at a time. The pages of a later crawl mostly
// come in the order of the earlier one, in which each worker had its own list.
const openCounts = 8

// add adds the counts of a page, which name words of a list.
func (c *earlierWords) add(d *codec.Decoder, words sweep.Shared) error {
	c.clock++
	oldest := 0
	for i := range c.open {
		o := &c.open[i]
		if o.used > 0 && o.words == words {
			o.used = c.clock
			return o.Add(d)
		}
		if o.used < c.open[oldest].used {
			oldest = i
		}
	}
	if err := c.put(oldest); err != nil {
		return err
	}
	o := &c.open[oldest]
	o.words, o.used = words, c.clock
	return o.Add(d)
}

// put writes the words that were counted of one list.
func (c *earlierWords) put(i int) error {
	o := &c.open[i]
	if o.used == 0 {
		return nil
	}
	words, err := c.fetch.Common(o.words)
	if err != nil {
		return err
	}
	o.used = 0
	return o.Words(words, c.to.wordBytes)
}

// flush writes all words that were counted.
func (c *earlierWords) flush() error {
	var errs [openCounts]error
	for i := range c.open {
		errs[i] = c.put(i)
	}
	return errors.Join(errs[:]...)
}
