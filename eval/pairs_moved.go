package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/query"
)

// MovedScores is how often the page that resembles most a page that is gone is the one that took its place.
type MovedScores struct {
	Gold    string     `json:"gold"`
	Rows    int        `json:"rows"`    // of the gold, of these versions
	Other   int        `json:"other"`   // of other kinds (merged, folded, ..): no fault either way
	There   int        `json:"there"`   // whose old URL still has a page: nothing is missing
	Unknown []Skipped  `json:"unknown"` // rows with a page that a run does not have
	Bins    []MovedBin `json:"bins"`    // all, and those that shingles can reach
}

// MovedBin is the moved pages of a least resemblance, by the gold. Intervals are Wilson's.
type MovedBin struct {
	From  float64 `json:"from"`
	Pages int     `json:"pages"`

	Best    Figure `json:"best"`     // share whose best match of all pages is the new URL
	BestNew Figure `json:"best_new"` // whose best match of the pages that the older snapshot does not have is
	Among10 Figure `json:"among10"`  // that have it among the ten best
	Another int    `json:"another"`  // have another best match
	None    int    `json:"none"`     // have no match at all
}

// MovedReach is the resemblance from which on shingles should find a moved page.
const MovedReach = 0.5

// movedTop is how far a list of matches is looked at: pages of the older snapshot are passed over.
const movedTop = 200

// ErrShingles says that two runs cannot be compared.
var ErrShingles = errors.New("the runs made shingles in different ways")

// ScoreMoved looks in the newer run for the pages of the older one that are gone there, by their shingles, and compares
// the best matches with a gold of (old URL, new URL). Rows of a kind other than moved are counted apart.
func ScoreMoved(ctx context.Context, g *GoldPairs, older, newer *query.Run) (*MovedScores, error) {
	for _, r := range []*query.Run{older, newer} {
		if err := r.Need(config.Syntactic); err != nil {
			return nil, err
		}
	}
	if older.Config.Shingles() != newer.Config.Shingles() {
		return nil, fmt.Errorf("%w: %+v and %+v", ErrShingles, older.Config.Shingles(), newer.Config.Shingles())
	}
	out := &MovedScores{Gold: g.Name, Rows: len(g.Pairs), Unknown: []Skipped{}}
	bins := []*movedCount{{from: 0}, {from: MovedReach}}
	var unknown Gold
	for _, p := range g.Pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old, errOld := pageOf(older, p.A)
		target, errNew := pageOf(newer, p.B)
		_, errThere := pageOf(newer, p.A)
		switch {
		case p.Kind != "" && p.Kind != Moved:
			out.Other++
			continue
		case errOld != nil:
			unknown.skipAt("not-in-older", p.At, p.A)
			continue
		case errNew != nil:
			unknown.skipAt("not-in-newer", p.At, p.B)
			continue
		case errThere == nil:
			out.There++
			continue
		}
		m, err := match(older, newer, old, target)
		if err != nil {
			return nil, err
		}
		for _, b := range bins {
			if p.Resemblance >= b.from || b.from == 0 {
				b.count(m)
			}
		}
	}
	out.Unknown = append(out.Unknown, unknown.Skipped...)
	if bins[0].best.Of == 0 {
		return nil, fmt.Errorf("%s: %w: of %d rows, %d are of other kinds, %d old URLs still have a page", g.Name, ErrNoOverlap, out.Rows, out.Other, out.There)
	}
	for _, b := range bins {
		out.Bins = append(out.Bins, b.bin())
	}
	return out, nil
}

// pageOf looks a page up.
func pageOf(r *query.Run, url string) (uint32, error) {
	id, err := r.Lookup(url)
	if err == nil && !r.Document(id).Crawled {
		err = query.ErrUnknown
	}
	return id, err
}

// matched is where the new URL stands among the matches of an old one, from 1; 0 if it is not there.
type matched struct {
	place, placeNew int
	any             bool
}

func match(older, newer *query.Run, old, target uint32) (m matched, err error) {
	set, err := older.Shingles(old)
	if err != nil {
		return m, err
	}
	list, err := newer.Query(set, 0, movedTop)
	if err != nil {
		return m, err
	}
	m.any = len(list) > 0
	fresh := 0
	for i, d := range list {
		_, err := pageOf(older, d.URL)
		if err != nil {
			fresh++
		}
		if d.ID == target {
			m.place = i + 1
			if err != nil {
				m.placeNew = fresh
			}
			break
		}
	}
	return m, nil
}

// movedCount counts the pages of one bin.
type movedCount struct {
	from                   float64
	best, bestNew, among10 Proportion
	none                   int
}

func (b *movedCount) count(m matched) {
	b.best.Count(m.place == 1)
	b.bestNew.Count(m.placeNew == 1)
	b.among10.Count(m.place >= 1 && m.place <= 10)
	if !m.any {
		b.none++
	}
}

func (b *movedCount) bin() MovedBin {
	return MovedBin{
		From: b.from, Pages: b.best.Of, Best: b.best.Figure(), BestNew: b.bestNew.Figure(), Among10: b.among10.Figure(),
		Another: b.best.Of - b.best.Hits - b.none, None: b.none,
	}
}
