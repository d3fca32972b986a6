package score

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Answered is what a classifier answers for a target.
type Answered struct {
	Path       []string
	Confidence []float64 // that each level of the path is right; it does not rise
	Nearest    int32     // the nearest other target, -1 if there is none
	Similarity float64   // of the nearest
}

// AnswerBounds are the confidences at which answers are measured.
var AnswerBounds = []float64{.5, .6, .7, .8, .9, .95}

// AnswerScores tells how well the answers of a classifier agree with a directory.
type AnswerScores struct {
	Test    string        `json:"test"`
	Queries int           `json:"queries"`
	Lists   int           `json:"lists"`
	Levels  []AnswerLevel `json:"levels"`
}

// AnswerLevel holds the figures of one level. An answer is right if its path shares that many levels with one of the
// target. A target whose own paths end above the level has no right answer there.
type AnswerLevel struct {
	Level    int           `json:"level"`
	Accuracy Figure        `json:"accuracy"` // share of all queries for which the answer is right, whatever its confidence
	Nearest  Figure        `json:"nearest"`  // the same for the path of the nearest target
	Majority Figure        `json:"majority"` // the same for the largest category
	Chance   Figure        `json:"chance"`   // the same for the path of a target chosen at random
	Over     Figure        `json:"over"`     // mean confidence less accuracy, over the answers; 0 is right on average
	Error    Figure        `json:"ece"`      // mean distance of confidence and accuracy over ten bins of equal size
	Bounds   []AnswerBound `json:"bounds"`
}

// AnswerBound holds the figures of the answers with at least some confidence.
type AnswerBound struct {
	Confidence float64 `json:"confidence"`
	Coverage   Figure  `json:"coverage"` // share of all queries
	Accuracy   Figure  `json:"accuracy"` // share of these that are right
	Nearest    Figure  `json:"nearest"`  // the same for the nearest target, over as many queries, those with the greatest similarity
}

// Figures lists all figures: accuracy_1 for level 1, and coverage_1_0.8 for its answers of confidence 0.8 and more.
func (s *AnswerScores) Figures() (out []Named) {
	for _, l := range s.Levels {
		put := func(name string, f Figure) { out = append(out, Named{fmt.Sprintf("%s_%d", name, l.Level), f}) }
		put("accuracy", l.Accuracy)
		put("nearest", l.Nearest)
		put("majority", l.Majority)
		put("chance", l.Chance)
		put("over", l.Over)
		put("ece", l.Error)
		for _, b := range l.Bounds {
			at := fmt.Sprintf("%d_%g", l.Level, b.Confidence)
			out = append(out, Named{"coverage_" + at, b.Coverage}, Named{"accuracy_" + at, b.Accuracy}, Named{"nearest_" + at, b.Nearest})
		}
	}
	return out
}

// columns of each level before those of the bounds, and of each bound.
const (
	levelColumns = 5
	boundColumns = 3
)

// ScoreAnswers measures the answers for all targets of a directory.
func (d *Directory) ScoreAnswers(test string, answers []Answered, o Options) AnswerScores {
	t := &table{name: test, depth: d.depth}
	for i := range d.Len() {
		if o.Queries == nil || o.Queries(i) {
			t.queries, t.lists = append(t.queries, int32(i)), append(t.lists, d.lists[i])
		}
	}
	each := levelColumns + boundColumns*len(AnswerBounds)
	t.columns = make([]column, d.depth*each)
	for c := range t.columns {
		t.columns[c] = column{make([]float64, len(t.queries)), make([]float64, len(t.queries))}
	}
	s := AnswerScores{Test: test, Queries: len(t.queries), Lists: len(slices.Compact(slices.Sorted(slices.Values(t.lists))))}
	for k := range d.depth {
		t.answers(k+1, k*each, answers, d.whole().prospects(), o) // which must be asked about each query once
	}
	figures := t.figures(o)
	for k := 0; k < d.depth && d.Categories(k+1) > 0; k++ {
		f := figures[k*each:]
		l := AnswerLevel{Level: k + 1, Accuracy: f[0], Nearest: f[1], Majority: f[2], Chance: f[3], Over: f[4], Error: t.error(d, k+1, answers)}
		for i, b := range AnswerBounds {
			g := f[levelColumns+boundColumns*i:]
			l.Bounds = append(l.Bounds, AnswerBound{b, g[0], g[1], g[2]})
		}
		s.Levels = append(s.Levels, l)
	}
	return s
}

// answers fills the columns of a level, which begin at first.
func (t *table) answers(level, first int, answers []Answered, p *prospects, o Options) {
	d := p.d
	largest := d.largest(level)
	similar := t.bySimilarity(answers)
	near := make([]float64, len(t.queries))
	for row, q := range t.queries {
		a := &answers[q]
		var barred []int32
		if o.Barred != nil {
			barred = o.Barred[q]
		}
		p.ask(q, barred)
		right := truth(d.agrees(int(q), a.Path) >= level)
		near[row] = truth(a.Nearest >= 0 && d.Shared(int(q), int(a.Nearest)) >= level)
		t.set(first, row, right, 1)
		t.set(first+1, row, near[row], 1)
		t.set(first+2, row, truth(d.agrees(int(q), largest) >= level), 1)
		t.set(first+3, row, share(p.sizes[level], p.sizes[0]), 1)
		c := a.at(level)
		t.set(first+4, row, truth(c > 0)*(c-right), truth(c > 0))
		for i, bound := range AnswerBounds {
			at := first + levelColumns + boundColumns*i
			t.set(at, row, truth(c >= bound), 1)
			t.set(at+1, row, truth(c >= bound)*right, truth(c >= bound))
		}
	}
	for i := range AnswerBounds {
		at := first + levelColumns + boundColumns*i
		for _, row := range similar[:int(sum(t.columns[at].num))] {
			t.set(at+2, row, near[row], 1)
		}
	}
}

// bySimilarity returns the rows of the queries, those with the most similar nearest target first.
func (t *table) bySimilarity(answers []Answered) []int {
	rows := make([]int, len(t.queries))
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Compare(answers[t.queries[b]].Similarity, answers[t.queries[a]].Similarity)
	})
	return rows
}

// errorBins is the number of bins over which confidence and accuracy are compared.
const errorBins = 10

// error returns the mean distance of confidence and accuracy.
func (t *table) error(d *Directory, level int, answers []Answered) Figure {
	var some []int32
	for _, q := range t.queries {
		if answers[q].at(level) > 0 {
			some = append(some, q)
		}
	}
	slices.SortStableFunc(some, func(a, b int32) int { return cmp.Compare(answers[a].at(level), answers[b].at(level)) })
	wrong := 0.0
	for b := range errorBins {
		gap := 0.0
		for _, q := range some[b*len(some)/errorBins : (b+1)*len(some)/errorBins] {
			gap += answers[q].at(level) - truth(d.agrees(int(q), answers[q].Path) >= level)
		}
		wrong += math.Abs(gap)
	}
	if len(some) == 0 {
		return Figure{}
	}
	return Figure{Value: wrong / float64(len(some)), N: len(some)}
}

// at returns the confidence of a level, 0 if the answer ends above it.
func (a *Answered) at(level int) float64 {
	if level > len(a.Confidence) {
		return 0
	}
	return a.Confidence[level-1]
}

// agrees returns the number of levels that a path shares with those of a target.
func (d *Directory) agrees(target int, path []string) (most int) {
	for _, leaf := range d.leaves[target] {
		n, own := 0, d.path(leaf)
		for n < min(len(own), len(path)) && own[n] == path[n] {
			n++
		}
		most = max(most, n)
	}
	return most
}

// largest returns the path of the category of a level that has the most targets, the first of equals.
func (d *Directory) largest(level int) []string {
	v, size := d.whole(), make([]int, len(d.nodes))
	var at []int32
	for t := range d.leaves {
		at = v.at(at[:0], int32(t), level)
		for _, c := range at {
			size[c]++
		}
	}
	best := int32(0)
	for c, n := range size {
		if n > size[best] {
			best = int32(c)
		}
	}
	return d.path(best)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
