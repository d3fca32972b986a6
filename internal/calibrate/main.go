// Command calibrate fits the coefficients of package plan to finished runs, and writes its table.
//
//	calibrate RUN/run.json... > plan/table.go
//
// The coefficients of a cost are those that are not negative and make the sum of the squares of the relative errors
// least. `make calibrate` builds the runs.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/lshclust/lshclust/plan"
	"github.com/lshclust/lshclust/run"
)

// drivers are the quantities on which the costs of a stage depend.
type drivers struct {
	stage  string
	cpu    []plan.Quantity
	memory []plan.Quantity
	disk   []plan.Quantity
}

var (
	read      = []plan.Quantity{plan.Bytes, plan.Links, plan.Shingles, plan.Occurrences}
	gathered  = []plan.Quantity{plan.Bytes, plan.Links, plan.Occurrences, plan.Documents, plan.Shingles}
	topical   = append(gathered[:len(gathered):len(gathered)], plan.Nodes, plan.Postings)
	paired    = append(topical[:len(topical):len(topical)], plan.TopicalPairs, plan.Survivors)
	published = append(topical[:len(topical):len(topical)], plan.TopicalPairs, plan.SyntacticPairs)
)

// all is a list of quantities.
func all(of ...plan.Quantity) []plan.Quantity { return of }

var stages = []drivers{
	{"read", read, all(plan.Links, plan.Bytes, plan.Occurrences), read},
	{"redirect", all(plan.Links), all(plan.Links), read},
	{"group", all(plan.Occurrences, plan.Documents), all(plan.Documents, plan.Occurrences), gathered},
	{"weigh", all(plan.Occurrences, plan.Documents), all(plan.Occurrences), topical},
	{"shingle", all(plan.Shingles, plan.Pages), all(plan.Shingles), topical},
	{"sign", all(plan.Nodes, plan.Postings), all(plan.Nodes), topical},
	{"invert", all(plan.Nodes, plan.Postings), all(plan.Postings, plan.Nodes), topical},
	{"pair", all(plan.Nodes, plan.Collisions, plan.Spread), all(plan.Nodes, plan.Survivors, plan.TopicalPairs), paired},
	{"cluster", all(plan.Nodes, plan.TopicalPairs, plan.Clusters), all(plan.Nodes, plan.TopicalPairs), published},
	{"tree", all(plan.Nodes, plan.TopicalPairs, plan.Clusters), all(plan.Nodes, plan.TopicalPairs), published},
	{"index", all(plan.Shingles), all(plan.Shingles), published},
	{"equal", fixed(all(plan.Shingles, plan.Pages)), all(plan.Shingles, plan.Pages), published},
	{"resemble", fixed(all(plan.Samples, plan.SyntacticPairs)), all(plan.Samples, plan.Pages), published},
	{"union", all(plan.Pages, plan.SyntacticPairs), all(plan.Pages), published},
	{"publish", all(plan.Documents, plan.TopicalPairs, plan.SyntacticPairs), all(plan.Documents, plan.TopicalPairs), published},
}

// reserving are the stages that reserve memory if pages have shingles.
var reserving = map[string]bool{"equal": true, "resemble": true, "union": true, "publish": true}

// sample is the figures of a run and what its stages have cost.
type sample struct {
	figures plan.Figures
	stages  map[string]run.StageStats
}

func main() {
	var samples []sample
	for _, path := range os.Args[1:] {
		s, err := load(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, "calibrate:", err)
			os.Exit(1)
		}
		samples = append(samples, s)
	}
	out := bufio.NewWriter(os.Stdout)
	table(out, samples)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "calibrate:", err)
		os.Exit(1)
	}
}

func load(path string) (s sample, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return s, err
	}
	var m run.Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	s = sample{plan.FiguresOf(m.Stages), map[string]run.StageStats{}}
	for _, stage := range m.Stages {
		s.stages[stage.Name] = stage
	}
	return s, nil
}

// Costs below these are measured too badly for their relative error to matter.
const (
	leastCPU  = 0.4
	leastDisk = 4 << 20
)

// fixed adds what does not depend on anything. Of processor time, only stages that reserve memory at once have such a
// share.
func fixed(of []plan.Quantity) []plan.Quantity { return append([]plan.Quantity{plan.Fixed}, of...) }

// table writes the table of package plan.
func table(w io.Writer, samples []sample) {
	fmt.Fprintf(w, "package plan\n\n// costs are the coefficients of all stages, in their order. make calibrate has fitted them to %d runs.\nvar costs = []stageCosts{\n", len(samples))
	models := map[string]plan.Memory{}
	for _, d := range stages {
		fmt.Fprintf(w, "\t{\n\t\tstage: %q,\n", d.stage)
		for _, x := range []struct {
			name  string
			of    []plan.Quantity
			least float64
			cost  func(run.StageStats) float64
		}{
			{"cpu", d.cpu, leastCPU, func(s run.StageStats) float64 { return s.CPUSeconds }},
			{"disk", fixed(d.disk), leastDisk, func(s run.StageStats) float64 { return float64(s.PeakDisk) }},
		} {
			fmt.Fprintf(w, "\t\t%s: ", x.name)
			writeTerms(w, fit(samples, d.stage, x.of, x.least, x.cost))
			fmt.Fprintln(w, ",")
		}
		m := fitMemory(peaksOf(samples, d.stage), d.memory, reserving[d.stage])
		models[d.stage] = m
		fmt.Fprint(w, "\t\tmemory: ")
		writeMemory(w, m)
		fmt.Fprintln(w, ",\n\t},")
	}
	fmt.Fprintln(w, "}")
	fmt.Fprintf(w, "\n// aboveMean is the quotient of the peak of a run and the largest of the means of its stages.\nconst aboveMean = %.3g\n", aboveMean(samples, models))
}

// fit returns the coefficients of one cost of one stage. Those that are 0 are left out.
func fit(samples []sample, stage string, of []plan.Quantity, least float64, cost func(run.StageStats) float64) (out plan.Terms) {
	var rows [][]float64 // quantities, divided by the cost
	for _, s := range samples {
		stats, ok := s.stages[stage]
		if !ok {
			continue
		}
		row := make([]float64, len(of)+1)
		c := cost(stats)
		for i, q := range of {
			row[i] = s.figures[q] / max(c, least)
		}
		row[len(of)] = c / max(c, least)
		rows = append(rows, row)
	}
	for i, unit := range leastSquares(rows, len(of)) {
		if unit > 0 {
			out = append(out, plan.Term{Of: of[i], Unit: unit})
		}
	}
	return out
}

// leastSquares returns the n non-negative coefficients with which the first n columns add up to the last one as closely
// as possible, by coordinate descent.
func leastSquares(rows [][]float64, n int) []float64 {
	x := make([]float64, n)
	scale := make([]float64, n) // the largest value of each column
	for _, r := range rows {
		for i := range n {
			scale[i] = max(scale[i], math.Abs(r[i]))
		}
	}
	for range 20_000 {
		for i := range n {
			if scale[i] == 0 {
				continue
			}
			var num, den float64
			for _, r := range rows {
				rest := r[n]
				for j := range n {
					if j != i {
						rest -= x[j] * r[j]
					}
				}
				num, den = num+rest*r[i]/scale[i], den+r[i]/scale[i]*r[i]
			}
			x[i] = max(0, num/den)
		}
	}
	return x
}
