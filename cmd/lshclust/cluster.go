package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/spf13/cobra"
)

// engine holds the flags that the commands that build a run share.
type engine struct {
	out     string
	Workers int `most:"1024" value:"N" doc:"work in N goroutines (default one for each processor)"` // at most config.MostWorkers
	memory  int64
	disk    int64 // 0 means no limit
	Quiet   bool  `short:"q" doc:"show no progress"`
	begin   bool  // create the run without running any stage
	replace bool  // replace a finished run

	progress string // form of the progress; empty if the command lacks the flag
}

func (e *engine) bind(c *cobra.Command) {
	e.bindWork(c, "write the run directory `RUN`")
	f := c.Flags()
	f.Var((*byteSize)(&e.disk), "disk", "stop, as on a full disk, before the run directory has more than this `SIZE` (default no limit)")
	f.Lookup("disk").DefValue = ""
}

// bindWork binds what any command that builds something needs. output says what it writes.
func (e *engine) bindWork(c *cobra.Command, output string) {
	e.memory = pipeline.DefaultMemory
	f := c.Flags()
	f.StringVarP(&e.out, "output", "o", e.out, output)
	f.Var((*byteSize)(&e.memory), "memory", "keep to this much memory")
	bindQuestion(f, e)
}

// build runs the pipeline and reports its result on stderr.
func (e *engine) build(c *cobra.Command, inputs []string, config config.Config) (pipeline.Result, error) {
	if err := e.start(); err != nil {
		return pipeline.Result{}, err
	}
	progress, done := e.shown()
	r, err := pipeline.Cluster(c.Context(), e.out, inputs, config, pipeline.Options{
		Workers: pipeline.WorkersFor(e.Workers, e.memory), Memory: e.memory, Disk: e.disk, Progress: progress, Version: version(),
		SmallParts: smallParts(), Replace: e.replace,
	})
	done()
	return r, err
}

// smallParts reports whether small inputs are divided into parts, too. lab torture sets it so that it can stop small
// runs within every stage. The tables do not depend on it.
func smallParts() bool { return os.Getenv("LSHCLUST_SMALL_PARTS") != "" }

// start prepares for work within the memory.
func (e *engine) start() error {
	if err := enoughMemory(e.memory); err != nil {
		return err
	}
	limitMemory(e.memory)
	building.Store(true)
	return nil
}

func newCluster() *cobra.Command {
	e, s := &engine{}, &settings{}
	c := &cobra.Command{
		Use:   "cluster -o RUN [flags] INPUT...",
		Short: "Cluster a crawl into a run directory",
		Long: `Cluster reads a crawl and writes a run directory with both views: related pages and clusters for every URL that is in
the crawl or linked from it, and near-duplicates for every page. If a run was stopped, the same command continues it. If it
is finished, the same command does nothing, and one with other inputs or settings needs --replace.

Inputs, each plain or compressed (gzip, zstd, bzip2, xz, lz4, snappy, .br):
  archives          WARC, ARC, WAT, WET, WACZ, MHTML; CDX and CDXJ indexes with their archives
  pages             JSON Lines, Parquet or CSV with url and html or text
  tables of links   CSV, TSV, JSON Lines or Parquet with source, target, anchor and perhaps before, after, rel;
                    among them the exports of ARCH and Screaming Frog
  folders, zip, tar of these, of HTML or of texts; URLs come from --base, a sitemap or host names at the top of a
                    mirror, else they begin with https://localhost/
  -                 standard input, any of these

Use --map if the names of columns are not recognised. If a URL was captured more than once, the newest capture wins. Among
captures of the same time, or without times, it is the one in the later input, or the later one in the same input.`,
		Example: `  lshclust cluster -o RUN crawl.warc.gz more.warc.gz
  lshclust cluster -o RUN --from 2023 --to 2023-06 --mime text/html index.cdxj
  lshclust cluster -o RUN --preset paper2000 pages.jsonl.gz
  lshclust cluster -o RUN --base https://example.org/docs/ site/
  lshclust cluster -o RUN all_inlinks.csv
  lshclust cluster -o RUN --map url=metadata.source --map text=body pages.parquet
  zcat pages.jsonl.gz | lshclust cluster -o RUN -`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			config, err := s.config(c)
			if err != nil {
				return usage(err)
			}
			if e.out == "" {
				return usage(fmt.Errorf("name the run directory with -o RUN"))
			}
			if slices.Contains(args, "-") {
				undo, err := interruptibleStdin(c.Context())
				if err != nil {
					return err
				}
				defer undo()
			}
			if e.begin {
				return pipeline.Begin(c.Context(), e.out, args, config, pipeline.Options{SmallParts: smallParts()})
			}
			r, err := e.build(c, args, config)
			if err != nil {
				return err
			}
			return told(e, r)
		},
	}
	f := c.Flags()
	e.bind(c)
	oneOf(f, &e.progress, "progress", progressText, []string{progressText, progressJSON},
		"show progress in this `FORM`, for people or, one object a line on standard output (see docs/format.md), for programs")
	f.BoolVar(&e.replace, "replace", false, "replace a finished run of other inputs or settings when the new one is finished")
	f.BoolVar(&e.begin, "begin", false, "only begin the run; lshclust task does its parts")
	f.Lookup("begin").Hidden = true // the command task begins runs, too
	s.bind(f)
	inGroup(f, config.GroupOften, "output", "memory", "disk", "workers")
	c.InitDefaultHelpFlag()
	inGroup(f, groupOther, "quiet", "replace", "progress", "help")
	return c
}

// told prints to stderr what the run contains and how to use it.
func told(e *engine, r pipeline.Result) error {
	if !e.Quiet {
		n := r.Manifest.Counts
		if r.Before {
			say("%s was finished before, with the same inputs and settings", e.out)
		}
		say("%s: %s, %s, %s", e.out, count(n["pages"]-n["captures_superseded"], "page"), count(n["links"], "link"), count(n["documents"], "document"))
		if _, ok := n["topical_pairs"]; ok {
			say("topical: %s, %s of two or more", count(n["topical_pairs"], "pair"), count(n["topical_clusters_of_two_or_more"], "cluster"))
		}
		if _, ok := n["syntactic_pairs"]; ok {
			say("syntactic: %s, %s, %s of two or more",
				count(n["distinct_pages"], "distinct page"), count(n["syntactic_pairs"], "pair"), count(n["syntactic_clusters_of_two_or_more"], "cluster"))
		}
		if repeated := runs.RepeatedWords(r.Manifest); repeated != "" {
			say("note: %s", repeated)
		}
		if captured := capturesLine(r.Manifest); captured != "" {
			say("%s", captured)
		}
		for _, w := range r.Manifest.Warnings {
			say("note: %s", w)
		}
		tellNext(e.out, n)
	}
	if r.Damaged > 0 {
		say("lshclust: skipped %s of the input that cannot be read:", count(r.Damaged, "part"))
		tellDamage(r.Manifest)
		return &exit{exitSkipped, true, fmt.Errorf("%s of the input unreadable", count(r.Damaged, "part"))}
	}
	if r.Manifest.Counts["documents"] == 0 {
		return &exit{exitCondition, false, fmt.Errorf("the input holds no page and no link; lshclust info %s shows what was left out; remove %s before you try again", e.out, e.out)}
	}
	return nil
}

// tellNext prints commands to try on the run.
func tellNext(out string, n map[string]int64) {
	program, out := invocation(), shellWord(out)
	var next []string
	if n["topical_pairs"] > 0 {
		next = append(next, program+" related "+out+" URL")
	}
	if n["topical_clusters_of_two_or_more"]+n["syntactic_clusters_of_two_or_more"] > 0 {
		next = append(next, program+" clusters "+out)
	}
	if _, ok := n["syntactic_pairs"]; ok && n["pages"] > 0 {
		next = append(next, program+" duplicates "+out+" URL")
	}
	sayList("next:", append(next, program+" info "+out))
}

// tellDamage lists why input could not be read, with a few places for each reason.
func tellDamage(m *run.Manifest) {
	for _, d := range m.Dropped {
		if !d.Damage {
			continue
		}
		stderr().fold(os.Stderr, fmt.Sprintf("%s: %d", d.Reason, d.Count), 2, 2)
		for _, x := range d.Examples {
			stderr().fold(os.Stderr, x, 4, 6)
		}
	}
}
