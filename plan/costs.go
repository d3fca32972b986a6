package plan

import "math"

// Cost is what a stage costs.
type Cost struct {
	Stage  string
	CPU    float64 // seconds of user and system time
	Memory int64   // peak of anonymous memory in bytes
	Disk   int64   // peak of the size of the run directory in bytes
}

// Term is the share of a quantity in a cost.
type Term struct {
	Of   Quantity
	Unit float64 // cost of one
}

// Terms add up to a cost.
type Terms []Term

func (t Terms) of(f Figures) (sum float64) {
	for _, x := range t {
		sum += x.Unit * f[x.Of]
	}
	return sum
}

// Power is a cost that grows with a power of a quantity, as memory does, which is kept in reserve by the collector and
// used by sorters up to a share of the limit.
type Power struct {
	Of       Quantity
	Unit     float64
	Exponent float64
}

func (p Power) of(f Figures) float64 { return p.Unit * math.Pow(max(f[p.Of], 1), p.Exponent) }

// stageCosts are the costs of one stage: seconds of processor time, bytes of memory, bytes of disk.
type stageCosts struct {
	stage     string
	cpu, disk Terms
	memory    Power
}
