package tune

import "math"

// cells is the number of equal parts of the range of similarities in which pairs are counted. Bags of 100 elements have
// similarities x/(200-x), which are at least 0.005 apart, so that each has a cell to itself. A cell represents the mean
// similarity of its pairs.
const cells = 4096

// Similarities counts how similar the documents of a set are to one another: it holds the exact similarities of a
// random sample of them to all others. Few pairs of many documents are similar at all, and most candidates come from
// the very many pairs of nearly no similarity. So these, and the pairs of similarity 0, are counted rather than
// guessed.
type Similarities struct {
	Documents int // in the set

	cell    []cell
	sampled [][]count
}

// cell counts the pairs of the sample with similarities in one part of the range.
type cell struct {
	pairs float64
	sum   float64 // of similarities
}

// count is the number of pairs of one sampled document in one cell. Cell -1 is similarity 0.
type count struct {
	cell  int16
	pairs int32
}

// NewSimilarities returns an empty count for a set of that many documents.
func NewSimilarities(documents int) *Similarities {
	return &Similarities{Documents: documents, cell: make([]cell, cells)}
}

// Add counts one document of the sample. similar holds its similarities above 0 to other documents.
func (h *Similarities) Add(similar []float64) {
	var row []count
	var n [cells]int32
	for _, s := range similar {
		c := cellOf(s)
		n[c]++
		h.cell[c].pairs++
		h.cell[c].sum += s
	}
	for c, n := range n {
		if n > 0 {
			row = append(row, count{int16(c), n})
		}
	}
	if zero := h.Documents - 1 - len(similar); zero > 0 {
		row = append(row, count{-1, int32(zero)})
	}
	h.sampled = append(h.sampled, row)
}

func cellOf(s float64) int { return max(0, min(cells-1, int(s*cells))) }

// Sampled returns the number of documents that were counted.
func (h *Similarities) Sampled() int { return len(h.sampled) }

// Pairs returns the number of all pairs of the set.
func (h *Similarities) Pairs() float64 { return float64(h.Documents) * float64(h.Documents-1) / 2 }

// Estimate is a figure about the whole set that was computed from a sample, with its 95 % interval. If the sample is
// the whole set, the interval is empty.
type Estimate struct{ Value, Low, High float64 }

// Expect returns the sum over all pairs of a function of their similarity: their number for the function 1, the number
// of candidates for lsh.Candidate.
func (h *Similarities) Expect(f func(similarity float64) float64) Estimate {
	return h.expected(h.values(f))
}

// Between returns the number of pairs with a similarity from low up to, and not including, high. It includes the pairs
// of similarity 0 if low is 0, and those of similarity 1 if high is above 1.
func (h *Similarities) Between(low, high float64) Estimate {
	return h.Expect(func(s float64) float64 { return from(low)(s) - from(high)(s) })
}

// Mean returns the mean of the similarities from low up to, and not including, high. It returns false if the sample has
// none.
func (h *Similarities) Mean(low, high float64) (float64, bool) {
	n := h.Between(low, high).Value
	if n == 0 {
		return 0, false
	}
	return h.Expect(func(s float64) float64 { return s * (from(low)(s) - from(high)(s)) }).Value / n, true
}

// Share returns the share of the pairs with a similarity from low up to, and not including, high that other has counted
// too. For each document of this sample, in the same order, other was given the similarities of the pairs that were
// found. Share returns false if the sample has no such pairs.
func (h *Similarities) Share(other *Similarities, low, high float64) (Estimate, bool) {
	in := h.values(func(s float64) float64 { return from(low)(s) - from(high)(s) })
	in[cells] = 0 // other takes the pairs that were not found for pairs of similarity 0
	var part, whole []float64
	for i, row := range h.sampled {
		part, whole = append(part, in.of(other.sampled[i])), append(whole, in.of(row))
	}
	return h.ratioOf(part, whole)
}

// values is a function of similarity, by cell. The last value is that of similarity 0.
type values []float64

func (h *Similarities) values(f func(s float64) float64) values {
	v := make(values, cells+1)
	for c, in := range h.cell {
		if in.pairs > 0 {
			v[c] = f(in.mean())
		}
	}
	v[cells] = f(0)
	return v
}

func (c cell) mean() float64 { return c.sum / c.pairs }

// of returns the sum of the values over the pairs of one sampled document.
func (v values) of(row []count) (sum float64) {
	for _, c := range row {
		if c.cell < 0 {
			sum += v[cells] * float64(c.pairs)
		} else {
			sum += v[c.cell] * float64(c.pairs)
		}
	}
	return sum
}

// rows returns the sums of a function of similarity over the pairs of each sampled document.
func (h *Similarities) rows(f func(s float64) float64) []float64 { return h.sums(h.values(f)) }

func (h *Similarities) sums(v values) []float64 {
	rows := make([]float64, len(h.sampled))
	for i, row := range h.sampled {
		rows[i] = v.of(row)
	}
	return rows
}

// expected returns the sum of the values over all pairs of the set.
func (h *Similarities) expected(v values) Estimate { return h.total(h.sums(v)) }

// total returns the sum over all pairs of the set from the sums over the pairs of each sampled document. Each pair
// belongs to two documents.
func (h *Similarities) total(rows []float64) Estimate {
	mean, wide := h.mean(rows)
	half := float64(h.Documents) / 2
	return Estimate{half * mean, half * max(0, mean-wide), half * (mean + wide)}
}

// ratio returns the sum of one function divided by that of another, which is no smaller. It returns false if the
// divisor is 0.
func (h *Similarities) ratio(part, whole values) (Estimate, bool) {
	return h.ratioOf(h.sums(part), h.sums(whole))
}

// ratioOf returns the sum of y divided by that of x, which have a value for each document of the sample.
func (h *Similarities) ratioOf(y, x []float64) (Estimate, bool) {
	var sumX, sumY float64
	for i := range x {
		sumX, sumY = sumX+x[i], sumY+y[i]
	}
	if sumX <= 0 {
		return Estimate{}, false
	}
	r := sumY / sumX
	residuals := make([]float64, len(y))
	for i := range y {
		residuals[i] = y[i] - r*x[i] // their spread is the spread of the ratio
	}
	_, wide := h.mean(residuals)
	wide *= float64(len(x)) / sumX
	return Estimate{r, max(0, r-wide), min(1, r+wide)}, true
}

// mean returns the mean of a sample and half its 95 % interval, which is the smaller the more of the set is in the
// sample.
func (h *Similarities) mean(sample []float64) (mean, wide float64) {
	n := float64(len(sample))
	if n == 0 {
		return 0, 0
	}
	for _, x := range sample {
		mean += x / n
	}
	if n < 2 {
		return mean, 0
	}
	var square float64
	for _, x := range sample {
		square += (x - mean) * (x - mean)
	}
	left := max(0, 1-n/float64(h.Documents))
	return mean, 1.96 * math.Sqrt(square/(n-1)/n*left)
}
