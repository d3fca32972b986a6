package plan

import (
	"math"

	"github.com/lshclust/lshclust/config"
)

// A Trial is a run over an excerpt of the inputs.
type Trial struct {
	Share   float64 // of the bytes of the inputs
	Figures Figures
	Seen    Seen
	Stages  []Cost // what the stages have cost
	Recall  float64
	Recalls bool // whether Recall was measured
}

// exponents are the bounds of the growth of each quantity: n times the input has n to the power of at least the first
// and at most the second of them. What is in the input itself grows with it. A pair of two pages is in an excerpt only if
// both of them are, so pairs may grow with the square. The other quantities grow with the documents.
var exponents = [quantities][2]float64{
	Bytes: {1, 1}, Pages: {1, 1}, Links: {1, 1}, Occurrences: {1, 1}, Shingles: {1, 1}, Samples: {1, 1},
	Collisions: {0, 2}, Survivors: {0, 2}, Comparisons: {0, 2}, TopicalPairs: {0, 2}, SyntacticPairs: {0, 2},
}

// whole is the share from which on an excerpt is the input itself.
const whole = 0.999

// Extrapolate returns the figures of a run over the whole input from trials with growing shares of it. A quantity grows
// from the largest trial on by a power of the input: the one by which it has grown between the last two trials.
func Extrapolate(trials []Trial, c config.Config) Figures {
	last := trials[len(trials)-1]
	out := last.Figures
	if last.Share >= whole || last.Share <= 0 {
		return out
	}
	for q := Fixed + 1; q < quantities; q++ {
		out[q] = last.Figures[q] * math.Pow(1/last.Share, exponent(trials, q))
	}
	out[Documents] = last.Seen.documents(last.Figures[Documents], 1/last.Share)
	if was := last.Figures[Documents]; was > 0 {
		for _, q := range []Quantity{Nodes, Postings, Clusters} {
			out[q] = last.Figures[q] * out[Documents] / was
		}
	}
	boundByNodes(&out, last.Figures, c.Neighbours == 0)
	out.derive()
	return out
}

// perNode are bounds of the growth of what a node has: of the nodes to the power of that. Within small excerpts it grows
// fast, and in large crawls hardly. With the preset web, from 2,000 to 150,000 nodes of the directory set and of generated
// crawls, a node has 110 to 160 comparisons and 24 to 37 pairs whatever the size, and its collisions grow with a power of
// .2 to .45; with paper2000 it has 23 to 38 collisions and 1 to 3.4 pairs.
var perNode = map[Quantity]float64{Comparisons: 0.1, TopicalPairs: 0.1, Collisions: 0.45, Survivors: 0.45}

// fewer is the power by which what a node has may fall: an excerpt of many lists has more in common than all of them.
const fewer = 0.2

// allPairs is the power by which the pairs of a node may grow in a run that stores all pairs, not the nearest only. It is
// a compromise: 1 is right for pairs of any two nodes, and .3 was measured on a sixteenth of the directory set.
const allPairs = 0.5

// boundByNodes keeps what a node has within its bounds. all: the run stores all pairs.
func boundByNodes(out *Figures, from Figures, all bool) {
	if from[Nodes] == 0 {
		return
	}
	times := out[Nodes] / from[Nodes]
	for q, power := range perNode {
		if all && q == TopicalPairs {
			power = allPairs
		}
		out[q] = min(max(out[q], from[q]*times*math.Pow(max(times, 1), -fewer)), from[q]*times*math.Pow(max(times, 1), power))
	}
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
