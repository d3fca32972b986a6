package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
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

// mostNumber bounds flags that count things. It is far above any use, and so small that arithmetic on them cannot
// overflow.
const mostNumber = math.MaxInt32

// inRange makes a flag refuse numbers outside a range, and NaN.
func inRange(f *pflag.FlagSet, name string, least, most float64) {
	flag := f.Lookup(name)
	flag.Value = &ranged{flag.Value, least, most}
}

// counting makes flags refuse numbers below least or above mostNumber.
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

// Set refuses numbers outside the range.
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
	return rangeError(fmt.Sprintf("must be %s to %s", answer.Float(r.least), answer.Float(r.most)))
}

// rangeError is the error for a number out of range.
type rangeError string

func (e rangeError) Error() string { return string(e) }

// Headings of the last groups. Other flags have --help among them; --help-all alone shows rare flags.
const (
	groupOther = "Other flags"
	groupRare  = "Rare flags"
)

// flagsHelp returns the flags of a command for --help: first those without a group, then the groups in the order in
// which they first occur.
func flagsHelp(c *cobra.Command) string {
	const ungrouped = "Flags"
	groups, sets := []string{}, map[string]*pflag.FlagSet{}
	add := func(group string, f *pflag.Flag) {
		if sets[group] == nil {
			groups, sets[group] = append(groups, group), newFlags()
		}
		sets[group].AddFlag(readable(f))
	}
	all := c.LocalFlags().Lookup("help-all")
	for _, last := range []bool{false, true} {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			group := ungrouped
			if a := f.Annotations[groupOf]; len(a) > 0 {
				group = a[0]
			} else if f.Name == "help" && all != nil {
				group = groupOther
			}
			if last == (group == groupOther || group == groupRare) && !f.Hidden && (group != groupRare || all.Changed) {
				add(group, f)
			}
		})
	}
	var b strings.Builder
	for _, g := range groups {
		fmt.Fprintf(&b, "%s:\n%s\n", g, sets[g].FlagUsagesWrapped(min(width(), columnsInPipe)))
	}
	return strings.TrimSpace(b.String())
}

// placeholders are the names of values in --help if the usage of a flag does not have one, by the type in package
// pflag.
var placeholders = map[string]string{
	"int": "N", "int64": "N", "uint": "N", "uint32": "N", "uint64": "N", "intSlice": "N,N,...",
	"float64": "NUMBER", "float64Slice": "NUMBER,NUMBER,...",
	"string": "TEXT", "stringSlice": "TEXT,TEXT,...", "stringArray": "TEXT",
}

// readable returns a flag as --help shows it: without names of Go types, and a default list as a person would type it.
func readable(f *pflag.Flag) *pflag.Flag {
	kind := f.Value.Type()
	list := strings.HasSuffix(kind, "Slice")
	if !list && (placeholders[kind] == "" || strings.Contains(f.Usage, "`")) {
		return f
	}
	shown := *f
	shown.Value = placeholder{f.Value, placeholders[kind]}
	if list {
		shown.DefValue = typed(f.DefValue)
	}
	return &shown
}

// typed returns a default list of pflag as a person would type it: [0.500000,1.000000] becomes 0.5,1.
func typed(list string) string {
	items := strings.Split(strings.Trim(list, "[]"), ",")
	for i, item := range items {
		if n, err := strconv.ParseFloat(item, 64); err == nil {
			items[i] = strconv.FormatFloat(n, 'g', -1, 64)
		}
	}
	return strings.Join(items, ",")
}

// placeholder is the value of a flag with another name in --help.
type placeholder struct {
	pflag.Value
	name string
}

// Type returns the name.
func (p placeholder) Type() string { return p.name }

func newFlags() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	return f
}
