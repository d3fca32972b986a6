// Package fit fits the weights of choices among candidates, one of which may be the right one.
package fit

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// Choice is a choice among candidates by their figures. Right is the place of the right one, or -1 if none is. It counts
// Times times; 0 means once.
type Choice struct {
	Candidates [][]float64
	Right      int
	Times      float64
}

func (c *Choice) times() float64 { return cmp.Or(c.Times, 1) }

// Weights returns the weights with which the choices are most probable, each less ridge times half of its square, and their
// standard errors. The probability of a candidate is exp(u), u being the weighted sum of its figures, divided by 1 plus the
// sum over all candidates; with one candidate it is a logistic regression.
func Weights(choices []Choice, ridge float64) (weights, errors []float64, err error) {
	n := 0
	for _, c := range choices {
		for _, x := range c.Candidates {
			n = len(x)
		}
	}
	if n == 0 {
		return nil, nil, fmt.Errorf("no candidates in %d choices", len(choices))
	}
	p := optimize.Problem{
		Func: func(w []float64) float64 {
			loss := ridge / 2 * floats.Dot(w, w)
			for i := range choices {
				if of, none := choices[i].probabilities(w); choices[i].Right >= 0 {
					loss -= choices[i].times() * math.Log(math.Max(of[choices[i].Right], 1e-300))
				} else {
					loss -= choices[i].times() * math.Log(math.Max(none, 1e-300))
				}
			}
			return loss
		},
		Grad: func(g, w []float64) {
			floats.ScaleTo(g, ridge, w)
			for i := range choices {
				of, _ := choices[i].probabilities(w)
				for j, x := range choices[i].Candidates {
					floats.AddScaled(g, choices[i].times()*of[j], x)
				}
				if right := choices[i].Right; right >= 0 {
					floats.AddScaled(g, -choices[i].times(), choices[i].Candidates[right])
				}
			}
		},
		Hess: func(h *mat.SymDense, w []float64) {
			h.Zero()
			for i := range n {
				h.SetSym(i, i, ridge)
			}
			mean := mat.NewVecDense(n, nil)
			for i := range choices {
				of, _ := choices[i].probabilities(w)
				mean.Zero()
				for j, x := range choices[i].Candidates {
					v := mat.NewVecDense(n, x)
					mean.AddScaledVec(mean, of[j], v)
					h.SymRankOne(h, choices[i].times()*of[j], v)
				}
				h.SymRankOne(h, -choices[i].times(), mean)
			}
		},
	}
	found, err := optimize.Minimize(p, make([]float64, n), &optimize.Settings{GradientThreshold: 1e-6 * float64(len(choices))}, &optimize.Newton{})
	if err != nil {
		return nil, nil, err
	}
	h := mat.NewSymDense(n, nil)
	p.Hess(h, found.X)
	var root mat.Cholesky
	var inverse mat.SymDense
	if !root.Factorize(h) {
		return found.X, nil, nil
	}
	if err := root.InverseTo(&inverse); err != nil {
		return found.X, nil, nil //nolint:nilerr // the weights are found
	}
	for i := range n {
		errors = append(errors, math.Sqrt(inverse.At(i, i)))
	}
	return found.X, errors, nil
}

// probabilities returns the probabilities of the candidates, and that of none.
func (c *Choice) probabilities(w []float64) (of []float64, none float64) {
	most := 0.0
	for _, x := range c.Candidates {
		of = append(of, floats.Dot(w, x))
		most = max(most, of[len(of)-1])
	}
	none = math.Exp(-most)
	sum := none
	for i := range of {
		of[i] = math.Exp(of[i] - most)
		sum += of[i]
	}
	floats.Scale(1/sum, of)
	return of, none / sum
}

// Print writes weights with their names, errors, and the weights that the product has.
func Print(names []string, weights, errors, now []float64) {
	fmt.Printf("%-20s %8s %8s %8s\n", "figure", "fitted", "error", "now")
	for i, name := range names {
		e := math.NaN()
		if errors != nil {
			e = errors[i]
		}
		fmt.Printf("%-20s %8.2f %8.2f %8.2f\n", name, weights[i], e, now[i])
	}
}
