package resemble

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Boilerplate holds for each host the shingles of its template: menus, headers and footers, which would make all pages
// of the host similar. A nil Boilerplate holds none.
//
// FindBoilerplate examines up to Sample pages of a host, chosen evenly by id; pages with equal sets count once. The
// shingles in more than Share of them are the common ones of the host. They are either a template or a text that the
// host has in many versions or copies, and frequency alone cannot tell which: the licence of a thousand packages is as
// frequent as a menu. The rest of the pages shows it. A page made from a template has its own text, while little
// remains of a version of a common text. So a page is called thin if less than Own of its shingles, or fewer than
// Least, are not common. FindBoilerplate drops shingles that occur mostly on thin pages from the common ones, those
// with the largest share of thin pages first, until the rest occur mostly on pages that are not thin. Then it drops those
// for which more than Copies of the pages have less than Whole of their own: the text of doorway pages, variants of a
// product, forms or printer versions is nearly the whole page, wherever it occurs, while a menu is also on long pages. A
// host with fewer than MinPages different pages has no boilerplate.
//
// A page that would be thin without its boilerplate is compared as it is, so nothing is stripped to nothing.
type Boilerplate struct {
	own   float64
	least int
	whole float64
	hosts map[uint32][]uint64
	of    func(host uint32) []uint64 // replaces hosts, if not nil

	repeated map[uint32][]uint64 // frequent values of a host that are not boilerplate; only of FindBoilerplate
}

// BoilerplateConfig defines boilerplate. Zero fields mean the defaults.
type BoilerplateConfig struct {
	Share    float64 // a shingle must be on more than this share of a host's pages; 0.5
	MinPages int     // different pages that a host must have; 10
	Sample   int     // maximum number of a host's pages to examine; 200
	Own      float64 // share of a page's shingles that must be its own; 0.1
	Least    int     // number of shingles that must be its own; 16
	Whole    float64 // pages with a smaller share of their own are versions of one text, ...
	Copies   float64 // ... if more than this share of the pages with its shingles are such; 0.25 and 0.8
}

func (c BoilerplateConfig) withDefaults() (BoilerplateConfig, error) {
	if !(c.Share >= 0 && c.Share <= 1 && c.Own >= 0 && c.Own <= 1 && c.Whole >= 0 && c.Whole <= 1 && c.Copies >= 0 && c.Copies <= 1) || min(c.MinPages, c.Sample, c.Least) < 0 {
		return c, fmt.Errorf("resemble: boilerplate by %+v", c)
	}
	c.Share, c.Own, c.Whole, c.Copies = cmp.Or(c.Share, 0.5), cmp.Or(c.Own, 0.1), cmp.Or(c.Whole, 0.25), cmp.Or(c.Copies, 0.8)
	c.MinPages, c.Sample, c.Least = cmp.Or(c.MinPages, 10), cmp.Or(c.Sample, 200), cmp.Or(c.Least, 16)
	return c, nil
}

// NewBoilerplate returns an empty table for Put. c is the configuration that found the boilerplate; only Own and Least
// still matter.
func NewBoilerplate(c BoilerplateConfig) (*Boilerplate, error) {
	c, err := c.withDefaults()
	return &Boilerplate{own: c.Own, least: c.Least, whole: c.Whole, hosts: make(map[uint32][]uint64)}, err
}

// StoredBoilerplate returns boilerplate stored in a table: of returns that of a host in ascending order. Put must not
// be called, and All yields nothing.
func StoredBoilerplate(c BoilerplateConfig, of func(host uint32) []uint64) (*Boilerplate, error) {
	c, err := c.withDefaults()
	return &Boilerplate{own: c.Own, least: c.Least, of: of}, err
}

// Put sets the boilerplate of a host: distinct values in ascending order.
func (b *Boilerplate) Put(host uint32, values []uint64) error {
	for i := 1; i < len(values); i++ {
		if values[i-1] >= values[i] {
			return fmt.Errorf("%w: boilerplate of host %d is out of order", ErrTable, host)
		}
	}
	if b.hosts == nil {
		b.hosts = make(map[uint32][]uint64)
	}
	b.hosts[host] = values
	return nil
}

// Of returns the boilerplate of a host in ascending order, or nil if it has none.
func (b *Boilerplate) Of(host uint32) []uint64 {
	switch {
	case b == nil:
		return nil
	case b.of != nil:
		return b.of(host)
	}
	return b.hosts[host]
}

// All yields the hosts that have boilerplate, in ascending order, and their boilerplate.
func (b *Boilerplate) All() iter.Seq2[uint32, []uint64] {
	return func(yield func(uint32, []uint64) bool) {
		if b == nil {
			return
		}
		for _, host := range slices.Sorted(maps.Keys(b.hosts)) {
			if !yield(host, b.hosts[host]) {
				return
			}
		}
	}
}

// Own returns, in dst, the values of a document of the host without its boilerplate, and the number of values left out.
// If there is no boilerplate, or the document would be thin without it, Own returns values itself and 0.
func (b *Boilerplate) Own(dst []uint64, host uint32, values []uint64) (own []uint64, dropped int) {
	if dropped = b.Dropped(host, values); dropped == 0 {
		return values, 0
	}
	return sets.Minus(slices.Grow(dst, len(values)-dropped), values, b.Of(host)), dropped
}

// Dropped returns the number of values that Own leaves out.
func (b *Boilerplate) Dropped(host uint32, values []uint64) int {
	drop := b.Of(host)
	if len(drop) == 0 {
		return 0
	}
	if n := sets.Common(values, drop); !b.thin(len(values)-n, len(values)) {
		return n
	}
	return 0
}

// Repeats reports whether a page is nearly all text that most pages of its host share, and is compared with that text. It
// knows that of boilerplate that FindBoilerplate has returned.
func (b *Boilerplate) Repeats(host uint32, values []uint64) bool {
	if b == nil || len(values) == 0 || b.Dropped(host, values) > 0 {
		return false
	}
	n := sets.Common(values, b.Of(host)) + sets.Common(values, b.repeated[host])
	return float64(len(values)-n) < b.whole*float64(len(values))
}

// thin reports whether own of all shingles are too few to be the text of a page.
func (b *Boilerplate) thin(own, all int) bool {
	return own < b.least || float64(own) < b.own*float64(all)
}

// Explain returns, in dst, the values of a document that are boilerplate of the host, and whether Own leaves them out.
// It does not if too little would remain.
func (b *Boilerplate) Explain(dst []uint64, host uint32, values []uint64) (common []uint64, leftOut bool) {
	common = sets.Intersect(dst, values, b.Of(host))
	return common, len(common) > 0 && !b.thin(len(values)-len(common), len(values))
}
