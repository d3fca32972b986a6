package main

import (
	"fmt"
	"io"
	"math"

	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/plan"
)

// peak is the memory of a stage of a run.
type peak struct {
	figures plan.Figures
	bytes   float64
}

// peaksOf returns the memory of a stage in all runs that have it.
func peaksOf(samples []sample, stage string) (out []peak) {
	for _, s := range samples {
		if stats, ok := s.stages[stage]; ok && stats.PeakAnon > 0 {
			out = append(out, peak{s.figures, float64(stats.PeakAnon)})
		}
	}
	return out
}

// shares are the values of plan.Memory.Share that are tried.
var shares = []float64{.05, .1, .15, .2, .3, .4, .5, .6, .7, .8, .9, 1}

// leastFixed is the least of plan.Memory.Fixed, the memory of a process that does nothing.
const leastFixed = 6 << 20

// fitMemory returns the model of the memory of a stage with the least sum of the squares of the logarithms of its errors.
// All runs had the default limit.
func fitMemory(peaks []peak, of []plan.Quantity, reserves bool) plan.Memory {
	best, least := plan.Memory{}, math.Inf(1)
	for _, share := range shares {
		m := plan.Memory{Fixed: 20 << 20, Share: share}
		for _, q := range of {
			if most := largest(peaks, q); most > 0 {
				m.Held = append(m.Held, plan.Term{Of: q, Unit: 50 << 20 / most})
			}
		}
		if reserves {
			m.Reserved = .1
		}
		if e := descend(&m, peaks); e < least-1e-6 {
			best, least = m, e
		}
	}
	var held plan.Terms
	for _, t := range best.Held {
		if t.Unit*largest(peaks, t.Of) > 1<<20 {
			held = append(held, t)
		}
	}
	best.Held = held
	return best
}

func largest(peaks []peak, q plan.Quantity) (most float64) {
	for _, p := range peaks {
		most = max(most, p.figures[q])
	}
	return most
}

// errorOf returns the sum of the squares of the logarithms of the errors. A little is added for each term, so that those
// that explain nothing are left out.
func errorOf(m *plan.Memory, peaks []peak) (sum float64) {
	for _, p := range peaks {
		e := math.Log(m.Of(p.figures, pipeline.DefaultMemory) / p.bytes)
		sum += e * e
	}
	for _, t := range m.Held {
		if t.Unit > 0 {
			sum += 1e-3
		}
	}
	return sum
}

// descend changes one coefficient after the other by a factor as long as that makes the error smaller, with factors that
// become smaller, and returns the error.
func descend(m *plan.Memory, peaks []peak) float64 {
	coefficients := []*float64{&m.Fixed, &m.Reserved}
	for i := range m.Held {
		coefficients = append(coefficients, &m.Held[i].Unit)
	}
	least := errorOf(m, peaks)
	for factor := 2.0; factor > 1.01; {
		moved := false
		for i, c := range coefficients {
			was := *c
			for _, try := range []float64{was * factor, was / factor, 0} {
				if i == 0 {
					try = max(try, leastFixed)
				}
				*c = try
				if e := errorOf(m, peaks); e < least-1e-9 {
					least, was, moved = e, try, true
				}
				*c = was
			}
		}
		if !moved {
			factor = math.Sqrt(factor)
		}
	}
	return least
}

// aboveMean returns by how much the peak of a run, which is the largest of several stages that differ by chance, is above
// the largest of their means.
func aboveMean(samples []sample, models map[string]plan.Memory) float64 {
	sum := 0.0
	for _, s := range samples {
		var was, expected float64
		for name, m := range models {
			if stats, ok := s.stages[name]; ok {
				was, expected = max(was, float64(stats.PeakAnon)), max(expected, m.Of(s.figures, pipeline.DefaultMemory))
			}
		}
		sum += math.Log(was / expected)
	}
	return math.Exp(sum / float64(len(samples)))
}

// writeMemory writes a model as the value of a field.
func writeMemory(w io.Writer, m plan.Memory) {
	fmt.Fprintf(w, "Memory{%.3g, %.3g, %.3g, ", m.Fixed, m.Share, m.Reserved)
	writeTerms(w, m.Held)
	fmt.Fprint(w, "}")
}

// writeTerms writes the terms of a cost.
func writeTerms(w io.Writer, terms plan.Terms) {
	fmt.Fprint(w, "Terms{")
	for i, t := range terms {
		if i > 0 {
			fmt.Fprint(w, ", ")
		}
		fmt.Fprintf(w, "{%v, %.3g}", t.Of, t.Unit)
	}
	fmt.Fprint(w, "}")
}
