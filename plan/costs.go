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

// Memory is the peak of the memory of a stage. A stage holds something for each of some quantities, but as it comes closer
// to a share of the limit, the collector runs more often and sorters write to disk, so that it takes less for each further
// one. Stages over texts also reserve buffers, in proportion to the limit however short the texts are.
type Memory struct {
	Fixed    float64 // bytes
	Share    float64 // of the limit, which what is held does not exceed
	Reserved float64 // share of the limit that is taken if pages have shingles
	Held     Terms
}

// Of returns the memory of a run with the figures f under a limit.
func (m Memory) Of(f Figures, limit int64) float64 {
	most, out := m.Share*float64(limit), m.Fixed
	if f[Shingles] > 0 {
		out += m.Reserved * float64(limit)
	}
	if most > 0 {
		out += most * (1 - math.Exp(-m.Held.of(f)/most))
	}
	return out
}

// stageCosts are the costs of one stage: seconds of processor time, bytes of disk, bytes of memory.
type stageCosts struct {
	stage     string
	cpu, disk Terms
	memory    Memory
}
