package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// groupOf is the annotation that names the group of a flag in --help.
const groupOf = "lshclust-group"

// inGroup puts flags under a heading of --help.
func inGroup(f *pflag.FlagSet, group string, names ...string) {
	for _, name := range names {
		if err := f.SetAnnotation(name, groupOf, []string{group}); err != nil {
			panic(err) // no such flag; every test of --help would find it
		}
	}
}

// mostNumber bounds flags that count things.
const mostNumber = ask.MostNumber

// groupOther is the heading of the last group.
const groupOther = "Other flags"

// flagsHelp returns the flags of a command for --help by group: flags without a group first, then the groups in order of
// first occurrence, and the other flags.
func flagsHelp(c *cobra.Command) string {
	groups, sets := []string{}, map[string]*pflag.FlagSet{}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		group := "Flags"
		if a := f.Annotations[groupOf]; len(a) > 0 {
			group = a[0]
		}
		if f.Hidden {
			return
		}
		if sets[group] == nil {
			groups, sets[group] = append(groups, group), newFlags()
		}
		sets[group].AddFlag(f)
	})
	if i := slices.Index(groups, groupOther); i >= 0 {
		groups = append(slices.Delete(groups, i, i+1), groupOther)
	}
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
