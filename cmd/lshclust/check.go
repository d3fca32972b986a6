package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/run"
)

// checkRun reads all files of a finished run and prints what it verified.
func checkRun(ctx context.Context, path string) error {
	report, err := run.Check(ctx, path, query.Checks()...)
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
}
