package plan

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

// stageCosts are the costs of one stage: seconds of processor time, bytes of memory, bytes of disk.
type stageCosts struct {
	stage             string
	cpu, memory, disk Terms
}
