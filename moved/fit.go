package moved

import (
	"errors"
	"math"
)

// Example is a gone page whose place is known.
type Example struct {
	Candidates []Evidence
	Target     int // place in Candidates, -1 if the content is at none of them
}

// Bounds of Fit: the penalty keeps weights finite that the examples do not bound, and Newton's method takes about ten
// steps.
const (
	penalty  = 0.5
	maxSteps = 100
	enough   = 1e-9
)

var errFit = errors.New("the model cannot be fitted: the examples do not determine it")

// Fit returns the model under which the examples are most probable, less a quadratic penalty on all weights but the
// constant. The problem is convex, and Fit solves it by Newton's method with halved steps.
func Fit(examples []Example) (Model, error) {
	var m Model
	at, gradient, hessian := likelihood(&m, examples)
	for range maxSteps {
		step, ok := solve(hessian, gradient)
		if !ok {
			return m, errFit
		}
		next, better := m, false
		for length := 1.0; length > enough; length /= 2 {
			for i := range next {
				next[i] = m[i] + length*step[i]
			}
			if l, _, _ := likelihood(&next, examples); l > at {
				better = true
				break
			}
		}
		if !better {
			return m, nil
		}
		m = next
		before := at
		if at, gradient, hessian = likelihood(&m, examples); at-before < enough {
			return m, nil
		}
	}
	return m, nil
}

// vector holds a number for each weight of a model, and matrix one for each two of them.
type (
	vector [features]float64
	matrix [features]vector
)

// solve returns the x with a·x = b, by Cholesky's decomposition of a, of which only a[i][j] with i <= j counts. It returns
// false if a is not positive definite.
func solve(a *matrix, b *vector) (x vector, ok bool) {
	var l matrix // a is l times l transposed
	for i := range l {
		for j := range i + 1 {
			sum := a[j][i]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			switch {
			case i > j:
				l[i][j] = sum / l[j][j]
			case !(sum > 0):
				return x, false
			default:
				l[i][i] = math.Sqrt(sum)
			}
		}
	}
	for i := range x {
		x[i] = b[i]
		for k := range i {
			x[i] -= l[i][k] * x[k]
		}
		x[i] /= l[i][i]
	}
	for i := features - 1; i >= 0; i-- {
		for k := i + 1; k < features; k++ {
			x[i] -= l[k][i] * x[k]
		}
		x[i] /= l[i][i]
	}
	return x, true
}

// likelihood returns the penalised logarithm of the likelihood of the examples, its gradient, and its negative Hessian,
// of which only the upper half is filled.
func likelihood(m *Model, examples []Example) (sum float64, gradient *vector, hessian *matrix) {
	gradient, hessian = new(vector), new(matrix)
	for i, w := range m {
		p := penalty
		if i == 0 {
			p = enough
		}
		sum -= p * w * w / 2
		gradient[i] = -p * w
		hessian[i][i] = p
	}
	for i := range examples {
		sum += examples[i].add(m, gradient, hessian)
	}
	return sum, gradient, hessian
}

// add adds the share of one example, whose candidates and "none" with the vector 0 are the alternatives.
func (x *Example) add(m *Model, gradient *vector, hessian *matrix) float64 {
	vectors, utilities := make([][features]float64, len(x.Candidates)), make([]float64, len(x.Candidates))
	for i := range x.Candidates {
		vectors[i] = x.Candidates[i].vector()
		for j, v := range vectors[i] {
			utilities[i] += m[j] * v
		}
	}
	p := probabilities(nil, utilities)
	none := 1.0
	var mean [features]float64
	for i, v := range vectors {
		none -= p[i]
		for j := range mean {
			mean[j] += p[i] * v[j]
		}
	}
	for j := range mean {
		chosen := 0.0
		if x.Target >= 0 {
			chosen = vectors[x.Target][j]
		}
		gradient[j] += chosen - mean[j]
		for k := j; k < features; k++ {
			second := -mean[j] * mean[k]
			for i, v := range vectors {
				second += p[i] * v[j] * v[k]
			}
			hessian[j][k] += second
		}
	}
	if x.Target >= 0 {
		none = p[x.Target]
	}
	return logOf(none)
}

// logOf returns the logarithm of a probability, which rounding may have made 0 or less.
func logOf(p float64) float64 { return math.Log(max(p, math.SmallestNonzeroFloat64)) }
