package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/run"
)

func newCollect() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "collect PARTS -o RUN",
		Short: "Put a run that was written in parts together",
		Long: `Collect makes a run directory of PARTS, a folder that holds the tables of a run as many Parquet files each, as a job on
Apache Spark leaves them. The tables have the bytes that they have when one machine makes the run. RUN appears when all of
it is there and verified; if a part is missing, damaged or of another run, collect says which.`,
		Example: "  lshclust collect PARTS -o RUN && lshclust info RUN",
		Args:    cobra.ExactArgs(1),
		Hidden:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usage(errors.New("name the run directory with -o RUN"))
			}
			return run.Collect(c.Context(), args[0], out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "the run directory `RUN` to make")
	return c
}
