package score

import (
	"slices"
)

// table holds what a ranking did for each query. Every figure has a column and is the sum of its numerators over the
// sum of its denominators, so a resample of the queries is a weighted sum.
//
// The columns are coverage and found10; then agree, hit, precision and chance of each level; then gamma and the share
// of ordered pairs of each region.
type table struct {
	name              string
	depth, gammaDepth int
	queries           []int32
	lists             []string // of each query
	columns           []column
}

type column struct{ num, den []float64 }

// measure scores each query on its own.
func (d *Directory) measure(r Ranking, o Options) *table {
	t := &table{name: r.Name, depth: d.depth, gammaDepth: d.usual}
	for i := range d.Len() {
		if o.Queries == nil || o.Queries(i) {
			t.queries = append(t.queries, int32(i))
			t.lists = append(t.lists, d.lists[i])
		}
	}
	t.columns = make([]column, 2+4*d.depth+2*regions(t.gammaDepth))
	for c := range t.columns {
		t.columns[c] = column{make([]float64, len(t.queries)), make([]float64, len(t.queries))}
	}
	near := d.whole().prospects()
	deep := d.deep(t.gammaDepth).prospects()
	var list []Neighbour
	for row, q := range t.queries {
		var barred []int32
		if o.Barred != nil {
			barred = o.Barred[q]
		}
		list = allowed(list[:0], r.Lists[q], barred)
		near.ask(q, barred)
		t.agreement(row, list, near)
		deep.ask(q, barred)
		t.gammas(row, list, deep)
	}
	return t
}

// allowed appends the neighbours that are not barred.
func allowed(out, list []Neighbour, barred []int32) []Neighbour {
	for _, n := range list {
		if _, found := slices.BinarySearch(barred, n.Target); !found {
			out = append(out, n)
		}
	}
	return out
}

// agreement fills the columns for the nearest and the first ten neighbours.
func (t *table) agreement(row int, list []Neighbour, p *prospects) {
	shared := make([]int, 0, Ranks)
	for _, n := range list[:min(len(list), Ranks)] {
		shared = append(shared, p.shared(n.Target))
	}
	covered := 0.0
	if len(list) > 0 {
		covered = 1
	}
	t.set(0, row, covered, 1)
	t.set(1, row, float64(len(shared)), covered)
	for k := 1; k <= t.depth; k++ {
		agree := 0
		for _, s := range shared {
			if s >= k {
				agree++
			}
		}
		first := 0.0
		if len(shared) > 0 && shared[0] >= k {
			first = 1
		}
		c := 2 + 4*(k-1)
		t.set(c, row, first, covered)
		t.set(c+1, row, first, 1)
		t.set(c+2, row, share(agree, len(shared)), covered)
		t.set(c+3, row, share(p.sizes[k], p.sizes[0]), 1)
	}
}

// region returns the column of the gamma of region i.
func (t *table) region(i int) int { return 2 + 4*t.depth + 2*i }

func (t *table) set(column, row int, num, den float64) {
	t.columns[column].num[row], t.columns[column].den[row] = num, den
}

// share returns a/b, or 0 if b is 0.
func share(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
