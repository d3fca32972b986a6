package texts

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// CrossPair is a pair of pages of two runs with equal or similar texts. Each page represents the pages of its run
// that equal it, and has the lowest id of them.
type CrossPair struct {
	runs.Pair
	Relation    string  `json:"relation" enum:"identical,lexical,shingle,similar,contained"`
	Resemblance float64 `json:"resemblance" doc:"without boilerplate" least:"0" most:"1"`
	AInB        Share   `json:"a_in_b,omitzero" doc:"share of the shingles of a that b has; missing if sketches do not tell it" least:"0" most:"1"`
	BInA        Share   `json:"b_in_a,omitzero" doc:"share of the shingles of b that a has" least:"0" most:"1"`
	CopiesA     int     `json:"copies_a" doc:"other pages of the first run that equal a"`
	CopiesB     int     `json:"copies_b" doc:"other pages of the second run that equal b"`
	Estimated   bool    `json:"estimated" doc:"whether the figures are estimates of sketches"`
	Samples     int     `json:"samples,omitempty" doc:"of sketches, on which the figures are based"`
	StdErr      float64 `json:"std_error,omitempty" doc:"of an estimated resemblance"`
}

// AcrossStats counts what Across found.
type AcrossStats struct {
	PagesA, PagesB int
	Equal, Pairs   int // pairs of equal and of similar pages
}

// Across finds the pairs of similar pages of two runs, or of two files of sketches that are open in place of runs,
// and calls each with every pair, without the names of its pages. It works like the stages equal and resemble of one
// run over both inputs and finds the same pairs: boilerplate is determined from the pages of both runs, and a shingle
// is too common if it is in too many pages of both together. The only difference is a URL with a page in both runs: a
// run keeps the newer page, whereas Across compares the two.
//
// Thresholds are those of the first run. If either run keeps sketches, sketches are compared, otherwise whole sets of
// shingles. The error is a *SettingsError if the settings of the runs do not allow a comparison.
func Across(ctx context.Context, a, b *runs.Run, each func(CrossPair) error) (stats AcrossStats, err error) {
	runs, err := runs.Alike(ctx, []*runs.Run{a, b})
	if err == nil {
		stats, err = across(ctx, runs[0], runs[1], each)
	}
	return stats, errors.Join(err, a.Err(), b.Err()) // sketches made from a run do not report its damage
}

// across is Across for runs with equal settings.
func across(ctx context.Context, a, b *runs.Run, each func(CrossPair) error) (stats AcrossStats, err error) {
	stats.PagesA, stats.PagesB = a.Pages.Len(), b.Pages.Len()
	m, err := merge(a, b)
	if err != nil {
		return stats, err
	}
	equal, strip, _, err := resemble.FindEqualAndBoilerplate(ctx, m, a.Config.Stripped(), resemble.Resources{})
	if err != nil {
		return stats, err
	}
	g := newClasses(m, equal)
	emit := func(x, y uint32, p CrossPair) error {
		p.URLA, p.URLB = m.url(x), m.url(y)
		p.CopiesA, p.CopiesB = g.copies(x), g.copies(y)
		return each(p)
	}
	for id := range uint32(m.Len()) {
		c, ok := g.of[id]
		if !ok || c.first[0] == tables.None || c.first[1] == tables.None {
			continue
		}
		relation, _ := equal.Between(c.first[0], c.first[1])
		stats.Equal++
		if err := emit(c.first[0], c.first[1], CrossPair{Relation: relation.String(), Resemblance: 1, AInB: 1, BInA: 1}); err != nil {
			return stats, err
		}
	}
	_, err = resemble.Pairs(ctx, m, equal, strip, a.Config.Pairs(resemble.Resources{}), func(pairs []resemble.Pair) error {
		for _, p := range pairs {
			for _, p := range []resemble.Pair{p, p.Swap()} {
				x, y := g.first(p.A, 0), g.first(p.B, 1)
				if x == tables.None || y == tables.None {
					continue
				}
				stats.Pairs++
				if err := emit(x, y, crossPairOf(a, p)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return stats, err
}

// crossPairOf returns the figures of a pair.
func crossPairOf(r *runs.Run, p resemble.Pair) CrossPair {
	d := Figures(r, p)
	return CrossPair{
		Relation: p.Relation(r.Config.Resemblance), Resemblance: d.Resemblance, AInB: d.ThisInOther, BInA: d.OtherInThis,
		Estimated: d.Estimated, Samples: d.Samples, StdErr: d.StdErr,
	}
}

// merged numbers the pages of two runs as one run over both inputs would: by the hash of the URL, then by the URL. It
// implements resemble.Sketches.
type merged struct {
	runs.PageTable // of the first run, for methods that do not depend on the page
	runs           [2]*runs.Run
	side           []uint8  // 0 or 1: the run of each page
	page           []uint32 // its number in its run
	host           []uint32
}

func merge(a, b *runs.Run) (*merged, error) {
	n := a.Pages.Len() + b.Pages.Len()
	if int64(n) >= int64(tables.None) {
		return nil, fmt.Errorf("%d pages are too many to compare", n)
	}
	m := &merged{PageTable: a.Pages, runs: [2]*runs.Run{a, b}, side: make([]uint8, n), page: make([]uint32, n), host: make([]uint32, n)}
	numbers, known := map[string]uint32{}, [2]map[uint32]uint32{{}, {}}
	next := [2]uint32{}
	for id := range m.page {
		side := uint8(0)
		if int(next[0]) == a.Pages.Len() || int(next[1]) < b.Pages.Len() && before(b, next[1], a, next[0]) {
			side = 1
		}
		r, page := m.runs[side], next[side]
		next[side]++
		m.side[id], m.page[id] = side, page
		local := r.Pages.Host(page)
		host, ok := known[side][local]
		if !ok {
			name := urls.Host(r.Docs.URL(r.Pages.Document(page)))
			if host, ok = numbers[name]; !ok {
				host = uint32(len(numbers))
				numbers[strings.Clone(name)] = host
			}
			known[side][local] = host
		}
		m.host[id] = host
	}
	return m, nil
}

// before reports whether a page of one run precedes a page of the other.
func before(a *runs.Run, x uint32, b *runs.Run, y uint32) bool {
	docX, docY := a.Pages.Document(x), b.Pages.Document(y)
	hashX, hashY := a.Docs.Hash(docX), b.Docs.Hash(docY)
	return hashX < hashY || hashX == hashY && a.Docs.URL(docX) < b.Docs.URL(docY)
}

// at returns the run of a page and the number of the page there.
func (m *merged) at(id uint32) (*runs.Run, uint32) {
	return m.runs[m.side[id]], m.page[id]
}

func (m *merged) url(id uint32) string {
	r, page := m.at(id)
	return r.Docs.URL(r.Pages.Document(page))
}

// Len returns the number of pages.
func (m *merged) Len() int { return len(m.page) }

// Host returns the number of the host of a page.
func (m *merged) Host(id uint32) uint32 { return m.host[id] }

// AppendValues appends the shingles of a page, or its sketch.
func (m *merged) AppendValues(dst []uint64, id uint32) []uint64 {
	r, page := m.at(id)
	return r.Pages.AppendValues(dst, page)
}

// of returns what the table of the run of a page says of it.
func of[T any](m *merged, id uint32, get func(p runs.PageTable, page uint32) T) T {
	r, page := m.at(id)
	return get(r.Pages, page)
}

// Stored returns the number of values of a page.
func (m *merged) Stored(id uint32) int { return of(m, id, runs.PageTable.Stored) }

// Size returns the number of distinct shingles of a page.
func (m *merged) Size(id uint32) int { return of(m, id, runs.PageTable.Size) }

// Digest returns the digest of the shingles of a page with a sketch.
func (m *merged) Digest(id uint32) uint64 { return of(m, id, runs.PageTable.Digest) }

// Bytes returns the digest of the content of a page.
func (m *merged) Bytes(id uint32) uint64 { return of(m, id, runs.PageTable.Bytes) }

// Lexical returns the digest of the canonical words of a page.
func (m *merged) Lexical(id uint32) uint64 { return of(m, id, runs.PageTable.Lexical) }

// Notice reports whether the label of a page says that it is not content.
func (m *merged) Notice(id uint32) bool { return of(m, id, runs.PageTable.Notice) }

// classes holds the classes of equal pages of both runs.
type classes struct {
	m     *merged
	equal *resemble.Equal
	of    map[uint32]*class // by representative, if it represents other pages
}

// class is a set of pages that equal each other.
type class struct {
	first [2]uint32 // lowest page of each run, tables.None if there is none
	pages [2]int
}

func newClasses(m *merged, equal *resemble.Equal) *classes {
	g := &classes{m, equal, map[uint32]*class{}}
	for id := range uint32(m.Len()) {
		rep := equal.Representative(id)
		if rep == id {
			continue
		}
		c := g.of[rep]
		if c == nil {
			c = &class{first: [2]uint32{tables.None, tables.None}}
			c.add(m, rep)
			g.of[rep] = c
		}
		c.add(m, id)
	}
	return g
}

func (c *class) add(m *merged, id uint32) {
	side := m.side[id]
	c.first[side] = min(c.first[side], id)
	c.pages[side]++
}

// first returns the lowest page of a run that equals a representative, or tables.None.
func (g *classes) first(rep uint32, side uint8) uint32 {
	if c := g.of[rep]; c != nil {
		return c.first[side]
	}
	if g.m.side[rep] == side {
		return rep
	}
	return tables.None
}

// copies returns how many other pages of its run equal a page.
func (g *classes) copies(id uint32) int {
	if c := g.of[g.equal.Representative(id)]; c != nil {
		return c.pages[g.m.side[id]] - 1
	}
	return 0
}
