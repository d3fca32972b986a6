package plan

import (
	"runtime"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/run"
)

// trusted is the cost of a trial's stage above which its own measurement decides more than the coefficients do.
const (
	trustedCPU  = 0.03    // seconds
	trustedDisk = 1 << 20 // bytes
)

// idleMemory is the memory in bytes of a process that has nothing to do.
const idleMemory = 24 << 20

// Predict returns what the stages of a run with the figures f cost. The trials, which grow, correct the coefficients by
// what their own stages have cost in comparison with them: the speed of the machine and what is peculiar to the inputs.
// What a stage costs however little it does, such as files that are created, is not multiplied: the first trial tells it,
// and what the last one cost more than the first tells the rest. The costs of a stage that took next to no time are
// corrected by the mean of all stages. Memory is not corrected, because a process that has done one trial holds memory
// for the next.
func Predict(f Figures, trials []Trial, c config.Config, memory int64) []Cost {
	var first, last Trial
	if n := len(trials); n > 0 {
		last = trials[n-1]
		if n > 1 {
			first = trials[0]
		}
	}
	table := costsFor(c)
	more := func(s stageCosts) (measured, expected float64) {
		return max(0, last.stage(s.stage).CPU-first.stage(s.stage).CPU), max(0, s.cpu.of(last.Figures)-s.cpu.of(first.Figures))
	}
	var measured, expected float64
	for _, s := range table {
		m, e := more(s)
		measured, expected = measured+m, expected+e
	}
	speed := 1.0
	if expected > 0 && measured > 0 {
		speed = measured / expected
	}
	var out []Cost
	for _, s := range table {
		m, e := more(s)
		factor := corrected(m, e, speed, trustedCPU)
		out = append(out, Cost{
			Stage:  s.stage,
			CPU:    s.cpu.of(f)*factor + max(0, first.stage(s.stage).CPU-s.cpu.of(first.Figures)*factor),
			Memory: min(max(int64(s.memory.Of(f, memory)*aboveMean), idleMemory), memory),
			Disk:   int64(s.disk.of(f) * corrected(float64(last.stage(s.stage).Disk), s.disk.of(last.Figures), 1, trustedDisk)),
		})
	}
	return out
}

// corrected returns the factor between what was measured and what was expected. It is usual if both are far below trusted.
func corrected(measured, expected, usual, trusted float64) float64 {
	return (measured + usual*trusted) / (expected + trusted)
}

func (t Trial) stage(name string) Cost {
	for _, s := range t.Stages {
		if s.Stage == name {
			return s
		}
	}
	return Cost{}
}

// costsFor returns the costs of the stages that a configuration has.
func costsFor(c config.Config) (out []stageCosts) {
	for _, s := range costs {
		if of := views[s.stage]; of == "" || c.Has(of) {
			out = append(out, s)
		}
	}
	return out
}

// views are the stages that one view has.
var views = map[string]string{
	"weigh": config.Topical, "sign": config.Topical, "invert": config.Topical, "pair": config.Topical, "cluster": config.Topical, "tree": config.Topical,
	"shingle": config.Syntactic, "index": config.Syntactic, "equal": config.Syntactic, "resemble": config.Syntactic, "union": config.Syntactic,
}

// busy is the share of the processors that a run keeps busy: 99.9 s of processor time in 57.0 s on two (docs/performance.md).
const busy = 0.9

// wall returns the time in seconds that some processor time takes on an idle machine.
func wall(cpu float64, workers int) float64 {
	at := max(1, min(workers, runtime.GOMAXPROCS(0)))
	if at == 1 {
		return cpu
	}
	return cpu / (busy * float64(at))
}

// Manifest returns predictions as a run keeps them.
func (p *Plan) Manifest() []run.Predicted {
	if p == nil {
		return nil
	}
	var out []run.Predicted
	for _, s := range p.Stages {
		out = append(out, run.Predicted{Name: s.Name, CPUSeconds: s.CPUSeconds, PeakAnon: s.Memory, PeakDisk: s.Disk})
	}
	return out
}
