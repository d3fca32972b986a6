package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/plan"
	"github.com/spf13/cobra"
)

// planFlags holds the flags of plan that are not settings.
type planFlags struct {
	plan.Limits
	output
}

func newPlan() *cobra.Command {
	p, s := &planFlags{Limits: plan.Limits{Memory: pipeline.DefaultMemory}}, &settings{}
	c := &cobra.Command{
		Use:   "plan [flags] INPUT...",
		Short: "Estimate the time, memory and disk of a run, and whether it fits",
		Long: `Plan estimates what lshclust cluster with the same inputs and flags would find and take: pages, links, documents and
pairs, and for each stage time, memory and disk. It builds runs over two excerpts of the inputs, which takes some ten
seconds, and extrapolates what they counted and took. An excerpt has pieces from all over the inputs; of a file that is one
compressed stream, its beginning. Expect the right order of magnitude: cluster stops at --disk, whatever the plan was.

The run fits if --disk is enough for the directory, and --memory for 64 bytes for each document. With less memory than a
run would like, it sorts more on disk. Plan exits with 0 if the run fits and with 4 if not. Standard input cannot be
planned.`,
		Example: `  lshclust plan crawl.warc.gz
  lshclust plan --memory 4GiB --disk 200GiB crawl/
  lshclust plan --preset paper2000 pages.jsonl.gz && lshclust cluster -o RUN --preset paper2000 pages.jsonl.gz
  lshclust plan --format json links.tsv | jq .peak_disk_bytes`,
		Args: s.args(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			if s.all {
				return s.help(c)
			}
			config, err := s.config(c)
			if err != nil {
				return usage(err)
			}
			return p.run(c, args, config)
		},
	}
	f := c.Flags()
	f.Var((*byteSize)(&p.Memory), "memory", "the run would keep to this much memory")
	f.Var((*byteSize)(&p.Disk), "disk", "allow the run directory this `SIZE` (default no limit)")
	f.IntVar(&p.Workers, "workers", 0, "the run would work in `N` goroutines (default one for each processor)")
	p.bindWhole(f)
	inRange(f, "workers", 0, config.MostWorkers)
	showDefault(f, "disk", "")
	s.bind(f)
	inGroup(f, config.GroupOften, "memory", "disk", "workers")
	inGroup(f, groupOther, "format")
	return c
}

func (p *planFlags) run(c *cobra.Command, args []string, config config.Config) error {
	if err := enoughMemory(p.Memory); err != nil {
		return err
	}
	limitMemory(p.Memory)
	got, err := plan.For(c.Context(), args, config, p.Limits)
	if errors.Is(err, plan.ErrStream) {
		return usage(err)
	}
	if err != nil {
		return err
	}
	put, end := answers(printed, p.output, false, planTable)
	if err := errors.Join(put(got), end()); err != nil || got.Fits {
		return err
	}
	return &exit{exitRefused, true, errors.New("the run does not fit")}
}

func planTable(w io.Writer, p *plan.Plan) {
	verdict := "fits"
	switch {
	case p.Least > p.Limits.Memory:
		verdict = "does not fit in " + binarySize(p.Limits.Memory) + " of memory"
	case !p.Fits:
		verdict = "does not fit in " + binarySize(p.Limits.Disk) + " of disk; --views with one view, --set sketch=var and fewer neighbours (--set neighbours=N) take less"
	case p.Limits.Disk > 0:
		verdict = "fits in " + binarySize(p.Limits.Disk) + " of disk"
	}
	prose(w, fmt.Sprintf("would take about %s, %s of disk, %s of memory (of %s): %s", duration(p.Seconds), binarySize(p.Disk), binarySize(p.Memory), binarySize(p.Limits.Memory), verdict), 0, 2)
	fmt.Fprintf(w, "\n%-10s %10s %12s %12s\n", "stage", "time", "memory MiB", "disk MiB")
	for _, s := range p.Stages {
		fmt.Fprintf(w, "%-10s %10s %12d %12d\n", s.Name, duration(s.Seconds), s.Memory>>20, s.Disk>>20)
	}
	fmt.Fprintln(w, "\nabout")
	for _, name := range []string{"pages", "links", "documents", "topical_pairs", "syntactic_pairs"} {
		if n, ok := p.Counts[name]; ok {
			fmt.Fprintf(w, "%12s %s\n", brief(float64(n)), strings.ReplaceAll(name, "_", " "))
		}
	}
	fmt.Fprintf(w, "from runs over %.0f %% of %s of input\n", 100*p.Share, binarySize(p.Bytes))
}

// duration formats seconds for people.
func duration(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	if d < 10*time.Second {
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Second).String()
}
