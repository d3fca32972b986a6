package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/dedup"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/spf13/cobra"
)

func newDedup() *cobra.Command {
	var (
		e       = &engine{}
		o       = ask.Defaults(dedup.Options{})
		columns []string
		check   string
	)
	c := &cobra.Command{
		Use:   "dedup -o OUT [flags] INPUT...",
		Short: "Remove near-duplicates from files of texts, in the format they came in",
		Example: `  lshclust dedup -o clean corpus/*.jsonl.gz
  lshclust dedup -o clean --dry-run --by source corpus/
  lshclust dedup -o clean --keep -quality --near 0.7 shards/*.parquet
  lshclust dedup -o new --seen clean fresh.jsonl.zst
  lshclust dedup -o train --against HumanEval.jsonl.gz corpus/
  lshclust dedup --check clean`,
		Long: `Dedup writes the input files again without near-duplicates: the same names, formats and compression, and the kept records
byte for byte and in their order. A record goes only if a record that stays has the same words, resembles it (--near) or, if
asked, contains it (--contained). No chain of resemblances removes anything, and ids play no part. Every resemblance is exact:
it is the share of runs of five words that two texts have in common.

Texts of fewer than 30 words go only if all their words are equal. Records without text, and lines that cannot be read, stay.

Inputs are JSON Lines, CSV, Parquet, WARC and texts, one by one or in folders, plain or compressed. OUT also has removed.jsonl,
which names for each removed record the one that stands for it and their figures, and report.json. The same command continues
one that was stopped.`,
		Args: func(c *cobra.Command, args []string) error {
			if check != "" {
				return cobra.NoArgs(c, args)
			}
			return cobra.MinimumNArgs(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if check != "" {
				return e.checkDedup(c.Context(), check)
			}
			if e.out == "" {
				return usage(errors.New("name the output with -o OUT"))
			}
			if o.Remove && len(o.Against) == 0 {
				return usage(errors.New("--remove needs --against"))
			}
			var err error
			if o.Map, err = crawl.ParseMap(columns...); err != nil {
				return usage(err)
			}
			return e.dedup(c.Context(), args, o)
		},
	}
	e.bindWork(c, "write the files and the reports to the folder `OUT`")
	f := c.Flags()
	f.BoolVar(&e.begin, "begin", false, "begin the job and do no step of it: see lshclust task")
	f.Lookup("begin").Hidden = true
	bindQuestion(f, &o)
	f.StringArrayVar(&o.Seen, "seen", nil, "also remove what these `FILES`, the output of an earlier dedup, or the files that a run was made from, have; nothing of them is written")
	f.StringArrayVar(&o.Against, "against", nil,
		"list in OUT/against.jsonl which records contain items of these evaluation sets (`FILES`: JSON, CSV, Parquet, lines of text): a run of 13 words, or a whole text of at least 8")
	f.StringArrayVar(&columns, "map", nil, "read a field from a column whose name is not recognised: `FIELD=COLUMN`; may be given several times")
	f.StringVar(&check, "check", "", "compute the figures of 1,000 removals of the finished output `OUT` again from the texts; exit with 1 if one differs")
	return c
}

// checkDedup compares a sample of the removals of an output with the texts.
func (e *engine) checkDedup(ctx context.Context, out string) error {
	limitMemory(e.memory)
	a, err := dedup.Check(ctx, out, 1000, dedup.Options{Memory: e.memory})
	if err != nil {
		return err
	}
	fmt.Fprintf(printed, "%s of %d checked, %d wrong\n", count(int64(a.Checked), "removal"), a.Removals, len(a.Wrong))
	if len(a.Wrong) > 0 {
		return &exit{exitCondition, false, fmt.Errorf("the texts do not say what %s says:\n  %s", out, strings.Join(a.Wrong[:min(len(a.Wrong), mostShares)], "\n  "))}
	}
	return nil
}

// dedup removes near-duplicates from the inputs, or only begins the job.
func (e *engine) dedup(ctx context.Context, args []string, o dedup.Options) error {
	if err := e.start(); err != nil {
		return err
	}
	progress, done := e.shown()
	o.Workers, o.Memory, o.Progress = pipeline.WorkersFor(e.Workers, e.memory), e.memory, steps(progress)
	if e.begin {
		_, err := dedup.Begin(ctx, e.out, args, o)
		return err
	}
	r, err := dedup.Run(ctx, e.out, args, o)
	done()
	if errors.Is(err, syscall.ENOSPC) {
		err = errors.Join(pipeline.ErrNoSpace, err)
	}
	if err != nil {
		return err
	}
	tabled(func(w io.Writer) { dedupTable(w, r) })
	return dedupVerdict(r, e.out)
}

// steps returns a function that passes the progress of dedup on.
func steps(p pipeline.Progress) func(step string, done, total int64) {
	if p == nil {
		return nil
	}
	var last run.StageStats
	began := time.Now()
	return func(step string, done, total int64) {
		if step != last.Name {
			if last.Name != "" {
				last.WallSeconds = time.Since(began).Seconds()
				p.Done(last)
			}
			p.Stage(step, "parts", total)
			last, began = run.StageStats{Name: step}, time.Now()
		}
		last.In, last.Out = done, done
		p.At(done)
	}
}

// dedupTable writes the report for people.
func dedupTable(w io.Writer, r *dedup.Report) {
	t := r.Total
	fmt.Fprintf(w, "%s in %s: %d kept, %d removed (%.1f %% of the records, %.1f %% of the words)\n", count(t.Records, "record"),
		count(len(r.Files), "file"), t.Records-t.Removed, t.Removed, percent(t.Removed, t.Records), percent(t.RemovedWords, t.Words))
	var kinds []string
	for _, name := range []string{"identical", "same words", "near", "contained", "leaks an item"} {
		if n := r.Relations[name]; n > 0 {
			kinds = append(kinds, fmt.Sprintf("%d %s", n, name))
		}
	}
	if len(kinds) > 0 {
		fold(w, strings.Join(kinds, ", "), 2)
	}
	for _, set := range r.Against {
		fold(w, fmt.Sprintf("%s: %d of %s in %s; see %s", set.Name, set.Found, count(set.Items, "item"), count(set.Records, "record"), dedup.AgainstName), 2)
		if set.Short > 0 {
			fold(w, fmt.Sprintf("%s cannot be found: no text of at least 8 words", count(set.Short, "item")), 4)
		}
	}
	var kept []string
	for _, k := range []struct {
		n    int64
		what string
	}{{t.Empty, "without text"}, {r.Short, "too short to resemble any"}} {
		if k.n > 0 {
			kept = append(kept, fmt.Sprintf("%d %s", k.n, k.what))
		}
	}
	if r.Unordered > 0 {
		fold(w, fmt.Sprintf("%s without a value to --keep by: others are preferred to them", count(r.Unordered, "record")), 2)
	}
	if r.Common > 0 {
		fold(w, fmt.Sprintf("%s common to most texts of a source do not count", count(int64(r.Common), "run")), 2)
	}
	reasons := slices.Sorted(maps.Keys(r.Unread))
	for _, reason := range reasons {
		kept = append(kept, fmt.Sprintf("%d %s", r.Unread[reason], reason))
	}
	if len(kept) > 0 {
		fold(w, "kept as they are: "+strings.Join(kept, ", "), 2)
	}
	for _, reason := range reasons {
		fold(w, "such as "+r.Examples[reason], 4)
	}
	shares(w, "by file", r.Files, 2)
	shares(w, "by value", r.By, 1)
	if len(r.Copies) > 1 {
		fmt.Fprintf(w, "\nwho copies whom\n%10s\n", "removed")
		for _, c := range r.Copies[:min(len(r.Copies), mostShares)] {
			fmt.Fprintf(w, "%10d  %s\n", c.Records, detail(fmt.Sprintf("from %s, kept in %s", cmp.Or(c.Of, "(no value)"), cmp.Or(c.Kept, "(no value)")), 12))
		}
	}
	dedupExamples(w, r)
	for _, name := range r.Repacked {
		fold(w, fmt.Sprintf("%s: written with gzip, because bzip2 and xz are only read", name), 0)
	}
}

func percent(n, of int64) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// mostShares is the number of files, values or faults that are shown.
const mostShares = 12

// shares lists files or values, those first that lose most.
func shares(w io.Writer, title string, list []dedup.Share, least int) {
	if len(list) < least || len(list) == 0 {
		return
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b dedup.Share) int { return cmp.Compare(b.Removed, a.Removed) })
	fmt.Fprintf(w, "\n%s\n%10s %10s %8s\n", title, "records", "removed", "words")
	for i, s := range list {
		if i == mostShares {
			fmt.Fprintf(w, "  and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(w, "%10d %10d %6.1f %%  %s\n", s.Records, s.Removed, percent(s.RemovedWords, s.Words), detail(cmp.Or(s.Name, "(no value)"), 32))
	}
}

// dedupExamples shows the largest groups and the pairs nearest to the threshold.
func dedupExamples(w io.Writer, r *dedup.Report) {
	if len(r.Groups) > 0 {
		fmt.Fprintf(w, "\nlargest groups\n%10s  kept record\n", "removed")
	}
	for _, g := range r.Groups {
		fmt.Fprintf(w, "%10d  %s\n", g.Removed, detail(recordName(g.File, g.Record, g.ID), 12))
		if g.Begins != "" {
			fmt.Fprintf(w, "%12s%s\n", "", detail("“"+g.Begins+"”", 12))
		}
	}
	if r.Many > 0 {
		fmt.Fprintf(w, "  %s with more than 1000 removed: look whether you mean to remove them\n", count(r.Many, "kept record"))
	}
	if len(r.Closest) > 0 {
		fmt.Fprintf(w, "\nnearest to the threshold\n")
	}
	for _, c := range r.Closest {
		what := "kept"
		if c.Resemblance >= r.Near() {
			what = "removed"
		}
		fmt.Fprintf(w, "%10.4f  %-7s  %s\n", c.Resemblance, what, detail(recordName(c.File, c.Record, c.ID), 21))
		fmt.Fprintf(w, "%19s  %s\n", "", detail(recordName(c.KeptFile, c.KeptRecord, c.KeptID), 21))
	}
}

// recordName returns what a record is called: its id and its place.
func recordName(file string, record int64, id string) string {
	at := fmt.Sprintf("%s:%d", file, record)
	if id == "" {
		return at
	}
	return id + "  " + at
}

// dedupVerdict returns the error that sets the exit code.
func dedupVerdict(r *dedup.Report, out string) error {
	if len(r.Lost) > 0 {
		return &exit{exitCondition, false, fmt.Errorf("nothing was written: %s; %s/%s has the removals", strings.Join(r.Lost, ", "), out, r.Plan.Options.List())}
	}
	if len(r.Damage) > 0 {
		return &exit{exitSkipped, false, fmt.Errorf("%s of the input cannot be read and not written, or only copied with its file:\n  %s", count(int64(len(r.Damage)), "part"), strings.Join(r.Damage, "\n  "))}
	}
	return nil
}
