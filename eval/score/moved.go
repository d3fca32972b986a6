package score

// MovedBin holds the figures of the moved pages whose resemblance in the gold is at least From. The intervals are
// Wilson's.
type MovedBin struct {
	From  float64 `json:"from"`
	Pages int     `json:"pages"`

	Best    Figure `json:"best"`     // share whose best match is the new URL
	BestNew Figure `json:"best_new"` // share whose best match among the pages that the older crawl does not have is the new URL
	Among10 Figure `json:"among10"`  // share whose ten best matches include the new URL
	Another int    `json:"another"`  // pages with another best match
	None    int    `json:"none"`     // pages without any match
}

// MovedReach is the resemblance from which shingles should find a moved page.
const MovedReach = 0.5

// MovedPage is a page that moved, and the rank of its new URL among the matches of the old page.
type MovedPage struct {
	Gold     float64 // resemblance of old and new page in the gold
	Place    int     // rank of the new URL among all matches, from 1; 0 if it is not there
	PlaceNew int     // rank among the matches that the older crawl does not have
	Matched  bool    // whether there is any match
}

// Moved scores all pages, and those that shingles should find (MovedReach).
func Moved(pages []MovedPage) (out []MovedBin) {
	for _, from := range []float64{0, MovedReach} {
		c := movedCount{from: from}
		for _, p := range pages {
			if p.Gold >= from || from == 0 {
				c.count(p)
			}
		}
		out = append(out, c.bin())
	}
	return out
}

// movedCount counts the pages of one bin.
type movedCount struct {
	from                   float64
	best, bestNew, among10 Proportion
	none                   int
}

func (b *movedCount) count(m MovedPage) {
	b.best.Count(m.Place == 1)
	b.bestNew.Count(m.PlaceNew == 1)
	b.among10.Count(m.Place >= 1 && m.Place <= 10)
	if !m.Matched {
		b.none++
	}
}

func (b *movedCount) bin() MovedBin {
	return MovedBin{
		From: b.from, Pages: b.best.Of, Best: b.best.Figure(), BestNew: b.bestNew.Figure(), Among10: b.among10.Figure(),
		Another: b.best.Of - b.best.Hits - b.none, None: b.none,
	}
}
