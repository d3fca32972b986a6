package eval

import (
	"context"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// MovedEvaluation tells how often the page that resembles a vanished page most is the page that replaced it.
type MovedEvaluation struct {
	Gold    string           `json:"gold"`
	Rows    int              `json:"rows"`    // rows of the gold for the two versions
	Other   int              `json:"other"`   // rows of other kinds (merged, folded, ...), which are not scored
	There   int              `json:"there"`   // rows whose old URL still has a page
	Unknown gold.Skips       `json:"unknown"` // rows with a page that a run does not have
	Bins    []score.MovedBin `json:"bins"`    // all pages, and those that shingles should find
}

// movedTop is the number of matches that are examined. It is large because pages of the older crawl are passed over.
const movedTop = 200

// ErrShingles is the error for two runs whose shingles cannot be compared.
var ErrShingles = errors.New("the runs have different settings of shingles")

// EvaluateMoved uses the shingles of pages of the older run that are gone in the newer one to find their best matches
// there, and compares these with a gold of (old URL, new URL). Rows of kinds other than moved are counted separately.
func EvaluateMoved(ctx context.Context, g *gold.Pairs, older, newer *query.Run) (*MovedEvaluation, error) {
	for _, r := range []*query.Run{older, newer} {
		if err := r.Need(config.Syntactic); err != nil {
			return nil, err
		}
	}
	if older.Config.Shingles() != newer.Config.Shingles() {
		return nil, fmt.Errorf("%w: %+v and %+v", ErrShingles, older.Config.Shingles(), newer.Config.Shingles())
	}
	out := &MovedEvaluation{Gold: g.Name, Rows: len(g.Pairs), Unknown: gold.Skips{}}
	var pages []score.MovedPage
	for _, p := range g.Pairs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old, errOld := pageOf(older, p.A)
		target, errNew := pageOf(newer, p.B)
		_, errThere := pageOf(newer, p.A)
		switch {
		case p.Kind != "" && p.Kind != gold.Moved:
			out.Other++
			continue
		case errOld != nil:
			out.Unknown.Add("not-in-older", p.At, p.A)
			continue
		case errNew != nil:
			out.Unknown.Add("not-in-newer", p.At, p.B)
			continue
		case errThere == nil:
			out.There++
			continue
		}
		m, err := match(older, newer, old, target)
		if err != nil {
			return nil, err
		}
		m.Gold = p.Resemblance
		pages = append(pages, m)
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s: %w: of %d rows, %d are of other kinds, %d old URLs still have a page", g.Name, ErrNoOverlap, out.Rows, out.Other, out.There)
	}
	out.Bins = score.Moved(pages)
	return out, nil
}

// pageOf looks up a crawled page.
func pageOf(r *query.Run, url string) (uint32, error) {
	id, err := r.Lookup(url)
	if err == nil && !r.Document(id).Crawled {
		err = query.ErrUnknown
	}
	return id, err
}

// match looks for the page old of the older run among the pages of the newer one, and for target among its matches.
func match(older, newer *query.Run, old, target uint32) (m score.MovedPage, err error) {
	set, err := older.Shingles(old)
	if err != nil {
		return m, err
	}
	list, err := newer.Query(set, 0, movedTop)
	if err != nil {
		return m, err
	}
	m.Matched = len(list) > 0
	fresh := 0
	for i, d := range list {
		_, err := pageOf(older, d.URL)
		if err != nil {
			fresh++
		}
		if d.ID == target {
			m.Place = i + 1
			if err != nil {
				m.PlaceNew = fresh
			}
			break
		}
	}
	return m, nil
}

// CrawledPages returns a function that looks up a URL and returns the canonical URL of the crawled page.
// gold.ReadLabels needs it.
func CrawledPages(r *query.Run) func(url string) (canonical string, ok bool) {
	return func(url string) (string, bool) {
		id, err := pageOf(r, url)
		if err != nil {
			return "", false
		}
		return r.Document(id).URL, true
	}
}
