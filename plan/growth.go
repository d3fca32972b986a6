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
	out[Documents] = last.Seen.documents(last.Figures[Documents], 1/last.Share, out[Pages])
	if was := last.Figures[Documents]; was > 0 {
		for _, q := range []Quantity{Nodes, Postings, Clusters} {
			out[q] = last.Figures[q] * out[Documents] / was
		}
	}
	if c.Neighbours == 0 {
		growPairs(&out, trials)
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

// allPairs is the power by which what a node has may grow in a run that stores all pairs, not the nearest only, with an
// index that does not depend on the number of nodes: then a node meets as large a share of all others as in the excerpt.
// From 30,000 to 640,000 nodes of a table of links, the pairs of a node grow with the power of .80 and its collisions with
// that of .85; within a sixteenth of the directory set, the pairs grow with the power of .3.
const allPairs = 1

// boundByNodes keeps what a node has within its bounds. all: the run stores all pairs.
func boundByNodes(out *Figures, from Figures, all bool) {
	if from[Nodes] == 0 {
		return
	}
	times := out[Nodes] / from[Nodes]
	for q, power := range perNode {
		if all {
			power = allPairs
		}
		out[q] = min(max(out[q], from[q]*times*math.Pow(max(times, 1), -fewer)), from[q]*times*math.Pow(max(times, 1), power))
	}
}

// growPairs extrapolates what grows with pairs of nodes in a run that stores all pairs. A node has as many pairs with
// those of its own lists however large the crawl is, and pairs with the others in proportion to their number. So what a
// node has should grow as a straight line over the number of nodes. That is too much, since words become more frequent in
// a larger crawl and weigh less, and a power of the nodes is too little, since the pairs of lists hide the others in a small
// excerpt. The result is the geometric mean of both.
func growPairs(out *Figures, trials []Trial) {
	for _, q := range []Quantity{Collisions, Survivors, TopicalPairs} {
		var x, y, w []float64
		for _, t := range trials {
			if n := t.Figures[Nodes]; n > 0 && t.Figures[q] > 0 {
				x, y, w = append(x, n), append(y, t.Figures[q]/n), append(w, t.Share)
			}
		}
		if len(x) < 2 {
			continue
		}
		n, last := out[Nodes], len(x)-1
		power := y[last] * math.Pow(n/x[last], slope(logs(x), logs(y), w))
		line := y[last] + (n-x[last])*max(0, slope(x, y, w))
		out[q] = n * math.Sqrt(power*line)
	}
}

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i := range x {
		out[i] = math.Log(x[i])
	}
	return out
}

// slope returns that of the line through points with weights which makes the sum of the squares of the errors least.
func slope(x, y, w []float64) float64 {
	var sum, mx, my, xx, xy float64
	for i := range x {
		sum, mx, my = sum+w[i], mx+w[i]*x[i], my+w[i]*y[i]
	}
	mx, my = mx/sum, my/sum
	for i := range x {
		xx, xy = xx+w[i]*(x[i]-mx)*(x[i]-mx), xy+w[i]*(x[i]-mx)*(y[i]-my)
	}
	if xx == 0 {
		return 0
	}
	return xy / xx
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
