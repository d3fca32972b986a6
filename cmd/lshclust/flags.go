package main

import (
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

// groupOther is the heading of the last group, which has --help in it.
const groupOther = "Other flags"

// flagsHelp is the flags of a command for --help: those of no group, then the groups in the order in which they first occur.
func flagsHelp(c *cobra.Command) string {
	const ungrouped = "Flags"
	groups, sets := []string{}, map[string]*pflag.FlagSet{}
	add := func(group string, f *pflag.Flag) {
		if sets[group] == nil {
			groups, sets[group] = append(groups, group), newFlags()
		}
		sets[group].AddFlag(f)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[groupOf] == nil && f.Name != "help" && !f.Hidden {
			add(ungrouped, f)
		}
	})
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if a := f.Annotations[groupOf]; len(a) > 0 && a[0] != groupOther {
			add(a[0], f)
		}
	})
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch a := f.Annotations[groupOf]; {
		case f.Name == "help" && len(groups) < 2:
			add(ungrouped, f)
		case f.Name == "help" || len(a) > 0 && a[0] == groupOther:
			add(groupOther, f)
		}
	})
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "%s:\n%s\n", g, sets[g].FlagUsagesWrapped(min(width(), columnsInPipe)))
	}
	return strings.TrimSpace(b.String())
}

func newFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	return f
}
