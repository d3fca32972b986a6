package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ablation holds the flags of eval settings.
type ablation struct {
	settings
	golds []string
	half  string
	vary  []string
	output
	memory  byteSize
	quiet   bool
	options eval.SettingsOptions
}

func newEvalSettings() *cobra.Command {
	f := &ablation{memory: pipeline.DefaultMemory}
	c := &cobra.Command{
		Use:   "settings --gold GOLD... [--vary NAME=VALUES]... INPUT...",
		Short: "Measure what each setting of the bags gains or loses",
		Long: `Settings changes one setting at a time and tells what that gains or loses. For the configuration in the flags (the base) and
for each variation of it, it makes bags from the inputs, compares the bags of the gold's targets with one another exactly
(without signatures and index), and counts the queries whose nearest target is in the same category, at each level. The
difference to the base is measured on the same resamples of whole lists (the targets under the same first two levels); *
marks a difference whose 95 % interval does not contain 0. All figures are given twice: over all pairs, and without the
pairs that one page links to together.

--vary NAME=VALUE,VALUE,... makes a variation of each value. --vary 'NAME=VALUES;NAME=VALUES' changes several settings
together, in every combination. --vary preset=NAME takes the settings of another preset. Without --vary:
  ` + strings.Join(defaultFactors, "\n  ") + `
Values of the base are left out, and so are variations that make the same bags. Settings of signatures, index and clusters
do not change bags; see tune and eval recall for these.

Choose settings on --half dev and report --half test. The inputs are read once for each gold, to find out which pages link
to two targets together, and once for each variation that changes more than weights. Each pass needs space in --temp of a
few times the size of the pages. If a gold tells nothing (one category, no two targets in one), the command exits with 1.`,
		Example: `  lshclust eval settings --gold gold.tsv --half dev pages.jsonl.gz
  lshclust eval settings --gold gold.tsv --vary window=8,16,32,64 --vary border=0,0.5,1 pages.jsonl.gz
  lshclust eval settings --gold gold.tsv --preset paper2000 --vary 'window=32;damping=log' pages.jsonl.gz
  lshclust eval settings --gold a.tsv --gold b.tsv --window 16 --format json pages.jsonl.gz > figures.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, printed, args) },
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file; may be given several times")
	flags.StringArrayVar(&f.vary, "vary", nil, "`NAME=VALUE,...` to try; may be given several times")
	flags.StringVar(&f.half, "half", "all", "which `HALF` of the targets are queries: all, dev or test")
	flags.IntVar(&f.options.Depth, "depth", 3, "number of `LEVELS` of the paths to compare")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 1000, "`N` resamples for the intervals; 0: no intervals")
	evaluating(flags)
	flags.StringVar(&f.options.Temp, "temp", "", "`DIR` for temporary files (default: that of the system)")
	flags.IntVar(&f.options.Workers, "workers", 0, "number `N` of goroutines (default: one for each processor)")
	inRange(flags, "workers", 0, config.MostWorkers)
	flags.Var(&f.memory, "memory", "limit of the memory for making bags")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "show no progress")
	f.output.bind(flags, "a figure")
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.settings.bind(all)
	for _, name := range slices.Concat([]string{"preset", "config", "seed"}, inputSettings, bagSettings) {
		flags.AddFlag(all.Lookup(name))
	}
	flags.SortFlags = false
	return c
}

// bagSettings are the settings that can be varied; inputSettings decide which pages there are.
var (
	bagSettings = []string{
		"language", "stem", "stop", "bags", "title", "content", "content-terms", "nofollow", "window", "damping", "headings", "url-words", "border", "host-damping",
		"weighting", "tf", "bag-sum", "min-df", "max-df",
	}
	inputSettings = []string{"base", "map", "url-rules", "max-page", "captures", "canonical", "from", "to", "status", "mime"}
)

// defaultFactors are the variations that are compared without --vary.
var defaultFactors = []string{
	"window=4,8,16,24,32,48,64", "damping=none,log", "border=0,0.5,1", "headings=0,1,6", "url-words=true,false",
	"title=true,false", "content=0,1,2,4", "content-terms=10,30,100", "weighting=idf,nmdf,none", "tf=raw,log", "bag-sum=50,100,200,400", "min-df=1,2,3,5",
	"max-df=0.02,0.1,0.5,1", "stem=true,false", "stop=snowball,none", "preset=paper2000,paper2002,web",
}

func (f *ablation) run(c *cobra.Command, w io.Writer, inputs []string) (err error) {
	base, err := f.config(c)
	if err == nil {
		err = f.check(inputs)
	}
	if err != nil {
		return usage(err)
	}
	golds, err := f.readGolds(base)
	if err != nil {
		return err
	}
	vary, err := f.variations(base)
	if err != nil {
		return usage(err)
	}
	limitMemory(int64(f.memory))
	f.options.Seed, f.options.Memory = base.Seed, int64(f.memory)
	if !f.quiet {
		f.options.Progress = func(done, of int, name string) {
			fmt.Fprintln(os.Stderr, harmless.Cell(fmt.Sprintf("%d of %d: %s", done+1, of, name)))
		}
	}
	all, err := eval.CompareSettings(c.Context(), inputs, golds, base, vary, f.options)
	switch {
	case errors.Is(err, context.Canceled):
		return &exit{exitInterrupted, false, errors.New("interrupted; nothing is kept")}
	case err != nil:
		return err
	}
	if err := f.write(w, all); err != nil {
		return err
	}
	return f.notes(os.Stderr, all)
}

// check reports wrong usage before anything is read.
func (f *ablation) check(inputs []string) (err error) {
	if err := f.output.check(); err != nil {
		return err
	}
	if f.options.Half, err = score.ParseHalf(f.half); err != nil {
		return err
	}
	switch {
	case len(f.golds) == 0:
		return errors.New("--gold is missing: give a file of lines URL, tab, category/path")
	case slices.Contains(inputs, "-"):
		return errors.New("standard input cannot be read again for each variation: name a file")
	}
	return nil
}

func (f *ablation) readGolds(base config.Config) (golds []*gold.Gold, err error) {
	rules, err := base.Rules()
	if err != nil {
		return nil, err
	}
	for _, path := range f.golds {
		g, err := gold.Read(path, rules)
		if err != nil {
			return nil, err
		}
		skippedNotes(os.Stderr, g.Skipped)
		golds = append(golds, g)
	}
	return golds, nil
}

// variations returns the variations in --vary, or the default ones, without those that make the same bags as the base
// or as an earlier variation.
func (f *ablation) variations(base config.Config) ([]eval.Variation, error) {
	asked := f.vary
	if len(asked) == 0 {
		asked = defaultFactors
	}
	var out []eval.Variation
	for _, a := range asked {
		some, err := parseVary(a, base)
		if err != nil {
			return nil, fmt.Errorf("--vary %s: %w", a, err)
		}
		for _, v := range some {
			same := func(o eval.Variation) bool { return eval.SameBags(o.Config, v.Config) }
			if !eval.SameBags(base, v.Config) && !slices.ContainsFunc(out, same) {
				out = append(out, v)
			} else if len(f.vary) > 0 && !f.quiet {
				fmt.Fprintln(os.Stderr, harmless.Cell("note: "+v.Name+" is left out: it makes the same bags as the base or an earlier variation"))
			}
		}
	}
	return out, nil
}

// parseVary parses NAME=VALUE,VALUE;NAME=VALUE and returns every combination of one value for each name.
func parseVary(s string, base config.Config) ([]eval.Variation, error) {
	changes := [][]eval.Setting{nil}
	for clause := range strings.SplitSeq(s, ";") {
		name, values, ok := strings.Cut(clause, "=")
		name = strings.TrimSpace(name)
		if !ok {
			return nil, fmt.Errorf("%q is not NAME=VALUE,VALUE", clause)
		}
		if name != "preset" && !slices.Contains(bagSettings, name) {
			return nil, fmt.Errorf("%q is not a setting of bags, which are preset, %s", name, strings.Join(bagSettings, ", "))
		}
		var more [][]eval.Setting
		for _, c := range changes {
			if slices.ContainsFunc(c, func(x eval.Setting) bool { return x.Name == name }) {
				return nil, fmt.Errorf("%s is given twice", name)
			}
			for v := range strings.SplitSeq(values, ",") {
				more = append(more, append(slices.Clone(c), eval.Setting{Name: name, Value: strings.TrimSpace(v)}))
			}
		}
		changes = more
	}
	var out []eval.Variation
	for _, c := range changes {
		v, err := variation(c, base)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// variation applies changes to the base as flags would, beginning with a preset.
func variation(changes []eval.Setting, base config.Config) (eval.Variation, error) {
	var s settings
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.bind(flags)
	v := eval.Variation{Changed: changes, Config: base}
	var names []string
	for _, x := range changes {
		names = append(names, x.Name+"="+x.Value)
		if err := flags.Set(x.Name, x.Value); err != nil {
			return v, err
		}
	}
	v.Name = strings.Join(names, ";")
	var preset *config.Config
	if flags.Changed("preset") {
		p, err := config.Preset(s.preset)
		if err != nil {
			return v, err
		}
		preset = &p
	}
	for _, k := range s.known {
		switch {
		case flags.Changed(k.name):
			k.copy(&v.Config, &s.flagged)
		case preset != nil && slices.Contains(bagSettings, k.name):
			k.copy(&v.Config, preset)
		}
	}
	return v, v.Config.Validate()
}

// notes prints what was left out. Unreadable parts of the inputs have their own exit code.
func (f *ablation) notes(w io.Writer, all []*eval.Ablation) error {
	for _, a := range all {
		for _, warning := range a.Warnings {
			fmt.Fprintln(w, harmless.Cell(a.Gold+": "+warning))
		}
	}
	if n := all[0].Damaged; n > 0 {
		return &exit{exitSkipped, false, fmt.Errorf("%s of the input unreadable and skipped", count(n, "part"))}
	}
	return nil
}
