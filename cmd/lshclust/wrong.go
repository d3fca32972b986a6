package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrongArguments returns an error with the arguments that a command takes and its first example.
func wrongArguments(c *cobra.Command, given []string) error {
	_, takes, _ := strings.Cut(c.Use, " ")
	if takes == "" {
		takes = "none"
	}
	example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	example, _, _ = strings.Cut(example, "  #")
	return fmt.Errorf("%s was given %s, but takes %s; for example: %s",
		strings.TrimPrefix(c.CommandPath(), "lshclust "), count(len(given), "argument"), takes, strings.Replace(strings.TrimSpace(example), "lshclust", invocation(), 1))
}

// wrongFlag returns an error that describes a wrong flag in plain words.
func wrongFlag(c *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		missing *pflag.ValueRequiredError
		invalid *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if unknown.GetSpecifiedShortnames() != "" {
			return fmt.Errorf("there is no flag -%s", name)
		}
		if setting, err := config.Find(name); err == nil && c.Flags().Lookup("set") != nil {
			return fmt.Errorf("there is no flag --%s; it is %s", name, setting.Arg("VALUE"))
		}
		if near := nearestFlag(c.Flags(), name); near != "" {
			return fmt.Errorf("there is no flag --%s; is it --%s?", name, near)
		}
		return fmt.Errorf("there is no flag --%s", name)
	case errors.As(err, &missing):
		return fmt.Errorf("--%s needs a value", missing.GetSpecifiedName())
	case errors.As(err, &invalid):
		return fmt.Errorf("--%s %s: %s", invalid.GetFlag().Name, invalid.GetValue(), valueWanted(invalid))
	}
	return err
}

// valueWanted describes the values of a flag.
func valueWanted(e *pflag.InvalidValueError) string {
	var wanted rangeError
	if errors.As(e, &wanted) {
		return wanted.Error()
	}
	switch e.GetFlag().Value.Type() {
	case "int", "int64":
		return "must be a whole number"
	case "uint", "uint32", "uint64":
		return "must be a whole number, 0 or more"
	case "float64":
		return "must be a number such as 0.5"
	case "bool":
		return "must be true or false"
	}
	return e.Unwrap().Error()
}

// nearestFlag returns the flag whose name is nearest to a wrong one, or "" if even that needs more than an edit for
// every three letters.
func nearestFlag(flags *pflag.FlagSet, name string) string {
	best, least := "", max(1, len(name)/3)+1
	flags.VisitAll(func(f *pflag.Flag) {
		if d := edits(f.Name, name); d < least && !f.Hidden {
			best, least = f.Name, d
		}
	})
	return best
}

// edits returns the number of letters to add, drop, change or swap with the next one to turn one short word into
// another: the restricted distance of Damerau and Levenshtein.
func edits(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d[i][j] = min(change, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// unknownCommand returns an error for an unknown command that names similar ones.
func unknownCommand(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = 2
	if near := c.SuggestionsFor(name); len(near) > 0 {
		return fmt.Errorf("there is no command %q; is it %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no command %q", name)
}
