package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/plan"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// planFlags are the flags of plan that are not settings.
type planFlags struct {
	out     string
	memory  byteSize
	disk    byteSize
	workers int
	seconds float64
	format  string
}

func newPlan() *cobra.Command {
	p, s := &planFlags{memory: pipeline.DefaultMemory}, &settings{}
	c := &cobra.Command{
		Use:   "plan [flags] INPUT...",
		Short: "What a run would take: time, memory and disk, and whether it fits",
		Long: `Plan predicts what lshclust cluster with the same inputs and flags would find and take: pages, links, documents and
pairs, and for each stage time, memory and disk. It builds runs over small excerpts of the inputs and removes them, which
takes a few seconds. An excerpt has pieces from all over the inputs; of a file that is one compressed stream, from its
first 256 MiB. Time is that of an otherwise idle machine.

The run fits if the disk that it takes is within --disk or, without that, the space that is free at -o (the current folder
if that is not given) less a reserve, and if --memory has room for 64 bytes for each document and 80 for each link to the
most popular target. With less memory than a run would like, it sorts more on disk.
It exits with 0 if the run fits and with 4 if not, and then tells what to change. Standard input cannot be planned.`,
		Example: `  lshclust plan crawl.warc.gz
  lshclust plan --memory 4GiB --disk 200GiB -o /data/RUN crawl/
  lshclust plan --preset paper2000 pages.jsonl.gz && lshclust cluster -o RUN --preset paper2000 pages.jsonl.gz
  lshclust plan --format json links.tsv | jq .peak_disk_bytes`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := s.config(c)
			if err != nil {
				return usage(err)
			}
			return p.run(c, args, config)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&p.out, "output", "o", "", "the run directory would be `RUN`, whose file system must have the space")
	f.Var(&p.memory, "memory", "the run would keep to this much memory")
	f.Var(&p.disk, "disk", "the run directory may have this `SIZE` (default the free space, less a reserve)")
	f.IntVar(&p.workers, "workers", 0, "the run would work in `N` goroutines (default one for each processor)")
	f.Float64Var(&p.seconds, "seconds", plan.DefaultSeconds, "spend about `N` seconds of processor time; more make the plan better")
	f.StringVar(&p.format, "format", formatTable, "`FORMAT` of the output: table or json")
	inRange(f, "workers", 0, config.MostWorkers)
	inRange(f, "seconds", 0.1, 3600)
	unset(f, "disk")
	s.bind(f)
	inGroup(f, groupOften, "output", "memory", "disk", "workers")
	inGroup(f, groupOther, "seconds", "format", "config")
	return c
}

// unset makes --help show no default for a size that has none.
func unset(f *pflag.FlagSet, name string) { f.Lookup(name).DefValue = "" }

func (p *planFlags) run(c *cobra.Command, args []string, config config.Config) error {
	if err := checkFormat(p.format, formatTable, formatJSON); err != nil {
		return err
	}
	if err := enoughMemory(p.memory); err != nil {
		return err
	}
	limit := int64(p.disk)
	if limit == 0 {
		limit = roomFor(p.out)
	}
	limitMemory(int64(p.memory))
	got, err := plan.For(c.Context(), args, config, plan.Options{Workers: p.workers, Memory: int64(p.memory), Disk: limit, Seconds: p.seconds})
	if errors.Is(err, plan.ErrStream) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	if p.format == formatJSON {
		err = writeJSON(printed, got)
	} else {
		planTable(printed, got)
	}
	if err == nil && !got.Fits {
		err = &exit{exitRefused, true, errors.New("the run does not fit")}
	}
	return err
}

// enoughMemory refuses a memory limit with which nothing can be done.
func enoughMemory(memory byteSize) error {
	if least := byteSize(pipeline.LeastMemory); memory < least {
		return usage(fmt.Errorf("--memory %s is too little to work with: the least is %s", &memory, &least))
	}
	return nil
}

// The share and the least size of the free space that a run leaves to others, unless --disk is given.
const (
	reserveShare = 20
	leastReserve = 64 << 20
)

// roomFor returns the disk that the run directory out may have: what it has, and the free space less a reserve. It
// returns 0 if the free space is not known.
func roomFor(out string) int64 {
	free, ok := freeSpace(out)
	if !ok {
		return 0
	}
	return max(1, pipeline.DirSize(out)+free-max(free/reserveShare, leastReserve))
}

func planTable(w io.Writer, p *plan.Plan) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s\n\n", planHeadline(p))
	fmt.Fprintf(w, "%-10s %10s %10s %12s %12s\n", "stage", "time", "cpu s", "memory MiB", "disk MiB")
	for _, s := range p.Stages {
		fmt.Fprintf(w, "%-10s %10s %10.1f %12d %12d\n", s.Name, duration(s.Seconds), s.CPUSeconds, s.Memory>>20, s.Disk>>20)
	}
	fmt.Fprintf(w, "%-10s %10s %10.1f %12d %12d\n\n", "all", duration(p.Seconds), p.CPUSeconds, p.Memory>>20, p.Disk>>20)
	prose(w, fmt.Sprintf("about %s, %s, %s", count(rounded(p.Pages), "page"), count(rounded(p.Links), "link"), count(rounded(p.Documents), "document")), 0, 2)
	if p.TopicalPairs > 0 {
		line := "topical: about " + count(rounded(p.TopicalPairs), "pair")
		if p.Recall > 0 {
			line += fmt.Sprintf("; of the ten nearest neighbours %.2f are stored (measured on the excerpt)", p.Recall)
		}
		prose(w, line, 0, 2)
	}
	if p.SyntacticPairs > 0 {
		prose(w, "syntactic: about "+count(rounded(p.SyntacticPairs), "pair"), 0, 2)
	}
	prose(w, planBasis(p), 0, 2)
	for _, a := range p.Advice {
		prose(w, "to make it fit: "+a, 0, 2)
	}
}

// planHeadline is the plan in a line.
func planHeadline(p *plan.Plan) string {
	verdict := "fits"
	switch {
	case p.Least > p.Limits.Memory:
		verdict = fmt.Sprintf("does not fit in %s of memory", plan.Size(p.Limits.Memory))
	case !p.Fits:
		verdict = fmt.Sprintf("does not fit in %s of disk", plan.Size(p.Limits.Disk))
	case p.Limits.Disk > 0:
		verdict = fmt.Sprintf("fits in %s of disk", plan.Size(p.Limits.Disk))
	}
	return fmt.Sprintf("would take about %s, %s of disk, %s of memory (of %s): %s", duration(p.Seconds), plan.Size(p.Disk), plan.Size(p.Memory), plan.Size(p.Limits.Memory), verdict)
}

// planBasis tells what the plan is based on.
func planBasis(p *plan.Plan) string {
	if p.Share >= 0.999 {
		return fmt.Sprintf("measured on all of the %s of input", plan.Size(p.Bytes))
	}
	basis := fmt.Sprintf("extrapolated from %.2g %% of %s of input", 100*p.Share, plan.Size(p.Bytes))
	if p.Reached < 0.99 {
		basis += fmt.Sprintf(", from its first %.2g %% only, because a compressed stream cannot be read in the middle", 100*p.Reached)
	}
	return basis
}

// rounded rounds a number to two digits.
func rounded(n int64) int64 {
	unit := int64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

// duration formats seconds for people.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	switch {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", seconds)
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", seconds)
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// leastPlanned is the size of the inputs below which cluster makes no plan unless --plan is given.
const leastPlanned = 64 << 20

// quickSeconds is the processor time of the plan that cluster makes, about a second on one processor.
const quickSeconds = 1

// sure is the share of the predicted disk that must fit, so that cluster does not refuse a run that might fit.
const sure = 0.75

// planned makes a quick plan of a run that is about to be built, and refuses one that would clearly not fit. There is no
// plan of small inputs, and none of inputs that cannot be read twice or cannot be read at all, about which the run says
// more.
func (e *engine) planned(c *cobra.Command, inputs []string, config config.Config) ([]run.Predicted, error) {
	if !e.plan {
		return nil, nil
	}
	if size, err := plan.SizeOf(c.Context(), inputs); err != nil || size < leastPlanned && !c.Flags().Changed("plan") {
		return nil, nil //nolint:nilerr // the run reports it
	}
	limit := int64(e.disk)
	if limit == 0 {
		limit = roomFor(e.out)
	}
	p, err := plan.For(c.Context(), inputs, config, plan.Options{Workers: e.workers, Memory: int64(e.memory), Disk: limit, Seconds: quickSeconds})
	if err != nil {
		return nil, nil //nolint:nilerr // the run reports it
	}
	if !e.quiet {
		say("plan: %s", harmless.Line(planHeadline(p)))
	}
	if limit > 0 && float64(p.Disk)*sure > float64(limit) {
		for _, a := range p.Advice {
			fold(os.Stderr, "to make it fit: "+a, 2)
		}
		return nil, &exit{exitRefused, false, fmt.Errorf("%s: the run would need about %s of disk, and there are %s; --plan=false tries anyway", e.out, plan.Size(p.Disk), plan.Size(limit))}
	}
	return p.Manifest(), nil
}

// planLine compares what a run has taken with its plan. It returns "" for a run without one.
func planLine(m *run.Manifest) string {
	if len(m.Predicted) == 0 {
		return ""
	}
	var cpu, cpuWas float64
	var memory, memoryWas, disk, diskWas int64
	for _, p := range m.Predicted {
		cpu, memory, disk = cpu+p.CPUSeconds, max(memory, p.PeakAnon), max(disk, p.PeakDisk)
	}
	for _, s := range m.Stages {
		cpuWas, memoryWas, diskWas = cpuWas+s.CPUSeconds, max(memoryWas, s.PeakAnon), max(diskWas, s.PeakDisk)
	}
	return fmt.Sprintf("taken, and planned: %s and %s of processor time, %s and %s of memory, %s and %s of disk",
		duration(cpuWas), duration(cpu), plan.Size(memoryWas), plan.Size(memory), plan.Size(diskWas), plan.Size(disk))
}

// planColumns writes what the stages have taken beside what was planned.
func planColumns(w io.Writer, m *run.Manifest) {
	if len(m.Predicted) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%-10s %9s %9s %6s %9s %9s %9s %9s\n", "plan", "cpu s", "planned", "ratio", "peak MiB", "planned", "disk MiB", "planned")
	for _, s := range m.Stages {
		p, ok := m.Prediction(s.Name)
		if !ok {
			continue
		}
		ratio := "-"
		if r := p.CPUSeconds / s.CPUSeconds; s.CPUSeconds >= 0.1 && !math.IsInf(r, 0) {
			ratio = fmt.Sprintf("%.2f", r)
		}
		fmt.Fprintf(w, "  %-8s %9.2f %9.2f %6s %9d %9d %9d %9d\n", s.Name, s.CPUSeconds, p.CPUSeconds, ratio, s.PeakAnon>>20, p.PeakAnon>>20, s.PeakDisk>>20, p.PeakDisk>>20)
	}
}
