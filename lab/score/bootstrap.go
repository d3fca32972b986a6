package score

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/eval/gold"
)

// Figure is a measured value and the number of queries behind it. The zero value is undefined: null in JSON, "-" in
// tables.
type Figure struct {
	Value   float64   `json:"value"`
	N       int       `json:"n"`                 // queries that the value was computed from
	Queries *Interval `json:"queries,omitempty"` // 95 % interval, from resampling queries
	Lists   *Interval `json:"lists,omitempty"`   // 95 % interval, from resampling lists; the honest one for labels from lists
}

// Interval is the range that holds 95 of 100 resamples.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Label is one row of a gold.
type Label = gold.Label

// Defined reports whether there was something to measure.
func (f Figure) Defined() bool { return f.N > 0 }

// MarshalJSON writes null for an undefined figure.
func (f Figure) MarshalJSON() ([]byte, error) {
	if !f.Defined() {
		return []byte("null"), nil
	}
	type plain Figure
	return json.Marshal(plain(f))
}

// figures adds up the columns, with intervals if o asks for them.
func (t *table) figures(o Options) []Figure {
	out := t.values()
	t.resample(out, o, func(s []float64, column int) float64 { return s[2*column] / s[2*column+1] })
	return out
}

// values adds up the columns.
func (t *table) values() []Figure {
	out := make([]Figure, len(t.columns))
	for i, c := range t.columns {
		den := sum(c.den)
		if den == 0 {
			continue
		}
		out[i] = Figure{Value: sum(c.num) / den, N: positive(c.den)}
	}
	return out
}

// resample sets the intervals of figures if o asks for them. value computes a figure from sums of rows.
func (t *table) resample(figures []Figure, o Options, value func(sums []float64, figure int) float64) {
	if o.Bootstrap > 0 {
		intervals(figures, t.rows(nil), o, value, func(f *Figure) **Interval { return &f.Queries })
		intervals(figures, t.rows(t.lists), o, value, func(f *Figure) **Interval { return &f.Lists })
	}
}

func positive(x []float64) (n int) {
	for _, v := range x {
		if v > 0 {
			n++
		}
	}
	return n
}

// maxRows bounds the number of rows to resample. More queries are dealt into maxRows random groups; the sums of the
// groups are as independent as the queries.
const maxRows = 50_000

// rows returns the num and den of all columns for each query, or their sums for each list, in the order of the
// names of the lists.
func (t *table) rows(lists []string) [][]float64 {
	group := func(row int) int { return row }
	n := len(t.queries)
	if n > maxRows {
		n = maxRows
		rng := rand.New(rand.NewPCG(maxRows, uint64(len(t.queries))))
		deal := rng.Perm(len(t.queries))
		group = func(row int) int { return deal[row] % maxRows }
	}
	if lists != nil {
		names := slices.Compact(slices.Sorted(slices.Values(lists)))
		n = len(names)
		group = func(row int) int { i, _ := slices.BinarySearch(names, lists[row]); return i }
	}
	flat := make([]float64, n*2*len(t.columns))
	out := make([][]float64, n)
	for i := range out {
		out[i] = flat[i*2*len(t.columns):][:2*len(t.columns)]
	}
	for row := range t.queries {
		to := out[group(row)]
		for c, col := range t.columns {
			to[2*c] += col.num[row]
			to[2*c+1] += col.den[row]
		}
	}
	return out
}

// intervals resamples rows with replacement and sets the percentile interval of every defined figure. value computes a
// figure from the sums of the rows. A figure that is undefined in most resamples gets no interval, and no figure gets
// one if there is only one row. Resample i depends only on i and the seed.
func intervals(figures []Figure, rows [][]float64, o Options, value func(sums []float64, figure int) float64, at func(*Figure) **Interval) {
	if len(rows) < 2 {
		return
	}
	drawn := make([][]float64, o.Bootstrap) // values of the figures
	var wg sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < o.Bootstrap; i += workers {
				drawn[i] = resample(rows, rand.New(rand.NewPCG(o.Seed, uint64(i))), len(figures), value)
			}
		})
	}
	wg.Wait()
	for f := range figures {
		if !figures[f].Defined() {
			continue
		}
		var values []float64
		for _, d := range drawn {
			if v := d[f]; !math.IsNaN(v) && !math.IsInf(v, 0) {
				values = append(values, v)
			}
		}
		if 2*len(values) > o.Bootstrap {
			slices.Sort(values)
			*at(&figures[f]) = &Interval{quantile(values, .025), quantile(values, .975)}
		}
	}
}

func resample(rows [][]float64, rng *rand.Rand, figures int, value func([]float64, int) float64) []float64 {
	sums := make([]float64, len(rows[0]))
	for range rows {
		for c, v := range rows[rng.IntN(len(rows))] {
			sums[c] += v
		}
	}
	out := make([]float64, figures)
	for f := range out {
		out[f] = value(sums, f)
	}
	return out
}

// quantile interpolates between values, which must be sorted.
func quantile(values []float64, p float64) float64 {
	at := p * float64(len(values)-1)
	i := int(at)
	if i+1 >= len(values) {
		return values[len(values)-1]
	}
	return values[i] + (at-float64(i))*(values[i+1]-values[i])
}

// Interval returns the interval over lists, or the one over queries if there is only one list.
func (f Figure) Interval() *Interval {
	if f.Lists != nil {
		return f.Lists
	}
	return f.Queries
}

// Resample sets the interval of a figure that is the ratio of two sums, by resampling rows of numerator and
// denominator.
func (f *Figure) Resample(rows [][]float64, o Options) {
	if o.Bootstrap < 1 || !f.Defined() {
		return
	}
	figures := []Figure{*f}
	intervals(figures, rows, o, func(s []float64, _ int) float64 { return s[0] / s[1] }, func(f *Figure) **Interval { return &f.Queries })
	*f = figures[0]
}

// z95 is the normal quantile of a two-sided 95 % interval.
const z95 = 1.959963984540054

// Wilson returns the 95 % score interval of the success rate of n independent trials, which is 0 to 1 if there are
// none. Unlike the normal interval, it has a positive width even if all trials or none succeed.
func Wilson(successes, n int) Interval {
	if n < 1 {
		return Interval{0, 1}
	}
	p, m, z2 := float64(successes)/float64(n), float64(n), z95*z95
	mid := p + z2/(2*m)
	wide := z95 * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	out := Interval{(mid - wide) / (1 + z2/m), (mid + wide) / (1 + z2/m)}
	if successes == 0 {
		out.Low = 0 // exactly 0, without a rounding error
	}
	if successes == n {
		out.High = 1
	}
	return out
}
