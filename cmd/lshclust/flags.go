package main

import (
	"fmt"
	"math"
	"strconv"
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

// mostNumber bounds flags that count things, far above any use, so that nothing that is made of them overflows.
const mostNumber = math.MaxInt32

// inRange makes a flag refuse numbers that do not lie in a range, NaN among them.
func inRange(f *pflag.FlagSet, name string, least, most float64) {
	flag := f.Lookup(name)
	flag.Value = &ranged{flag.Value, least, most}
}

// counting makes flags refuse numbers below least and above mostNumber.
func counting(f *pflag.FlagSet, least float64, names ...string) {
	for _, name := range names {
		inRange(f, name, least, mostNumber)
	}
}

// ranged is the value of a flag made by inRange.
type ranged struct {
	pflag.Value
	least, most float64
}

// Set refuses what lies outside the range.
func (r *ranged) Set(s string) error {
	if err := r.Value.Set(s); err != nil {
		return err
	}
	if n, err := strconv.ParseFloat(r.Value.String(), 64); err != nil || !(n >= r.least && n <= r.most) {
		return r.error()
	}
	return nil
}

func (r *ranged) error() error {
	if r.most == mostNumber {
		return rangeError(fmt.Sprintf("must be %.0f or more, at most %d", r.least, mostNumber))
	}
	return rangeError(fmt.Sprintf("must be %s to %s", trimFloat(r.least), trimFloat(r.most)))
}

// rangeError says what a number must be.
type rangeError string

func (e rangeError) Error() string { return string(e) }

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
