package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/report"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/pflag"
)

// reportHelp explains --html.
const reportHelp = `--html writes everything as one page for people, which needs no network and no script: the question, the data, the method,
the figures next to chance and baselines, charts with their tables, queries for which one method is right and another one
wrong, and the manifest. For the page, all baselines are measured unless --baselines says otherwise ("" for none), several
thresholds are compared, and a sample of bags is compared with all others. Views are compared on the URLs of the gold if
the run has both, or if --content names a second run. The figures still go to the standard output, as --format says.`

// reportFlags are the flags for the page.
type reportFlags struct {
	path, content, settings string
	sample, examples        int

	runs       []eval.NamedRun // the run and, if given, a second one
	variations []report.Variations
}

func (f *reportFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.path, "html", "", "write a report to `FILE`")
	flags.StringVar(&f.content, "content", "", "for the report: a second `RUN` over the same pages, made with --bags content")
	flags.StringVar(&f.settings, "settings", "", "for the report: `FILE` written by eval settings --format json")
	flags.IntVar(&f.sample, "sample", 300, "for the report: number of `BAGS` to compare with all others; 0: none")
	flags.IntVar(&f.examples, "examples", 3, "for the report: number of `QUERIES` to show for every two methods")
	counting(flags, 0, "sample")
	inRange(flags, "examples", 0, 100)
}

// check reports wrong usage. changed reports whether a flag was given.
func (f *reportFlags) check(changed func(name string) bool) error {
	if f.path == "" {
		for _, name := range []string{"content", "settings", "sample", "examples"} {
			if changed(name) {
				return usage(fmt.Errorf("--%s is for the report: give --html FILE", name))
			}
		}
		return nil
	}
	if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
		return usage(fmt.Errorf("--html: %w", err))
	}
	return nil
}

// fill sets the options that the page needs and that no flag has set.
func (f *reportFlags) fill(r *query.Run, o *eval.Options, changed func(name string) bool) {
	if f.path == "" {
		return
	}
	o.Examples = f.examples
	if !changed("baselines") {
		o.Baselines = eval.AllBaselines()
	}
	if !changed("thresholds") {
		o.Thresholds = report.Thresholds(r)
	}
}

// open opens what the page needs before anything is measured.
func (f *reportFlags) open(r eval.NamedRun) (err error) {
	f.runs = []eval.NamedRun{r}
	if f.settings != "" {
		if f.variations, err = report.ReadVariations(f.settings); err != nil {
			return usage(fmt.Errorf("--settings: %w", err))
		}
	}
	if f.content == "" {
		return nil
	}
	second, err := openRun(f.content)
	if err != nil {
		return err
	}
	f.runs = append(f.runs, eval.NamedRun{Name: runName(f.content), Run: second})
	if second.Config.Bags == r.Config.Bags {
		f.close()
		return usage(fmt.Errorf("--content: %s and %s both have bags of %s", f.runs[0].Name, f.runs[1].Name, r.Config.Bags))
	}
	return nil
}

// close closes the second run.
func (f *reportFlags) close() {
	for _, r := range f.runs[1:] {
		r.Close()
	}
}

// write measures what has not been measured yet and writes the page.
func (f *reportFlags) write(ctx context.Context, golds []*gold.Gold, all []*eval.Evaluation, o eval.Options) error {
	if f.path == "" {
		return nil
	}
	page, err := report.New(ctx, f.runs, golds, all, report.Options{Options: o, Sample: f.sample})
	if err != nil {
		return err
	}
	page.Tool, page.Variations = version(), f.variations
	for _, m := range page.Missing {
		fmt.Fprintln(os.Stderr, harmless.Cell("not on the page: "+m))
	}
	return writeFile(f.path, page.HTML)
}

func runName(path string) string { return filepath.Base(filepath.Clean(path)) }
