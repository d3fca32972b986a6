// Package moves measures the verdicts of lshclust moved.
//
//	lab moves -gold moved.tsv [-versions A,B,...] [-every] RUN1 RUN2 [RUN...]
//	lab moves -hide folders|urls RUN1 RUN2 [RUN...]
//	lab moves -sites FORMAT:REDIRECTS,RUN1,RUN2 [FORMAT:REDIRECTS,RUN1,RUN2...]
//	lab moves -fit -gold moved.tsv RUN1 RUN2 [RUN...]
//
// It compares the verdicts with a gold, for each step from one run to the next. The gold has a line for each page that
// moved: the old and the new URL, separated by a tab, and perhaps kind, old_version, new_version and resemblance, named in
// a first line that begins with #. Rows of another kind than "moved" are not scored.
//
// Precision is the share of the verdicts that name the right page, of those that name one; recall is the share of the
// pages that moved whose new URL a verdict names. Both are given for verdicts of at least some confidence. Similar pages
// are those with a resemblance of 0.5 or more in the gold, rewritten ones all others. Verdicts on pages that are not in the
// gold are counted, and not scored. The calibration shows how often verdicts of a confidence are right.
//
// With -sites, the redirect files of the sites themselves are the gold (sites.py makes such crawls). It also shows how often
// pages that are called gone are not redirected, as -fit does of those without a new place in the gold.
//
// Without a gold, -hide uses the pages that both runs have: their URLs are hidden from the method, or all but the last
// segments of their paths, and it must find each page again by the rest. The newer version of every fourth page is
// withheld; a verdict that names a page for it is wrong. Build such runs with --set url_words=false, since bags hold words
// of URLs.
package moves

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/lshclust/lshclust/internal/ask/crawls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/pairs"
	"github.com/lshclust/lshclust/lab/score"
)

// hidings are the values of -hide.
var hidings = map[string]crawls.Hiding{"folders": crawls.HideFolders, "urls": crawls.HideURLs}

// Command reads the flags, measures and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("moves", flag.ContinueOnError)
	path := flags.String("gold", "", "the gold of pages that moved")
	hide := flags.String("hide", "", "use no gold and hide folders or urls from the method")
	names := flags.String("versions", "", "names of the runs in the columns old_version and new_version of the gold")
	fitted := flags.Bool("fit", false, "fit the weights of the model to the gold, with every fourth page withheld")
	sites := flags.Bool("sites", false, "measure against the redirect files of sites")
	every := flags.Bool("every", false, "evaluate the step from each run to every later one")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *sites {
		return judgeSites(context.Background(), flags.Args())
	}
	var versions []string
	if *names != "" {
		versions = strings.Split(*names, ",")
	}
	if _, known := hidings[*hide]; flags.NArg() < 2 || *path == "" && !known || versions != nil && len(versions) != flags.NArg() {
		return errors.New("give two runs or more, with either -gold or -hide folders or urls, and as many -versions as runs")
	}
	steps, err := stepsOf(flags.Args(), *path, hidings[*hide], versions, *every)
	if err != nil {
		return err
	}
	if *fitted {
		return fitModel(context.Background(), steps)
	}
	all, err := Evaluate(context.Background(), steps)
	for i := range all {
		all[i].print()
	}
	return err
}

// stepsOf opens the runs and pairs each with the next, or with all later ones.
func stepsOf(paths []string, labels string, hide crawls.Hiding, versions []string, every bool) (steps []Step, err error) {
	var g *pairs.Pairs
	if labels != "" {
		if g, err = pairs.Read(labels); err != nil {
			return nil, err
		}
	}
	var list []*runs.Run
	for _, path := range paths {
		r, err := runs.Open(path)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
		if versions == nil {
			paths[len(list)-1] = filepath.Base(path)
		}
	}
	if versions != nil {
		paths = versions
	}
	for i := range list {
		for j := i + 1; j < len(list) && (every || j == i+1); j++ {
			s, err := crawls.NewTwoCrawls(list[i], list[j])
			if err != nil {
				return nil, err
			}
			step := Step{From: paths[i], To: paths[j], Crawls: s, Gold: g, Hide: hide}
			if g != nil && versions != nil {
				step.Gold = between(g, step.From, step.To)
			}
			steps = append(steps, step)
		}
	}
	return steps, nil
}

// between returns the gold with only the pairs of two versions.
func between(g *pairs.Pairs, from, to string) *pairs.Pairs {
	out := *g
	out.Pairs = nil
	for _, p := range g.Pairs {
		if p.Old == from && p.New == to {
			out.Pairs = append(out.Pairs, p)
		}
	}
	return &out
}

// print writes the figures of one step.
func (x *Result) print() {
	fmt.Printf("%s to %s: %d pages gone: %v; %d verdicts on pages outside the gold\n", x.From, x.To, x.Gone, x.Verdicts, x.Unlisted)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "pages\tconfidence\tprecision\trecall")
	for _, b := range x.Bins {
		for _, p := range b.Curve {
			fmt.Fprintf(w, "%s\t%.2f\t%s\t%s\n", b.Name, p.Confidence, cell(p.Precision), cell(p.Recall))
		}
	}
	w.Flush()
	fmt.Println("calibration: mean confidence, share that is right, verdicts")
	for _, c := range x.Calibration {
		fmt.Printf("  %.3f  %s  %d\n", c.Mean, cell(c.Right), c.Right.N)
	}
	fmt.Printf("calibration error: %s\n\n", cell(x.CalibrationError))
}

func cell(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	if i := f.Interval(); i != nil {
		return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, i.Low, i.High)
	}
	return fmt.Sprintf("%.3f", f.Value)
}
