package main

import "github.com/spf13/pflag"

// sweepFlags are the flags of a run that builds upon an earlier one, or that a later one can build upon.
type sweepFlags struct {
	keep          bool
	after, forget string
}

func (w *sweepFlags) bind(f *pflag.FlagSet) {
	f.BoolVar(&w.keep, "sweep", false, "keep what the reader makes of each page, so that a run over a later crawl can build upon it with --after")
	f.StringVar(&w.after, "after", "", "build upon the run of an earlier crawl in `RUN`, which was made with --sweep or --after: do not read again what has not changed; implies --sweep")
	f.StringVar(&w.forget, "forget", "", "forget pages that are gone and were last captured before this `TIME`, such as 2023 or 2023-06-30, or at an unknown time; needs --after")
}

// sweepLine tells how much of a crawl an earlier run knew, "" without one.
func sweepLine(n map[string]int64) string {
	gone, ok := n["urls_gone"]
	if !ok {
		return ""
	}
	return count(n["pages_from_earlier_run"], "page") + " taken from the earlier run, " + count(gone, "URL") + " gone since"
}
