package lsh

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/lshclust/lshclust/minhash"
	"gonum.org/v1/gonum/integrate/quad"
)

// Choice is an index and the floor of its filter.
type Choice struct {
	M     int     `json:"signatures"`
	K     int     `json:"key_size"`
	L     int     `json:"keys"`
	Floor float64 `json:"floor"`
}

// Goal is what a choice must do.
type Goal struct {
	Recall     float64 // share to be found of the pairs of similarity At and above
	At         float64
	Memory     int64   // for Config.Memory; 0 is no limit
	Floor      float64 // of the filter, if KeepFloor
	KeepFloor  bool    // else the floor is chosen too
	Signatures []int   // numbers of signatures to look at; none are TunedSignatures
}

// TunedSignatures are the numbers of signatures that Tune looks at, up to the greatest that an index takes.
var TunedSignatures = []int{40, 80, 120, minhash.MaxMask}

// Validate returns an error that names what cannot be.
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

// Prediction is what to expect of a choice on a set of documents.
type Prediction struct {
	Choice
	RecallAt   float64  // of pairs of just the similarity of the goal
	Recall     Estimate // of the pairs of the set with that similarity and above
	Collisions Estimate // pairs formed in runs, with repeats
	Candidates Estimate // different ones
	Survivors  Estimate // of these, with agreement at the floor
	Seconds    float64  // of one processor
	Memory     int64    // Config.Memory with which nothing is done in parts
}

// Rates is what work costs, in seconds of one processor.
type Rates struct {
	Signature float64 // a document and signature
	Key       float64 // a document and key: making, sorting, finding runs
	Collision float64 // a pair that meets in a run: rows compared
	Survivor  float64 // a pair that agrees at the floor: bags compared, sorted both ways
}

// DefaultRates were fitted to three runs over the directory set (390,000 documents; paper2000 with identical bags merged and
// not, web), which took 18, 36 and 172 s; they say 19, 37 and 172 s.
var DefaultRates = Rates{Signature: 50e-9, Key: 30e-9, Collision: 0.22e-6, Survivor: 1.6e-6}

// Pairing is the cost of finding pairs, signing left out.
func (r Rates) Pairing(keys, collisions, survivors float64) float64 {
	return r.Key*keys + r.Collision*collisions + r.Survivor*survivors
}

// Scaled are the rates of a machine on which the pairs of a run took so many seconds.
func (r Rates) Scaled(keys, collisions, survivors, seconds float64) Rates {
	expected := r.Pairing(keys, collisions, survivors)
	if !(expected > 0) || !(seconds > 0) {
		return r
	}
	f := seconds / expected
	return Rates{r.Signature * f, r.Key * f, r.Collision * f, r.Survivor * f}
}

// Model is what predictions rest on.
type Model struct {
	Similarities *Similarities
	Meetings     *Meetings // may be nil: then no run is too long
	Rates        Rates
}

// MoreKeys is the next larger number of keys to try, and false if there is none: about a quarter more.
func (c Choice) MoreKeys() (Choice, bool) {
	most := int(min(choose(c.M, c.K), maxKeys))
	more := c
	more.L = min(most, c.L+max(1, c.L/4))
	return more, more.L > c.L
}

// Predict tells what to expect of a choice; at is the similarity from which on recall is told.
func (m *Model) Predict(c Choice, at float64) Prediction {
	h, n := m.Similarities, float64(m.Similarities.Documents)
	where, targets := h.where(), m.targets(at)
	of, least := newChances(c.M, c.K, where, m.Meetings), Least(c.Floor, c.M)
	found := of.found(c.L)
	p := Prediction{Choice: c, RecallAt: min(1, newChances(c.M, c.K, []float64{at}, m.Meetings).found(c.L)[0][least])}
	p.Collisions = h.total(h.byCell(func(i int) float64 {
		return float64(c.L) * math.Pow(where[i], float64(c.K)) * m.Meetings.formed(c.K, where[i])
	}))
	p.Candidates = h.total(h.byCell(func(i int) float64 { return found[i][0] }))
	p.Survivors = h.total(h.byCell(func(i int) float64 { return found[i][least] }))
	p.Recall = m.recall(c, at, targets, h.byCell(func(i int) float64 { return found[i][least] }))
	p.Seconds = n*float64(c.M)*m.Rates.Signature + m.Rates.Pairing(n*float64(c.L), p.Collisions.Value, p.Survivors.Value)
	p.Memory = IndexMemory(m.Similarities.Documents, c.M)
	return p
}

// IndexMemory is the Config.Memory with which the low bytes of all rows and one key are held, in bytes.
func IndexMemory(rows, m int) int64 {
	low := int64(rows) * int64(m)
	return max(2*low, low+int64(rows)*(2*recordSize+tableSize))
}

// byCell are values by the place of a cell among those of where.
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

// where are the similarities of the sample, a cell each.
func (h *Similarities) where() []float64 {
	var out []float64
	for _, c := range h.cell {
		if c.pairs > 0 {
			out = append(out, c.mean())
		}
	}
	return out
}

// targets are similarities from at on with their weights.
type targets struct {
	similarity, weight []float64
	measured           bool
}

// uniformPoints is the number of points of Gauss-Legendre quadrature over a smooth curve: more change nothing.
const uniformPoints = 40

// targets are the pairs of the sample from at on, or where it has none, all similarities from there to 1 alike.
func (m *Model) targets(at float64) targets {
	var t targets
	for _, c := range m.Similarities.cell {
		if c.pairs > 0 && c.mean() >= at {
			t.similarity, t.weight = append(t.similarity, c.mean()), append(t.weight, c.pairs)
			t.measured = true
		}
	}
	if !t.measured {
		t.similarity, t.weight = make([]float64, uniformPoints), make([]float64, uniformPoints)
		quad.Legendre{}.FixedLocations(t.similarity, t.weight, at, 1)
	}
	return t
}

// Measured tells whether the sample has pairs of a similarity and above. If not, recall there is a mean over the curve.
func (m *Model) Measured(at float64) bool { return m.targets(at).measured }

// mean is the mean over the targets of probabilities by floor.
func (t targets) mean(found [][]float64, least int) float64 {
	var sum, all float64
	for i, w := range t.weight {
		sum, all = sum+w*found[i][least], all+w
	}
	return sum / all
}

// recall is the recall of a choice, with its interval if the sample has such pairs.
func (m *Model) recall(c Choice, at float64, t targets, found values) Estimate {
	if !t.measured {
		r := t.mean(newChances(c.M, c.K, t.similarity, m.Meetings).found(c.L), Least(c.Floor, c.M))
		return Estimate{r, r, r}
	}
	above := m.Similarities.values(from(at))
	r, _ := m.Similarities.ratio(found.times(above), above)
	return r
}

// from is 1 from a similarity on, 0 below.
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

// Tune returns the cheapest choice for each m and k that reaches the goal within its memory, the cheapest first, ties by m, k
// and l. It is empty if there is none.
func (m *Model) Tune(g Goal) []Prediction {
	var out []Prediction
	ms := g.Signatures
	if len(ms) == 0 {
		ms = TunedSignatures
	}
	for _, signatures := range ms {
		if g.Memory > 0 && IndexMemory(m.Similarities.Documents, signatures) > g.Memory {
			continue
		}
		for k := 1; k <= min(maxTunedK, signatures); k++ {
			if c, ok := m.cheapest(signatures, k, g); ok {
				out = append(out, m.Predict(c, g.At))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Prediction) int { return cmp.Compare(a.Seconds, b.Seconds) })
	return out
}

// cheapest is the cheapest choice of l and floor that reaches the goal with keys of k out of m signatures.
func (m *Model) cheapest(signatures, k int, g Goal) (best Choice, ok bool) {
	t := m.targets(g.At)
	goal, all := newChances(signatures, k, t.similarity, m.Meetings), newChances(signatures, k, m.Similarities.where(), m.Meetings)
	floors := floorsOf(signatures, k, g)
	cost := math.Inf(1)
	for _, l := range ladder(choose(signatures, k)) {
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
			// More keys with the same floor only cost more, so it is not looked at again.
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

// floorsOf are the numbers of equal signatures to try as a floor: from k, which every candidate has, to what a pair of the
// goal's similarity has on the mean.
func floorsOf(m, k int, g Goal) []int {
	if g.KeepFloor {
		return []int{Least(g.Floor, m)}
	}
	var out []int
	for n := k; n <= max(k, int(g.At*float64(m))); n++ {
		out = append(out, n)
	}
	return out
}

// floorOf is the floor for a number of equal signatures, with few digits.
func floorOf(n, m int) float64 { return math.Floor(float64(n)/float64(m)*1e4+1e-6) / 1e4 }

// ladder are the numbers of keys to try: steps of about a tenth, up to all there are.
func ladder(all float64) []int {
	var out []int
	for l := 1.0; l < min(all, maxKeys); l = math.Ceil(l * 1.1) {
		step := max(1, math.Pow(10, math.Floor(math.Log10(l))-1))
		if l = math.Ceil(l/step) * step; l < all {
			out = append(out, int(l))
		}
	}
	return append(out, int(min(all, maxKeys)))
}

// seconds is the cost of a choice, from the probabilities of all similarities of the sample.
func (m *Model) seconds(c Choice, found [][]float64, least int) float64 {
	h, n := m.Similarities, float64(m.Similarities.Documents)
	var collisions, survivors float64
	for i, in := range nonEmpty(h.cell) {
		s := in.mean()
		collisions += in.pairs * float64(c.L) * math.Pow(s, float64(c.K)) * m.Meetings.formed(c.K, s)
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
