package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
)

var errDamaged = &exit{exitCondition, false, errors.New("the run is damaged; build it again with lshclust cluster from its inputs, which lshclust info lists")}

// checkRun reads all files of a finished run and prints what it verified.
func checkRun(ctx context.Context, path, format string) error {
	a, err := answer.Check(ctx, path)
	if err != nil {
		return err
	}
	put, end := answers(printed, output{format: format}, false, checkTable)
	if err := errors.Join(put(a), end()); err != nil || a.Sound {
		return err
	}
	return errDamaged
}

func checkTable(w io.Writer, a *answer.CheckAnswer) {
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
