package score

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

// MovedPage is a page that moved, and where its new URL stands among the matches of the old page.
type MovedPage struct {
	Gold     float64 // resemblance of old and new page in the gold
	Place    int     // of the new URL among all matches, from 1; 0: it is not there
	PlaceNew int     // among those matches that the older crawl does not have
	Matched  bool    // there is any match
}

// ScoreMoved scores all pages, and those that shingles can reach.
func ScoreMoved(pages []MovedPage) (out []MovedBin) {
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
