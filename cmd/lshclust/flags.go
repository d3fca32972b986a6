package main

import (
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
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
			groups, sets[group] = append(groups, group), pflag.NewFlagSet("", pflag.ContinueOnError)
			sets[group].SortFlags = false
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

// bindQuestion defines a flag for each option of a question, given by its address, but for its subjects and those named.
// The default of a flag is the value in the question.
func bindQuestion(f *pflag.FlagSet, question any, except ...string) {
	for _, o := range ask.Options(reflect.ValueOf(question).Elem().Interface()) {
		if o.Required || slices.Contains(except, o.Name) {
			continue
		}
		if o.Name == "limit" {
			o.Most = mostNumber
		}
		usage := o.Doc
		if o.Enum != nil {
			usage += ": " + strings.Join(o.Enum, ", ")
		}
		flag := f.VarPF(&optionValue{o, question}, strings.ReplaceAll(o.Name, "_", "-"), o.Short, usage)
		if o.Kind == ask.Flag {
			flag.NoOptDefVal = "true"
		}
		if n, err := strconv.Atoi(flag.DefValue); err == nil && n > mostNumber { // as good as all
			flag.DefValue = ""
		}
	}
}

// optionValue is the flag of an option of a question.
type optionValue struct {
	ask.Option
	question any
}

// Set refuses values that the option does not allow.
func (v *optionValue) Set(s string) error { return v.Option.Set(v.question, s) }

// String returns the value in the question.
func (v *optionValue) String() string {
	if v.question == nil { // as pflag asks for the zero value
		return ""
	}
	return v.Get(v.question)
}

// Type returns what help calls the value.
func (v *optionValue) Type() string {
	if v.Kind == ask.Flag {
		return "bool"
	}
	return v.Value
}

// byteSize is a flag value such as 4GiB, 500MB or 1073741824.
type byteSize int64

// Set parses a size.
func (b *byteSize) Set(s string) error {
	n, ok := config.ParseSize(s)
	if !ok {
		return ask.ValueError("must be a size such as 16MiB")
	}
	*b = byteSize(n)
	return nil
}

// String formats a size.
func (b *byteSize) String() string { return config.FormatSize(int64(*b)) }

// Type names the value in --help.
func (b *byteSize) Type() string { return "SIZE" }

// enoughMemory refuses a memory limit that is too small for any work.
func enoughMemory(memory int64) error {
	if memory < pipeline.LeastMemory {
		return usage(fmt.Errorf("--memory %s is too little to work with: the least is %s", config.FormatSize(memory),
			config.FormatSize(pipeline.LeastMemory)))
	}
	return nil
}

// limitMemory sets the memory limit of the Go runtime unless GOMEMLIMIT sets a lower one.
func limitMemory(bytes int64) {
	if now := debug.SetMemoryLimit(-1); now == math.MaxInt64 || bytes < now {
		debug.SetMemoryLimit(bytes)
	}
}
