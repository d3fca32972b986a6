package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupOf is the annotation of a flag that names its group in --help.
const groupOf = "lshclust-group"

// inGroup puts flags under a heading of --help.
func inGroup(f *pflag.FlagSet, group string, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, groupOf, []string{group}); err != nil {
			panic(err) // there is no such flag: every test of --help finds it
		}
	}
}

// flagsHelp is the flags of a command for --help: in groups, in the order in which they first occur, then the others.
func flagsHelp(c *cobra.Command) string {
	groups, sets := []string{}, map[string]*pflag.FlagSet{"": newFlags()}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		group := ""
		if a := f.Annotations[groupOf]; len(a) > 0 {
			group = a[0]
		}
		if sets[group] == nil {
			groups, sets[group] = append(groups, group), newFlags()
		}
		sets[group].AddFlag(f)
	})
	other := "Flags"
	if len(groups) > 0 {
		other = "Other flags"
	}
	var b strings.Builder
	for _, g := range append(groups, "") {
		fmt.Fprintf(&b, "%s:\n%s\n", cmp.Or(g, other), sets[g].FlagUsagesWrapped(min(width(), columnsInPipe)))
	}
	return strings.TrimSpace(b.String())
}

func newFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	return f
}
