package eval

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Figure is a measured value and the number of queries behind it. The zero value is undefined: null in JSON, "-" in
// tables.
type Figure struct {
	Value   float64   `json:"value"`
	N       int       `json:"n"`                 // queries that the value was computed from
	Queries *Interval `json:"queries,omitempty"` // 95 % interval, from resampling queries
}

// Interval is the range that holds 95 of 100 resamples.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// ResampleOptions says how to resample queries for an interval.
type ResampleOptions struct {
	Bootstrap int // number of resamples; 0: no intervals
	Seed      uint64
}

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

// String returns the value with its interval.
func (f Figure) String() string {
	switch {
	case !f.Defined():
		return "-"
	case f.Queries == nil:
		return fmt.Sprintf("%.3f", f.Value)
	}
	return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, f.Queries.Low, f.Queries.High)
}

// resample sets the interval of a figure that is the ratio of two sums, by resampling rows of numerator and denominator
// with replacement. Resample i depends only on i and the seed. One row gives no interval.
func (f *Figure) resample(rows [][2]float64, o ResampleOptions) {
	if o.Bootstrap < 1 || !f.Defined() || len(rows) < 2 {
		return
	}
	var values []float64
	for i := range o.Bootstrap {
		rng, num, den := rand.New(rand.NewPCG(o.Seed, uint64(i))), 0.0, 0.0
		for range rows {
			r := rows[rng.IntN(len(rows))]
			num, den = num+r[0], den+r[1]
		}
		values = append(values, num/den)
	}
	slices.Sort(values)
	f.Queries = &Interval{quantile(values, .025), quantile(values, .975)}
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
