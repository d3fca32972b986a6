package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
	"github.com/spf13/cobra"
)

func newCheck() *cobra.Command {
	return &cobra.Command{
		Use:   "check RUN",
		Short: "Validate a run from the manifest to the last checksum",
		Long: `Check reads all of a finished run: the manifest, the size and digest of every table, the checksum of every section,
and whether the tables say the same: offsets and ids in range, pairs both ways, clusters a partition in which every
member has an edge to its center. It exits with 1 if anything is wrong.`,
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
				fmt.Fprintf(os.Stdout, "%-6s %-26s %s\n", state, line(i.Name, 110), clean(i.What))
				if i.Err != nil {
					fmt.Fprintf(os.Stdout, "       %s\n", clean(i.Err.Error()))
				}
			}
			if !report.OK() {
				return &exit{exitCondition, false, errors.New("the run is damaged; build it anew from its inputs, which info lists")}
			}
			return nil
		},
	}
}
