package resemble

import (
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Boilerplate holds for each host the shingles of its template: menus, headers,
// footers, which ruin naive similarity of pages. Nil holds none.
//
// What is boilerplate. Of a host's pages up to Sample are taken, evenly by id, pages
// with equal sets counting once. Shingles in more than Share of them are the host's
// common ones. These are either a template or a text of which the host has many
// versions or copies, and frequency alone cannot tell: the licence of a thousand
// packages is as frequent as a menu. What tells them apart is what else is on the
// pages. Pages of a template have a text of their own; of a version of a common text
// little is left without it. So a page is thin if less than Own of its shingles, or
// fewer than Least, are not common, and the shingles that stand mostly on thin pages
// are taken back from the common ones, those with the largest share of thin pages
// first, until none is left or the rest stand mostly on pages that are not thin. A
// host with fewer than MinPages different pages has no boilerplate.
//
// A page that would be thin without its boilerplate is never stripped: it is
// compared as it is. So nothing is stripped to nothing.
type Boilerplate struct {
	own   float64
	least int
	hosts map[uint32][]uint64
}

// BoilerplateConfig says what is boilerplate. Zero fields mean the defaults.
type BoilerplateConfig struct {
	Share    float64 // pages of a host that have the shingle: more than this; 0.5
	MinPages int     // different pages that a host must have; 10
	Sample   int     // pages of a host that are looked at, at most; 200
	Own      float64 // share of its shingles that a page must have for itself; 0.1
	Least    int     // number of them; 16
}

func (c BoilerplateConfig) withDefaults() (BoilerplateConfig, error) {
	if !(c.Share >= 0 && c.Share <= 1 && c.Own >= 0 && c.Own <= 1) || min(c.MinPages, c.Sample, c.Least) < 0 {
		return c, fmt.Errorf("resemble: boilerplate by %+v", c)
	}
	orDefault(&c.Share, 0.5)
	orDefault(&c.MinPages, 10)
	orDefault(&c.Sample, 200)
	orDefault(&c.Own, 0.1)
	orDefault(&c.Least, 16)
	return c, nil
}

func orDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// NewBoilerplate returns an empty table to Put stored boilerplate into; c is what
// it was found with, of which Own and Least are in use from here on.
func NewBoilerplate(c BoilerplateConfig) (*Boilerplate, error) {
	c, err := c.withDefaults()
	return &Boilerplate{c.Own, c.Least, make(map[uint32][]uint64)}, err
}

// Put sets the boilerplate of a host: distinct values, ascending.
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

// Of returns the boilerplate of a host, ascending; nil if it has none.
func (b *Boilerplate) Of(host uint32) []uint64 {
	if b == nil {
		return nil
	}
	return b.hosts[host]
}

// All yields the hosts that have boilerplate, ascending, and what it is.
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

// Own returns the values of a document of the host without its boilerplate, in dst,
// and the number of those left out; or values itself and 0 if there is none or the
// document would be thin without.
func (b *Boilerplate) Own(dst []uint64, host uint32, values []uint64) (own []uint64, dropped int) {
	return b.without(dst, values, b.Of(host))
}

// without leaves out the values in drop, unless too few remain.
func (b *Boilerplate) without(dst, values, drop []uint64) (own []uint64, dropped int) {
	if len(drop) == 0 {
		return values, 0
	}
	own = sets.Minus(dst, values, drop)
	dropped = len(values) - len(own)
	if dropped == 0 || b.thin(len(own), len(values)) {
		return values, 0
	}
	return own, dropped
}

// thin tells whether own of all shingles are too few for a text of its own.
func (b *Boilerplate) thin(own, all int) bool {
	return own < b.least || float64(own) < b.own*float64(all)
}

// Explain returns which values of a document count as boilerplate, in dst, and
// whether they are left out; not so if too little would remain.
func (b *Boilerplate) Explain(dst []uint64, host uint32, values []uint64) (common []uint64, leftOut bool) {
	common = sets.Intersect(dst, values, b.Of(host))
	return common, len(common) > 0 && !b.thin(len(values)-len(common), len(values))
}
