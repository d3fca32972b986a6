package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/spf13/cobra"
)

func newInfo() *cobra.Command {
	o, check := &output{}, false
	c := &cobra.Command{
		Use:   "info RUN",
		Short: "What a run contains, how it was built, and what was left out",
		Long: `Info shows the manifest of a finished run: inputs, counts, stages with their time and memory, and what was left out and
why. The table leaves out counts of stages that are 0; json has all of them.

With --check, info reads all files of the run and verifies the digest of the manifest, the size and digest of every table,
and every checksum. It also checks that the tables fit each other: offsets and ids are in range, pairs are stored in both
directions, every document is in one cluster, and every member of a cluster has a pair with its center. It exits with 1 if
anything is wrong.`,
		Example: "  lshclust info RUN\n  lshclust info RUN --format json | jq .counts\n  lshclust info RUN --check && echo sound",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if check {
				return checkRun(c.Context(), args[0], o)
			}
			r, err := run.Open(args[0])
			if err != nil {
				return err
			}
			return show(*o, r.Manifest, func(w io.Writer, m *run.Manifest) { infoTable(w, args[0], m) })
		},
	}
	c.Flags().BoolVar(&check, "check", false, "validate all files of the run")
	o.bindWhole(c.Flags())
	return c
}

func infoTable(w io.Writer, path string, m *run.Manifest) {
	fold(w, held(m), 0)
	fmt.Fprintf(w, "\n%s: lshclust %s, format %d, finished %s\n\ninputs\n", whole(path), m.ToolVersion, m.Format,
		m.Finished.Format("2006-01-02 15:04:05Z"))
	for _, in := range m.Inputs {
		figures := fmt.Sprintf("  %d bytes  %s", in.Bytes, in.Digest)
		fmt.Fprintf(w, "  %s%s\n", stdout().cutPath(in.Path, width()-2-len(figures)), figures)
	}
	fmt.Fprintln(w, "\ncounts")
	for _, name := range sortedKeys(m.Counts) {
		fmt.Fprintf(w, "  %-34s %12d\n", strings.ReplaceAll(name, "_", " "), m.Counts[name])
	}
	if captured := capturesLine(m); captured != "" {
		stdout().fold(w, captured, 2, 4)
	}
	if index := indexLine(m); index != "" {
		stdout().fold(w, index, 2, 4)
	}
	if len(m.WindowSource) > 0 {
		fmt.Fprintln(w, "\nwindow source (links, by the origin of the words around them)")
	}
	for _, name := range sortedKeys(m.WindowSource) {
		fmt.Fprintf(w, "  %-34s %12d\n", name, m.WindowSource[name])
	}
	fmt.Fprintf(w, "\n%-10s %12s %12s %9s %9s %9s %10s\n", "stages", "in", "out", "wall s", "cpu s", "peak MiB", "mapped MiB")
	for _, s := range m.Stages {
		fmt.Fprintf(w, "  %-8s %12d %12d %9.2f %9.2f %9d %10d\n", s.Name, s.In, s.Out, s.WallSeconds, s.CPUSeconds, s.PeakAnon>>20, s.PeakFile>>20)
		for _, name := range sortedKeys(s.Counts) {
			if s.Counts[name] != 0 {
				fmt.Fprintf(w, "    %-32s %12d\n", strings.ReplaceAll(name, "_", " "), s.Counts[name])
			}
		}
		if s.Name == "read" { // the reasons are listed below, with examples
			continue
		}
		for _, name := range sortedKeys(s.Dropped) {
			if s.Dropped[name] != 0 {
				fmt.Fprintf(w, "    %-42s %2d\n", "left out: "+name, s.Dropped[name])
			}
		}
	}
	if len(m.Dropped) > 0 {
		fmt.Fprintln(w)
		fold(w, "left out of the input (each record and page in "+run.DroppedList+"; links are only counted)", 0)
	}
	for _, d := range m.Dropped {
		fmt.Fprintf(w, "  %-34s %12d\n", d.Reason, d.Count)
		for _, x := range d.Examples {
			fmt.Fprintln(w, "    "+detail(x, 4))
		}
	}
	if len(m.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	for _, note := range m.Warnings {
		stdout().fold(w, "note: "+note, 0, 2)
	}
}

// held says in a sentence what a run holds.
func held(m *run.Manifest) string {
	n := m.Counts
	parts := []string{fmt.Sprintf("%s, %s to %s", count(n["pages"], "page"), count(n["links"], "link"), count(n["documents"], "document"))}
	if n["topics"] > 0 {
		parts = append(parts, count(n["topics"], "topic"))
	}
	if _, ok := n["syntactic_clusters"]; ok {
		parts = append(parts, count(n["syntactic_clusters_of_two_or_more"], "group")+" of pages with similar texts")
	}
	return strings.Join(parts, "; ") + "."
}

func sortedKeys(m map[string]int64) []string { return slices.Sorted(maps.Keys(m)) }

var errDamaged = &exit{exitCondition, false,
	errors.New("the run is damaged; build it again with lshclust cluster from its inputs, which lshclust info lists")}

// checkRun reads all files of a finished run and prints what it verified.
func checkRun(ctx context.Context, path string, o *output) error {
	a, err := ask.Check(ctx, path)
	if err != nil {
		return err
	}
	if err := show(*o, a, checkTable); err != nil || a.Sound {
		return err
	}
	return errDamaged
}

func checkTable(w io.Writer, a *ask.CheckAnswer) {
	for _, i := range a.Items {
		state := "ok"
		if i.Error != "" {
			state = "WRONG"
		}
		name := fmt.Sprintf("%-6s %-26s", state, whole(i.Name))
		fmt.Fprintln(w, strings.TrimRight(name+" "+detail(i.What, len(name)+1), " "))
		if i.Error != "" {
			fmt.Fprintf(w, "       %s\n", whole(i.Error))
		}
	}
	if a.Sound {
		fmt.Fprintf(w, "sound: %s\n", count(len(a.Items), "check"))
	}
}

// indexLine says which index the run used, why, and what share of the exact neighbours of a sample the run stores. It
// returns "" for a run without bags.
func indexLine(m *run.Manifest) string {
	var c config.Config
	s, ok := m.Stage("pair")
	if !ok || m.Counts["distinct_bags"] == 0 || json.Unmarshal(m.Config, &c) != nil {
		return ""
	}
	used := c.WithIndex(s.Counts)
	line := fmt.Sprintf("index: %d keys of %d signatures, buckets of up to %d", used.Keys, used.KeySize, used.MaxBucket)
	if c.ChoosesIndex() && c.Neighbours > 0 {
		line += fmt.Sprintf(", chosen so that %.3g of the ten nearest are stored", c.Recall)
	} else if c.ChoosesIndex() {
		line += fmt.Sprintf(", chosen so that %.3g of the ten nearest are found", c.Recall)
	}
	if sampled := s.Counts[config.CountSampled]; sampled > 0 {
		stored := s.Counts[config.CountStored]
		line += fmt.Sprintf(": of %d exact neighbours of %d sampled bags %d (%.3f) are stored", sampled, s.Counts[config.CountSample], stored,
			float64(stored)/float64(sampled))
	}
	return line
}
