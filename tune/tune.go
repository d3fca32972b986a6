package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Choice is an index of L keys of K out of M signatures, and the floor of its filter.
type Choice struct {
	M     int     `json:"signatures"`
	K     int     `json:"key_size"`
	L     int     `json:"keys"`
	Floor float64 `json:"floor"`
}

// Goal is what a choice must achieve.
type Goal struct {
	Recall     float64 // the share to be found of the pairs of similarity At and above
	At         float64
	Memory     int64   // for lsh.Config.Memory; 0 means no limit
	Floor      float64 // of the filter, if KeepFloor
	KeepFloor  bool    // otherwise the floor is chosen too
	Signatures []int   // numbers of signatures to consider; if there are none, DefaultSignatures
}

// DefaultSignatures are the numbers of signatures that Tune considers. The last is the largest that an index allows.
var DefaultSignatures = []int{40, 80, 120, minhash.MaxMask}

// Validate returns an error that names the first field that is out of range.
func (g Goal) Validate() error {
	switch {
	case !(g.Recall > 0 && g.Recall < 1):
		return fmt.Errorf("recall %g: must be above 0 and below 1", g.Recall)
	case !(g.At > 0 && g.At < 1):
		return fmt.Errorf("at %g: must be above 0 and below 1", g.At)
	case g.KeepFloor && !(g.Floor >= 0 && g.Floor <= 1):
		return fmt.Errorf("floor %g: must be 0 to 1", g.Floor)
	}
	return nil
}

// Prediction holds the expected results of a choice on a set of documents if no bucket is large.
type Prediction struct {
	Choice
	RecallAt   float64  // of pairs that have exactly the similarity of the goal
	Recall     Estimate // of the pairs of the set of that similarity and above
	Collisions Estimate // pairs that meet in buckets, with repeats
	Candidates Estimate // different pairs that meet
	Survivors  Estimate // candidates that agree at the floor
	Seconds    float64  // processor time
	Memory     int64    // see lsh.Memory
}

// Rates holds the cost of each kind of work, in seconds of one processor.
type Rates struct {
	Signature float64 // of one document
	Key       float64 // of one document: making it, sorting, finding buckets
	Collision float64 // a pair that meets in a bucket: its rows are compared
	Survivor  float64 // a pair that agrees at the floor: its bags are compared, and the pair is sorted both ways
}

// DefaultRates were fitted to three runs over the directory set (390,000 documents; paper2000 with identical bags
// merged and not, web), which took 18, 36 and 172 s; the rates give 19, 37 and 172 s.
var DefaultRates = Rates{Signature: 50e-9, Key: 30e-9, Collision: 0.22e-6, Survivor: 1.6e-6}

// Pairing returns the cost of finding pairs, without that of the signatures.
func (r Rates) Pairing(keys, collisions, survivors float64) float64 {
	return r.Key*keys + r.Collision*collisions + r.Survivor*survivors
}

// Scaled returns the rates of a machine on which finding the pairs took that many seconds.
func (r Rates) Scaled(keys, collisions, survivors, seconds float64) Rates {
	expected := r.Pairing(keys, collisions, survivors)
	if !(expected > 0) || !(seconds > 0) {
		return r
	}
	f := seconds / expected
	return Rates{r.Signature * f, r.Key * f, r.Collision * f, r.Survivor * f}
}

// Model holds what predictions are made from.
type Model struct {
	Similarities *Similarities
	Rates        Rates
}

// MoreKeys returns the choice with about a quarter more keys, and false if there are no more.
func (c Choice) MoreKeys() (Choice, bool) {
	most := lsh.MostKeys(c.M, c.K)
	more := c
	more.L = min(most, c.L+max(1, c.L/4))
	return more, more.L > c.L
}

// Predict returns the expected results of a choice. The recall is that of the pairs of similarity at and above.
func (m *Model) Predict(c Choice, at float64) Prediction {
	h, n := m.Similarities, float64(m.Similarities.Documents)
	where, targets := h.where(), m.targets(at)
	found, least := newChances(c.M, c.K, where).found(c.L), lsh.Least(c.Floor, c.M)
	p := Prediction{Choice: c, RecallAt: min(1, newChances(c.M, c.K, []float64{at}).found(c.L)[0][least])}
	p.Collisions = h.expected(h.byCell(func(i int) float64 { return float64(c.L) * math.Pow(where[i], float64(c.K)) }))
	p.Candidates = h.expected(h.byCell(func(i int) float64 { return found[i][0] }))
	p.Survivors = h.expected(h.byCell(func(i int) float64 { return found[i][least] }))
	p.Recall = m.recall(c, at, targets, h.byCell(func(i int) float64 { return found[i][least] }))
	p.Seconds = n*float64(c.M)*m.Rates.Signature + m.Rates.Pairing(n*float64(c.L), p.Collisions.Value, p.Survivors.Value)
	p.Memory = lsh.Memory(m.Similarities.Documents, c.M)
	return p
}

// byCell returns the values of f, which takes the index of a cell in the result of where.
func (h *Similarities) byCell(f func(i int) float64) values {
	v, i := make(values, cells+1), 0
	for cell, in := range h.cell {
		if in.pairs > 0 {
			v[cell] = f(i)
			i++
		}
	}
	return v
}

// where returns the mean similarity of each cell that is not empty.
func (h *Similarities) where() []float64 {
	var out []float64
	for _, c := range h.cell {
		if c.pairs > 0 {
			out = append(out, c.mean())
		}
	}
	return out
}

// targets holds the similarities of the wanted pairs, with their weights.
type targets struct {
	similarity, weight []float64
	measured           bool
}

// uniformPoints is the number of points of the Gauss-Legendre quadrature. The curve is smooth; more points change
// nothing.
const uniformPoints = 40

// targets returns the similarities of the sample from at on. If it has none, all similarities from at to 1 have the
// same weight.
func (m *Model) targets(at float64) targets {
	var t targets
	for _, c := range m.Similarities.cell {
		if c.pairs > 0 && c.mean() >= at {
			t.similarity, t.weight = append(t.similarity, c.mean()), append(t.weight, c.pairs)
			t.measured = true
		}
	}
	if !t.measured {
		t.similarity, t.weight = legendre(uniformPoints, at, 1)
	}
	return t
}

// legendre returns the points and weights of the Gauss-Legendre quadrature with n points between two numbers. The points
// are the zeros of the Legendre polynomial of degree n, moved from [-1, 1].
func legendre(n int, low, high float64) (points, weights []float64) {
	points, weights = make([]float64, n), make([]float64, n)
	for i := range points {
		x := math.Cos(math.Pi * (float64(i) + 0.75) / (float64(n) + 0.5)) // near a zero; Newton's method ends at it
		var slope float64
		for range 10 {
			before, p := 0.0, 1.0
			for k := range n {
				before, p = p, (float64(2*k+1)*x*p-float64(k)*before)/float64(k+1)
			}
			slope = float64(n) * (x*p - before) / (x*x - 1)
			x -= p / slope
		}
		points[i] = low + (x+1)/2*(high-low)
		weights[i] = (high - low) / ((1 - x*x) * slope * slope)
	}
	return points, weights
}

// Measured tells whether the sample has pairs of similarity at and above. If it has none, their recall is a mean over
// the curve.
func (m *Model) Measured(at float64) bool { return m.targets(at).measured }

// mean returns the mean over the targets of the probabilities of a floor.
func (t targets) mean(found [][]float64, least int) float64 {
	var sum, all float64
	for i, w := range t.weight {
		sum, all = sum+w*found[i][least], all+w
	}
	return sum / all
}

// recall returns the recall of a choice, with its interval if the sample has such pairs.
func (m *Model) recall(c Choice, at float64, t targets, found values) Estimate {
	if !t.measured {
		r := t.mean(newChances(c.M, c.K, t.similarity).found(c.L), lsh.Least(c.Floor, c.M))
		return Estimate{r, r, r}
	}
	above := m.Similarities.values(from(at))
	r, _ := m.Similarities.ratio(found.times(above), above)
	return r
}

// from returns the function that is 1 from a similarity on and 0 below.
func from(at float64) func(float64) float64 {
	return func(s float64) float64 {
		if s >= at {
			return 1
		}
		return 0
	}
}

func (v values) times(w values) values {
	out := make(values, len(v))
	for i := range v {
		out[i] = v[i] * w[i]
	}
	return out
}

// maxKeySize is the largest key size that Tune considers.
const maxKeySize = 5

// Tune returns, for each m and k, the cheapest choice that reaches the goal within its memory. The cheapest comes
// first; equal costs are ordered by m and k. The result is empty if no choice reaches the goal.
func (m *Model) Tune(g Goal) []Prediction {
	var out []Prediction
	ms := g.Signatures
	if len(ms) == 0 {
		ms = DefaultSignatures
	}
	for _, signatures := range ms {
		if g.Memory > 0 && lsh.Memory(m.Similarities.Documents, signatures) > g.Memory {
			continue
		}
		for k := 1; k <= min(maxKeySize, signatures); k++ {
			if c, ok := m.cheapest(signatures, k, g); ok {
				out = append(out, m.Predict(c, g.At))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Prediction) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return out
}

// cheapest returns the cheapest choice of l and floor that reaches the goal with keys of k out of the signatures.
func (m *Model) cheapest(signatures, k int, g Goal) (best Choice, ok bool) {
	t := m.targets(g.At)
	goal, all := newChances(signatures, k, t.similarity), newChances(signatures, k, m.Similarities.where())
	floors := floorsOf(signatures, k, g)
	cost := math.Inf(1)
	for _, l := range ladder(lsh.MostKeys(signatures, k)) {
		if float64(m.Similarities.Documents)*float64(l)*m.Rates.Key > cost {
			break
		}
		reached := goal.found(l)
		var everything [][]float64
		left := floors[:0:0]
		for _, least := range floors {
			if t.mean(reached, least) < g.Recall {
				left = append(left, least)
				continue
			}
			// More keys with the same floor only cost more, so this floor is settled.
			if everything == nil {
				everything = all.found(l)
			}
			c := Choice{signatures, k, l, floorOf(least, signatures)}
			if g.KeepFloor {
				c.Floor = g.Floor
			}
			if s := m.seconds(c, everything, least); s < cost {
				best, cost, ok = c, s, true
			}
		}
		if floors = left; len(floors) == 0 {
			break
		}
	}
	return best, ok
}

// floorsOf returns the numbers of equal signatures to try as a floor: from k, which every candidate has, to the mean
// number of a pair that has the similarity of the goal.
func floorsOf(m, k int, g Goal) []int {
	if g.KeepFloor {
		return []int{lsh.Least(g.Floor, m)}
	}
	var out []int
	for n := k; n <= max(k, int(g.At*float64(m))); n++ {
		out = append(out, n)
	}
	return out
}

// floorOf returns a floor of four digits that requires n equal signatures.
func floorOf(n, m int) float64 { return math.Floor(float64(n)/float64(m)*1e4+1e-6) / 1e4 }

// ladder returns the numbers of keys to try, in steps of about a tenth, up to most.
func ladder(most int) []int {
	var out []int
	for l := 1.0; l < float64(most); l = math.Ceil(l * 1.1) {
		step := max(1, math.Pow(10, math.Floor(math.Log10(l))-1))
		if l = math.Ceil(l/step) * step; l < float64(most) {
			out = append(out, int(l))
		}
	}
	return append(out, most)
}

// seconds returns the cost of a choice from the probabilities found of all similarities of the sample.
func (m *Model) seconds(c Choice, found [][]float64, least int) float64 {
	h, n := m.Similarities, float64(m.Similarities.Documents)
	var collisions, survivors float64
	for i, in := range nonEmpty(h.cell) {
		s := in.mean()
		collisions += in.pairs * float64(c.L) * math.Pow(s, float64(c.K))
		survivors += in.pairs * found[i][least]
	}
	scale := n / 2 / float64(h.Sampled())
	return n*float64(c.M)*m.Rates.Signature + m.Rates.Pairing(n*float64(c.L), collisions*scale, survivors*scale)
}

func nonEmpty(all []cell) (out []cell) {
	for _, c := range all {
		if c.pairs > 0 {
			out = append(out, c)
		}
	}
	return out
}
