package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
)

// checked is what was verified of a run, for --format json.
type checked struct {
	Name  string `json:"name"`
	What  string `json:"what"`
	Error string `json:"error,omitempty"` // what is wrong
}

var errDamaged = &exit{exitCondition, false, errors.New("the run is damaged; build it again with lshclust cluster from its inputs, which lshclust info lists")}

// checkRun reads all files of a finished run and prints what it verified.
func checkRun(ctx context.Context, path, format string) error {
	report, err := run.Check(ctx, path, query.Checks()...)
	if err != nil {
		return err
	}
	if format == formatJSON {
		items := []checked{}
		for _, i := range report.Items {
			item := checked{Name: i.Name, What: i.What}
			if i.Err != nil {
				item.Error = i.Err.Error()
			}
			items = append(items, item)
		}
		if err := writeJSON(printed, map[string][]checked{"items": items}); err != nil || report.OK() {
			return err
		}
		return errDamaged
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
		return errDamaged
	}
	fmt.Fprintf(printed, "sound: %s\n", count(int64(len(report.Items)), "check"))
	return nil
}
