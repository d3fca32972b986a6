package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wrongArguments returns an error that states the arguments that a command takes and its first example.
func wrongArguments(c *cobra.Command, given []string) error {
	_, takes, _ := strings.Cut(c.Use, " ")
	example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n")
	example, _, _ = strings.Cut(example, "  #")
	return fmt.Errorf("%s was given %s, but takes %s; for example: %s",
		strings.TrimPrefix(c.CommandPath(), "lshclust "), count(len(given), "argument"), cmp.Or(takes, "none"),
		strings.Replace(strings.TrimSpace(example), "lshclust", invocation(), 1))
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
		if near := similarFlags(c.Flags(), name); len(near) > 0 {
			return fmt.Errorf("there is no flag --%s; is it %s?", name, strings.Join(near, " or "))
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
	var wanted ask.ValueError
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

// similarFlags returns the flags with a name similar to a wrong one, as cobra does for commands.
func similarFlags(flags *pflag.FlagSet, name string) (similar []string) {
	names := &cobra.Command{SuggestionsMinimumDistance: max(1, len(name)/3)}
	flags.VisitAll(func(f *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
	})
	for _, s := range names.SuggestionsFor(name) {
		similar = append(similar, "--"+s)
	}
	return similar
}

// unknownCommand returns an error for an unknown command that names similar ones.
func unknownCommand(c *cobra.Command, name string) error {
	c.SuggestionsMinimumDistance = 2
	if near := slices.Compact(slices.Sorted(slices.Values(c.SuggestionsFor(name)))); len(near) > 0 {
		return fmt.Errorf("there is no command %q; is it %s?", name, strings.Join(near, " or "))
	}
	return fmt.Errorf("there is no command %q", name)
}
