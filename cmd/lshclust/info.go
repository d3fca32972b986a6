package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/spf13/cobra"
)

func newInfo() *cobra.Command {
	var (
		format string
		check  bool
	)
	c := &cobra.Command{
		Use:   "info RUN",
		Short: "What a run holds, how it was built, and what was left out",
		Long: `Info shows the manifest of a finished run: inputs, counts, stages with their time and memory, and what was left out and
why. The table leaves out counts of stages that are 0; json has all of them.

With --check, info reads all files of the run and verifies the digest of the manifest, the size and digest of every table,
and every checksum. It also checks that the tables fit each other: offsets and ids are in range, pairs are stored in both
directions, every document is in one cluster, and every member of a cluster has a pair with its center. It exits with 1 if
anything is wrong.`,
		Example: "  lshclust info RUN\n  lshclust info RUN --format json | jq .counts\n  lshclust info RUN --check && echo sound",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(format, formatTable, formatJSON); err != nil {
				return err
			}
			if check {
				return checkRun(c.Context(), args[0], format)
			}
			r, err := run.Open(args[0])
			if err != nil {
				return err
			}
			if format == formatJSON {
				return writeJSON(printed, r.Manifest)
			}
			infoTable(printed, args[0], r.Manifest)
			return nil
		},
	}
	c.Flags().BoolVar(&check, "check", false, "validate all files of the run")
	c.Flags().StringVar(&format, "format", formatTable, "`FORMAT` of the output: table or json")
	return c
}

func infoTable(w io.Writer, path string, m *run.Manifest) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: lshclust %s, format %d, finished %s\n\ninputs\n", whole(path), m.ToolVersion, m.Format, m.Finished.Format("2006-01-02 15:04:05Z"))
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
		if s.Name == "read" { // its reasons are below, with examples
			continue
		}
		for _, name := range sortedKeys(s.Dropped) {
			if s.Dropped[name] != 0 {
				fmt.Fprintf(w, "    %-42s %2d\n", "left out: "+name, s.Dropped[name])
			}
		}
	}
	if len(m.Dropped) > 0 {
		fmt.Fprintln(w, "\nleft out of the input, each in "+run.DroppedList)
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

func sortedKeys(m map[string]int64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
