package tune

import "github.com/lshclust/lshclust/lsh"

// Met is a document that an index forms a pair with: its similarity, which may be 0, and the number of equal
// signatures.
type Met struct {
	Similarity float64
	Agreement  int
}

// Trial holds the pairs that an index forms with the documents of a sample. They are counted, large buckets included,
// so that a trial holds where the formulas of a Model do not.
type Trial struct {
	Choice
	of  *Similarities
	met [][]Met
}

// NewTrial returns the trial of a choice on a sample. met has, for each document of the sample in the order of of.Add,
// the documents that the index pairs it with before the floor is applied.
func NewTrial(c Choice, of *Similarities, met [][]Met) *Trial {
	return &Trial{Choice: c, of: of, met: met}
}

// count returns for each document of the sample the number of pairs that keep accepts.
func (t *Trial) count(keep func(Met) bool) []float64 {
	out := make([]float64, len(t.met))
	for i, row := range t.met {
		for _, m := range row {
			if keep(m) {
				out[i]++
			}
		}
	}
	return out
}

func (t *Trial) survives(m Met) bool { return m.Agreement >= lsh.Least(t.Floor, t.M) }

// Candidates estimates the number of pairs of the set that have a key in common and are formed.
func (t *Trial) Candidates() Estimate {
	return t.of.total(t.count(func(Met) bool { return true }))
}

// Survivors estimates the number of candidates that agree at the floor.
func (t *Trial) Survivors() Estimate { return t.of.total(t.count(t.survives)) }

// Found returns the similarities of the pairs that agree at the floor. Pairs of similarity 0 are left out.
func (t *Trial) Found() *Similarities {
	found := NewSimilarities(t.of.Documents)
	for _, row := range t.met {
		var similar []float64
		for _, m := range row {
			if m.Similarity > 0 && t.survives(m) {
				similar = append(similar, m.Similarity)
			}
		}
		found.Add(similar)
	}
	return found
}

// Recall returns the share of the pairs of similarity at and above that are found. It returns false if the sample has
// no such pairs.
func (t *Trial) Recall(at float64) (Estimate, bool) {
	return t.of.ratioOf(t.count(func(m Met) bool { return m.Similarity >= at && t.survives(m) }), t.of.rows(from(at)))
}

// FloorTrial is the effect of one floor on the pairs of a trial.
type FloorTrial struct {
	Floor     float64
	Least     int      // equal signatures that the floor requires
	Recall    Estimate // the share found of the wanted pairs
	Precision Estimate // the share of wanted pairs among those that survive
	Survivors Estimate
}

// leastRecall is the recall below which Floors does not look at higher floors.
const leastRecall = 0.005

// Floors returns the effect of every floor when the pairs of similarity at and above are wanted. The first floor
// requires K equal signatures, which every candidate has; the last lets almost none of the wanted pairs through. The
// result is empty if the sample has no wanted pairs.
func (t *Trial) Floors(at float64) []FloorTrial {
	wanted := t.of.rows(from(at))
	var out []FloorTrial
	for least := t.K; least <= t.M; least++ {
		through := t.count(func(m Met) bool { return m.Agreement >= least })
		right := t.count(func(m Met) bool { return m.Agreement >= least && m.Similarity >= at })
		f := FloorTrial{Floor: floorOf(least, t.M), Least: least, Survivors: t.of.total(through)}
		var any, some bool
		f.Recall, any = t.of.ratioOf(right, wanted)
		f.Precision, some = t.of.ratioOf(right, through)
		if !any || !some || f.Recall.Value < leastRecall {
			break
		}
		out = append(out, f)
	}
	return out
}

// HighestFloor returns the index of the highest floor that keeps the recall, or -1 if none does.
func HighestFloor(floors []FloorTrial, recall float64) int {
	best := -1
	for i, f := range floors {
		if f.Recall.Value >= recall {
			best = i
		}
	}
	return best
}
