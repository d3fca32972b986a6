package score

// Hits holds what a ranking reaches with the nearest neighbour of each query alone. It is small enough to be kept while
// other rankings of the same directory are measured.
type Hits struct {
	t *table // coverage, and the hits of each level
}

// Hits measures the nearest neighbours of a ranking of d.
func (d *Directory) Hits(r Ranking, o Options) *Hits {
	t := d.measure(r, o)
	all := t.columns
	t.columns = []column{all[0]}
	for k := range t.depth {
		t.columns = append(t.columns, all[3+4*k])
	}
	return &Hits{t}
}

// Figures returns the share of the queries that have a neighbour and, for each level, the share of the queries whose
// nearest neighbour agrees.
func (h *Hits) Figures(o Options) (coverage Figure, levels []Figure) {
	f := h.t.figures(o)
	return f[0], f[1:]
}

// Less returns, for each level, the difference between h and another ranking of the same queries. Its intervals come
// from the same resamples of both.
func (h *Hits) Less(other *Hits, o Options) []Figure { return h.t.less(other.t, o)[1:] }
