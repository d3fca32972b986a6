// Package workload generates crawls of any size for tests and measurements: pages, link rows or bags, always the same
// for a seed. Nothing is stored, and every document can be made without the others, so that several processes can make
// parts of one crawl.
//
// A [World] is a crawl. [World.Page] makes one page, and [World.WritePages] and its like write many, as JSON Lines, WARC
// or a table of links. A World is also a source of bags from which package pipeline builds a run without reading pages.
//
// Most pages are like those of a real crawl: fitted.go holds the distributions, which were measured on the directory
// set, of the links of a page, the links to a target, the targets of a host, the words of a page and of a link, and the
// frequencies of words. The pages of a region link to common targets, a host with boilerplate has it on all of its
// pages, and the words of a target or a topic recur.
//
// The others are planted: families of pages with copies and containments, groups of targets with common words around
// their links, and groups of documents with common terms in their bags. [World.PagePairs], [World.LinkPairs] and
// [World.BagPairs] yield all planted pairs with their exact resemblance or similarity, computed by the packages shingles
// and bags.
//
// The caller must follow one rule: everything that decides what is generated is in [Config]. Worlds with the same
// Config are equal; other versions of this package may generate other crawls.
package workload

import (
	"errors"
	"fmt"
	"math"
)

// Config decides what a World holds.
type Config struct {
	Seed    uint64
	Pages   int64   // pages, or documents with bags, without the additional ones below
	Planted float64 // share of the pages or documents that are planted, at most MostPlanted

	// Additional pages, after the others.
	Hub      int64 // pages that link to one common target
	Template int64 // pages of one host that differ in a few words only; for bags, documents whose bags do
	Long     int64 // words of one long page; 0 for no such page

	Closed bool // whether nearly all links go to pages of the crawl; not for bags
	Common bool // whether every page contains the same sentence, and every bag the same term with a large weight
}

// The maxima of a Config.
const (
	MostPages   = 1 << 31 // of any kind
	MostWords   = 1 << 27 // of the long page
	MostPlanted = 0.9
)

// Validate returns an error that names the first setting out of range.
func (c Config) Validate() error {
	for _, n := range []struct {
		name string
		n    int64
		most int64
	}{{"pages", c.Pages, MostPages}, {"hub", c.Hub, MostPages}, {"template", c.Template, MostPages}, {"long", c.Long, MostWords}} {
		if n.n < 0 || n.n > n.most {
			return fmt.Errorf("%s %d: must be 0 to %d", n.name, n.n, n.most)
		}
	}
	if !(c.Planted >= 0 && c.Planted <= MostPlanted) {
		return fmt.Errorf("planted %g: must be 0 to %g", c.Planted, MostPlanted)
	}
	if c.Pages == 0 && c.extra() == 0 {
		return errors.New("a workload needs a page")
	}
	return nil
}

// extra returns the number of additional pages.
func (c Config) extra() int64 { return c.Hub + c.Template + min(1, c.Long) }

// World is a generated crawl. It is safe for concurrent use.
type World struct {
	config   Config
	lexicon  *lexicon
	words    *sampler
	hosts    *sampler
	pool     *sampler
	places   shuffle // from the slots of planted pages to the numbers of pages
	families uint64  // of pages, or groups of documents with bags
	groups   uint64  // of targets

	regions     uint64
	regionPages uint64
	topical     uint64  // of four words about a topic, those that are words of the topic
	topicWords  float64 // that a topic has
}

// New returns the world of a valid configuration.
func New(c Config) (*World, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	w := &World{
		config: c, lexicon: newLexicon(), words: newSampler(wordRanks), hosts: newSampler(hostRanks), pool: newSampler(poolRanks),
		places: newShuffle(c.Pages, c.Seed), families: uint64(float64(c.Pages) * c.Planted / (familySize + groupSize)),
		regionPages: regionPages, topical: 1, topicWords: topicWords,
	}
	if c.Closed {
		w.regionPages, w.topical, w.topicWords = closedRegion, closedTopical, closedTopicWords
	}
	w.regions = (uint64(c.Pages) + w.regionPages - 1) / w.regionPages
	w.groups = w.families
	return w, nil
}

// Pages returns the number of pages, with the additional ones.
func (w *World) Pages() int64 { return w.config.Pages + w.config.extra() }

// Part returns the pages of part i of n, counted from 1: those from the first number up to the second.
func (w *World) Part(i, n int) (from, to int64) {
	all := float64(w.Pages())
	return int64(math.Round(all * float64(i-1) / float64(n))), int64(math.Round(all * float64(i) / float64(n)))
}

// kind is what a page is.
type kind int

const (
	ordinary kind = iota
	member        // of a family of copies
	window        // of a planted link
	hub
	template
	long
)

// kindOf returns the kind of a page, and its number among those of its kind.
func (w *World) kindOf(page int64) (k kind, number uint64) {
	if page < w.config.Pages {
		slot := w.places.from(uint64(page))
		switch planted := w.families * familySize; {
		case slot < planted:
			return member, slot
		case slot < planted+w.groups*groupSize:
			return window, slot - planted
		}
		return ordinary, uint64(page)
	}
	n := page - w.config.Pages
	for _, more := range []struct {
		kind  kind
		pages int64
	}{{hub, w.config.Hub}, {template, w.config.Template}} {
		if n < more.pages {
			return more.kind, uint64(n)
		}
		n -= more.pages
	}
	return long, uint64(n)
}
