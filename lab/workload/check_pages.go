package workload

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// textBin counts the planted pairs of pages of a range of resemblance.
type textBin struct{ pairs, stored, misread int64 }

// textTolerance is the largest difference between the resemblance that a run stores and the one that was planted: a run
// keeps shingles as hashes, which may collide.
const textTolerance = 1e-4

// checkPages prints how many of the planted pairs of pages a run stores, by resemblance. It returns an error if a pair
// has another resemblance in the run, or if one is missing that resembles enough to be stored. Neither is an error in a
// run that keeps sketches, whose resemblances are estimates.
func checkPages(out io.Writer, world *World, name string) error {
	r, err := runs.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	var bins [recallBins]textBin
	missed := int64(0)
	for p, err := range world.PagePairs(r.Config.Shingles()) {
		if err != nil {
			return err
		}
		resemblance, stored, err := storedText(r, p)
		if err != nil {
			return err
		}
		b := &bins[min(int(p.Similarity*recallBins), recallBins-1)]
		b.pairs++
		switch {
		case stored && !r.Config.Sketched() && math.Abs(resemblance-p.Similarity) > textTolerance:
			b.misread++
		case stored:
			b.stored++
		case p.Similarity >= r.Config.Resemblance && !r.Config.Sketched():
			missed++
		}
	}
	return printTexts(out, &bins, missed)
}

// storedText looks up a pair of pages.
func storedText(r *runs.Run, p Pair) (resemblance float64, stored bool, err error) {
	id, err := r.LookupPage(p.A)
	if errors.Is(err, runs.ErrUnknown) {
		return 0, false, fmt.Errorf("the run is not of these pages: give the flags with which they were generated (%w)", err)
	}
	if err != nil {
		return 0, false, err
	}
	list, _, err := texts.Duplicates(r, id, math.MaxInt)
	for _, d := range list {
		if d.URL == p.B {
			return d.Resemblance, d.Relation != "chain", err
		}
	}
	return 0, false, err
}

// printTexts prints the table of recall of pages.
func printTexts(out io.Writer, bins *[recallBins]textBin, missed int64) error {
	misread := int64(0)
	fmt.Fprintln(out, "resemblance\tpairs\tstored\trecall")
	for i, b := range bins {
		if b.pairs == 0 {
			continue
		}
		misread += b.misread
		fmt.Fprintf(out, "%.2f\t%d\t%d\t%.5f\n", float64(i)/recallBins, b.pairs, b.stored, float64(b.stored)/float64(b.pairs))
	}
	switch {
	case misread > 0:
		return fmt.Errorf("the run stores %d planted pairs with another resemblance than theirs", misread)
	case missed > 0:
		return fmt.Errorf("the run lacks %d planted pairs that resemble enough to be stored", missed)
	}
	return nil
}
