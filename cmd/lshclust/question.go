package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/spf13/pflag"
)

// bindQuestion defines a flag for each option of a question, given by its address, but for its subjects and those named.
// The default of a flag is the value in the question.
func bindQuestion[Q any](f *pflag.FlagSet, question *Q, except ...string) {
	for _, o := range ask.Options(*question) {
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
