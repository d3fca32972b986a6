package plan

import (
	"math"

	"github.com/lshclust/lshclust/config"
)

// A Trial is a run over an excerpt of the inputs.
type Trial struct {
	Share   float64 // of the bytes of the inputs
	Figures Figures
	Stages  []Cost // what the stages have cost
	Recall  float64
	Recalls bool // whether Recall was measured
}

// exponents are the bounds of the growth of each quantity: n times the input has n to the power of at least the first
// and at most the second of them. What is in the input itself grows with it. Documents and words occur again and again.
// A pair of two pages is in an excerpt only if both of them are, so pairs may grow with the square.
var exponents = [quantities][2]float64{
	Bytes: {1, 1}, Pages: {1, 1}, Links: {1, 1}, Occurrences: {1, 1}, Shingles: {1, 1}, Samples: {1, 1},
	Documents: {0, 1}, Words: {0, 1}, Nodes: {0, 1}, Postings: {0, 1}, Clusters: {0, 1}, Hosts: {0, 1},
	Collisions: {0, 2}, Comparisons: {0, 2}, TopicalPairs: {0, 2}, SyntacticPairs: {0, 2},
}

// whole is the share from which on an excerpt is the input itself.
const whole = 0.999

// Extrapolate returns the figures of a run over the whole input from trials with growing shares of it. Each quantity
// grows from the largest trial on by a power of the input: the one by which it has grown between the trials before.
func Extrapolate(trials []Trial, c config.Config) Figures {
	last := trials[len(trials)-1]
	out := last.Figures
	if last.Share >= whole {
		return out
	}
	for q := Fixed + 1; q < quantities; q++ {
		out[q] = last.Figures[q] * math.Pow(1/last.Share, exponent(trials, q))
	}
	out[Nodes] = min(out[Nodes], out[Documents])
	if most := float64(c.Neighbours + c.Apart); c.Neighbours > 0 {
		bound := func(q Quantity, perNode float64) { out[q] = min(out[q], max(perNode*out[Nodes], last.Figures[q])) }
		bound(TopicalPairs, most)
		bound(Comparisons, 4*most)
	}
	return out
}

// exponent returns the power of the input with which a quantity grows.
func exponent(trials []Trial, q Quantity) float64 {
	least, most := exponents[q][0], exponents[q][1]
	if least == most || len(trials) < 2 {
		return (least + most) / 2
	}
	a, b := trials[len(trials)-2], trials[len(trials)-1]
	if a.Figures[q] <= 0 || b.Figures[q] <= 0 || a.Share >= b.Share {
		return most
	}
	return min(max(math.Log(b.Figures[q]/a.Figures[q])/math.Log(b.Share/a.Share), least), most)
}
