package classify

import (
	"cmp"
	"slices"
)

// Lists are the neighbours of an example, without itself: the nearest, and the nearest that are apart from it. Each
// list should have K neighbours, if there are that many.
type Lists struct {
	All, Apart []Neighbour
}

// Model answers with confidences.
type Model struct {
	*Examples
	curves  [2][]curve // per level: without and with neighbours that a page links to together with the document
	samples [2]int     // examples behind the curves of level 1
}

// Calibrate classifies each example by the others, and learns how often a share of the votes is right at each level.
// Examples that one page links to together with the document are near it because they share words of that page, and are
// right more often; so documents with such an example among the voting neighbours get a curve of their own. The other
// curve comes from all examples, classified without such neighbours.
func (e *Examples) Calibrate(lists []Lists) *Model {
	m := &Model{Examples: e}
	samples := [2][][]sample{make([][]sample, e.depth), make([][]sample, e.depth)}
	for i, l := range lists {
		if together(l.All) {
			e.sample(samples[1], i, l.All)
		}
		e.sample(samples[0], i, l.Apart)
	}
	for s := range samples {
		m.samples[s] = len(samples[s][0])
	}
	from := samples
	for s := range from {
		// With too few examples of one kind, use all of them together.
		if m.samples[s] < fewSamples {
			for k := range e.depth {
				from[s] = slices.Clone(from[s])
				from[s][k] = slices.Concat(samples[0][k], samples[1][k])
			}
		}
		for k := range e.depth {
			m.curves[s] = append(m.curves[s], newCurve(from[s][k]))
		}
	}
	return m
}

// fewSamples is the number of examples below which a kind of document gets no curve of its own.
const fewSamples = 50

// sample adds, for each level, the share of the votes for an example and whether it is right.
func (e *Examples) sample(to [][]sample, i int, near []Neighbour) {
	for k, l := range e.Vote(near) {
		to[k] = append(to[k], sample{l.Share, e.holds(i, l.Category)})
	}
}

// Samples returns the number of examples from which the confidences were learned: of documents that some page links to
// together with a neighbour, and of all, without such neighbours.
func (m *Model) Samples() (together, apart int) { return m.samples[1], m.samples[0] }

// sample is the share of votes of an answer, and whether it is right.
type sample struct {
	share float64
	right bool
}

// curve is a non-decreasing function through the mean shares and the frequencies of bins, linear between two bins.
type curve struct {
	shares, rates []float64
}

// leastBin is the least number of samples in a bin.
const leastBin = 20

// newCurve fits a curve by isotonic regression: it cuts the samples into some fifty bins by their shares, and pools
// neighbouring bins until their rates ascend. It adds one right and one wrong answer to each bin, so that few samples
// do not make certain.
func newCurve(samples []sample) (c curve) {
	slices.SortFunc(samples, func(a, b sample) int { return cmp.Compare(a.share, b.share) })
	var pooled []pool
	for size := max(leastBin, len(samples)/50); len(samples) > 0; {
		n := min(size, len(samples))
		for n < len(samples) && (samples[n].share == samples[n-1].share || len(samples)-n < size) {
			n++
		}
		p := pool{}
		for _, s := range samples[:n] {
			p.add(s)
		}
		samples = samples[n:]
		for len(pooled) > 0 && pooled[len(pooled)-1].rate() >= p.rate() {
			p = p.with(pooled[len(pooled)-1])
			pooled = pooled[:len(pooled)-1]
		}
		pooled = append(pooled, p)
	}
	for _, p := range pooled {
		c.shares, c.rates = append(c.shares, p.share/float64(p.n)), append(c.rates, p.rate())
	}
	return c
}

// pool is a bin of samples.
type pool struct {
	share    float64 // sum
	n, right int
}

func (p *pool) add(s sample) {
	p.share += s.share
	p.n++
	if s.right {
		p.right++
	}
}

func (p pool) with(q pool) pool { return pool{p.share + q.share, p.n + q.n, p.right + q.right} }

func (p pool) rate() float64 { return float64(p.right+1) / float64(p.n+2) }

// at returns the rate at a share, or 0 if there were no samples.
func (c curve) at(share float64) float64 {
	n := len(c.shares)
	if n == 0 {
		return 0
	}
	i, _ := slices.BinarySearch(c.shares, share)
	switch i {
	case 0:
		return c.rates[0] * share / c.shares[0]
	case n:
		return c.rates[n-1]
	}
	part := (share - c.shares[i-1]) / (c.shares[i] - c.shares[i-1])
	return c.rates[i-1] + part*(c.rates[i]-c.rates[i-1])
}

// Answer is the category of a document.
type Answer struct {
	Levels   []Level     // from level 1; empty if there are no neighbours
	Near     []Neighbour // the examples that voted
	Together bool        // some page links to the document and to one of these examples
}

// Answer returns the path that the nearest neighbours vote for, with the confidence of each level.
func (m *Model) Answer(near []Neighbour) Answer {
	near = near[:min(len(near), K)]
	a := Answer{Levels: m.Vote(near), Near: near, Together: together(near)}
	curves := m.curves[0]
	if a.Together {
		curves = m.curves[1]
	}
	above := 1.0
	for k := range a.Levels {
		above = min(above, curves[k].at(a.Levels[k].Share))
		a.Levels[k].Confidence = above
	}
	return a
}

// Cut returns the levels of the answer with at least the given confidence.
func (a *Answer) Cut(confidence float64) []Level {
	n := 0
	for n < len(a.Levels) && a.Levels[n].Confidence >= confidence {
		n++
	}
	return a.Levels[:n]
}
