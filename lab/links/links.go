// Package links measures whether the links that lshclust links suggests are links that a site has.
//
//	lab links [-take 2000] [-cut] PAGES.jsonl DIRECTORY
//	lab links -fit PAGES.jsonl DIRECTORY [PAGES.jsonl DIRECTORY...]
//
// It takes links between pages of a host away, both directions of a pair at once, clusters the rest into DIRECTORY/run,
// and counts how many suggestions are links that were taken away: for each page that lost a link, the first 1, 3 and 10.
// By default the words of a link stay; with -cut they go, too. Every other suggestion counts as wrong, though many are
// links that the page might have. Links in what looks like a menu, and outside of the element with the role main if there
// is one, are not taken.
//
// Two other ways to suggest links are measured on the same pages: the cosine of the tf-idf of their words, and the number
// of pages that link to both, divided by the square root of the product of the numbers that link to each.
package links

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust"
	"github.com/lshclust/lshclust/internal/runs"
)

// Command runs the trial.
func Command(args []string) error {
	f := flag.NewFlagSet("links", flag.ContinueOnError)
	take := f.Int("take", 2000, "number of pairs of pages whose links are taken away")
	cut := f.Bool("cut", false, "take the words of the links, too")
	least := f.Float64("least", 0, "least score of a suggestion")
	fitted := f.Bool("fit", false, "fit the weights of the score to the links that were taken away")
	show := f.Int("show", 0, "number of suggestions to print")
	if err := f.Parse(args); err != nil {
		return err
	}
	if f.NArg() < 2 || f.NArg()%2 != 0 || f.NArg() > 2 && !*fitted {
		return fmt.Errorf("want PAGES.jsonl and DIRECTORY, with -fit perhaps of several sites, got %d arguments", f.NArg())
	}
	var sites []lossy
	for i := 0; i < f.NArg(); i += 2 {
		s, err := prepare(f.Arg(i), f.Arg(i+1), *take, *cut)
		if err != nil {
			return err
		}
		defer s.run.Close()
		sites = append(sites, s)
	}
	if *fitted {
		return fitScore(sites)
	}
	return measure(sites[0].run, sites[0].taken, *least, *show)
}

// lossy is a site without some of its links.
type lossy struct {
	name  string
	run   *runs.Run
	taken map[link]bool
}

// prepare takes links away from pages and clusters the rest in a folder.
func prepare(input, dir string, take int, cut bool) (s lossy, err error) {
	pages, err := read(input)
	if err != nil {
		return s, err
	}
	s = lossy{name: filepath.Base(dir), taken: choose(pages, take)}
	lines, run := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run")
	if err := without(pages, s.taken, cut, lines); err != nil {
		return s, err
	}
	if err := os.RemoveAll(run); err != nil {
		return s, err
	}
	s.run, err = lshclust.Cluster(context.Background(), run, []string{lines}, lshclust.Options{})
	return s, err
}
