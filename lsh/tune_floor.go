package lsh

// FloorPrediction is what to expect of one floor of the filter: of the pairs that have a key in common and agree enough, how
// many are as similar as is wanted, and how many of those that are so come through.
type FloorPrediction struct {
	Floor     float64
	Least     int // equal signatures that it asks for
	Recall    Estimate
	Precision Estimate
	Survivors Estimate
}

// Floors tells what to expect of every floor, for the m, k and l of a choice, when pairs of similarity at and above are
// wanted: from k equal signatures to the first that lets next to nothing through. It is empty if the sample has no such
// pairs.
func (m *Model) Floors(c Choice, at float64) []FloorPrediction {
	h := m.Similarities
	if !m.Measured(at) {
		return nil
	}
	found := newChances(c.M, c.K, h.where(), m.Meetings).found(c.L)
	above := h.values(from(at))
	var out []FloorPrediction
	for least := c.K; least <= c.M; least++ {
		through := h.byCell(func(i int) float64 { return found[i][least] })
		p := FloorPrediction{Floor: floorOf(least, c.M), Least: least, Survivors: h.total(through)}
		p.Recall, _ = h.ratio(through.times(above), above)
		var some bool
		if p.Precision, some = h.ratio(through.times(above), through); !some || p.Recall.Value < 0.005 {
			break
		}
		out = append(out, p)
	}
	return out
}

// HighestFloor is the place among floors of the one that keeps the recall with the best precision, -1 if none keeps it.
func HighestFloor(floors []FloorPrediction, recall float64) int {
	best := -1
	for i, f := range floors {
		if f.Recall.Value >= recall {
			best = i // recall falls from floor to floor, precision rises
		}
	}
	return best
}
