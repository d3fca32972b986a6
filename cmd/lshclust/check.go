package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check RUN",
		Short: "Validate all files of a run",
		Long: `Check reads all files of a finished run and verifies the digest of the manifest, the size and digest of every table, and
every checksum. It also checks that the tables fit each other: offsets and ids are in range, pairs are stored in both
directions, every document is in one cluster, and every member of a cluster has a pair with its center. It exits with 1 if
anything is wrong.`,
		Example: "  lshclust check RUN && echo sound",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			report, err := run.Check(c.Context(), args[0], query.Checks()...)
			if err != nil {
				return err
			}
			for _, i := range report.Items {
				state := "ok"
				if i.Err != nil {
					state = "WRONG"
				}
				name := fmt.Sprintf("%-6s %-26s", state, whole(i.Name))
				fmt.Fprintln(printed, strings.TrimRight(name+" "+detail(i.What, len(name)+1), " "))
				if i.Err != nil {
					fmt.Fprintf(printed, "       %s\n", harmless.Cell(i.Err.Error()))
				}
			}
			if !report.OK() {
				return &exit{exitCondition, false, errors.New("the run is damaged; build it again with lshclust cluster from its inputs, which lshclust info lists")}
			}
			fmt.Fprintf(printed, "sound: %s\n", count(int64(len(report.Items)), "check"))
			return nil
		},
	}
}
