package score

// regionNames names the regions by the relation of the far target to the query: a sibling is in another category of the
// same parent, a cousin is one level further away, and an unrelated target two.
var regionNames = [...]string{"sibling", "cousin", "unrelated"}

// regions returns the number of regions of a directory with the given depth.
func regions(depth int) int { return min(depth, len(regionNames)) }

// gammas sets the columns of the regions. In region i the far targets share exactly depth-i-1 levels with the query,
// and the near ones share more. The list orders a pair if the similarities differ; a target that is not listed has
// similarity 0.
func (t *table) gammas(row int, list []Neighbour, p *prospects) {
	if !p.asked {
		return
	}
	g := newOrdering(t.gammaDepth)
	for from := 0; from < len(list) && list[from].Similarity > 0; {
		to := from
		for ; to < len(list) && list[to].Similarity == list[from].Similarity; to++ {
			if n := list[to].Target; p.in(n) {
				g.tied[p.shared(n)]++
			}
		}
		g.close()
		from = to
	}
	for i := range regions(t.gammaDepth) {
		k := t.gammaDepth - i - 1
		near, far := float64(p.sizes[k+1]), float64(p.sizes[k]-p.sizes[k+1])
		right := g.right[k] + g.nearer(k)*(far-g.above[k])
		wrong := g.wrong[k] + g.above[k]*(near-g.nearer(k))
		c := t.region(i)
		if right+wrong > 0 {
			t.set(c, row, (right-wrong)/(right+wrong), 1)
		}
		t.set(c+1, row, right+wrong, near*far)
	}
}

// ordering counts ordered pairs while a list is read from its best end, one group of ties at a time. Index k stands for
// the targets that share exactly k levels with the query and, as a region, for these against all targets that share
// more.
type ordering struct {
	above        []float64 // targets read so far
	tied         []float64 // targets of the current similarity
	right, wrong []float64 // ordered pairs of listed targets
}

func newOrdering(depth int) *ordering {
	n := depth + 1
	x := make([]float64, 4*n)
	return &ordering{x[:n:n], x[n : 2*n : 2*n], x[2*n : 3*n : 3*n], x[3*n:]}
}

// nearer returns the number of targets read so far that share more than k levels.
func (o *ordering) nearer(k int) float64 { return sum(o.above[k+1:]) }

// close ends a group of ties.
func (o *ordering) close() {
	for k := range o.tied {
		o.right[k] += o.tied[k] * o.nearer(k)
		o.wrong[k] += sum(o.tied[k+1:]) * o.above[k]
	}
	for k, n := range o.tied {
		o.above[k] += n
		o.tied[k] = 0
	}
}
