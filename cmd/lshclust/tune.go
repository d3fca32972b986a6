package main

import (
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/topic/tune"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/shingles"
	"github.com/spf13/cobra"
)

// tuning holds the flags of tune.
type tuning struct {
	recall, at float64
	sample     int
	seed       uint64
	bounds     bool
	eps        float64
	modulus    uint64
}

func newTune() *cobra.Command {
	t := &tuning{}
	c := &cobra.Command{
		Use:   "tune RUN",
		Short: "Count how many similar pairs an index finds, and predict that of others",
		Long: `Tune compares a sample of the documents of a run with all others, exactly. It prints how many pairs of each similarity there
are, how many of them the index of the run finds, and for each key size the smallest number of keys with which, by formula,
an index with the signatures and the floor of the run finds enough of the wanted pairs. The formula knows no bound on large
buckets, and not that neighbours of neighbours are compared, so a run that chooses its own index (the default) finds more
for less. If nothing finds enough, tune exits with 1.

With --bounds and without RUN, it prints how far the resemblance that sketches estimate is from the true one: the
probability that the estimate is within eps of the truth (p(s,r,eps) of Broder 1997), the standard error, and the range of
the middle 95 % of estimates, and how many samples MOD_m keeps of a document. A run that keeps sketches (lshclust cluster
--keep sketches) has estimates with these errors.`,
		Example: `  lshclust tune RUN                                # recall 0.95 of pairs of similarity 0.3 and above
  lshclust tune RUN --recall 0.9 --at 0.2
  lshclust tune --bounds --eps 0.02`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case t.bounds == (len(args) == 1):
				return usage(errors.New("name a run, or give --bounds alone"))
			case t.bounds:
				t.printBounds(printed)
				return nil
			case t.recall <= 0 || t.recall >= 1:
				return usage(fmt.Errorf("--recall %g: must be above 0 and below 1", t.recall))
			}
			return withRun(args[0], func(r *query.Run) (err error) {
				m := &measured{run: r, at: t.at}
				if m.sampled, err = r.Similar(c.Context(), t.sample, t.seed, m.add); err != nil {
					return err
				}
				tabled(printed, func(w io.Writer) { err = t.print(w, runName(args[0]), m) })
				return err
			})
		},
	}
	f := c.Flags()
	f.Float64Var(&t.recall, "recall", 0.95, "find a share `R` of the pairs with a similarity of --at or more")
	f.Float64Var(&t.at, "at", 0.3, "find pairs with a similarity of `S` or more")
	f.IntVar(&t.sample, "sample", 500, "compare `N` documents with all others")
	f.Uint64Var(&t.seed, "seed", 1, "`SEED` of the sample")
	f.BoolVar(&t.bounds, "bounds", false, "print the errors of sketches instead")
	f.Float64Var(&t.eps, "eps", 0.05, "with --bounds, allow an error of `E`")
	f.Uint64Var(&t.modulus, "modulus", shingles.DefaultM, "with --bounds, the `m` of MOD_m")
	inRange(f, "recall", 0, 1)
	inRange(f, "at", 0, 1)
	inRange(f, "eps", 0, 1)
	inRange(f, "modulus", 1, 1<<16)
	counting(f, 1, "sample")
	return c
}

// bins is the number of equal intervals of similarities.
const bins = 200

// measured counts the pairs of the sample by similarity.
type measured struct {
	run             *query.Run
	sampled         int
	at              float64
	pairs, found    [bins + 1]float64
	wanted, reached float64 // pairs of at least the wanted similarity, and how many of them the index finds
}

func (m *measured) add(similarity float64, found bool) {
	bin := int(similarity * bins)
	m.pairs[bin]++
	if similarity >= m.at {
		m.wanted++
	}
	if found {
		m.found[bin]++
		if similarity >= m.at {
			m.reached++
		}
	}
}

// each returns the sum of f, given a similarity, over all pairs of at least that similarity.
func (m *measured) each(least float64, f func(similarity float64) float64) (sum float64) {
	for bin, n := range m.pairs {
		if s := min((float64(bin)+0.5)/bins, 1); n > 0 && s >= least {
			sum += n * f(s)
		}
	}
	return sum
}

// all extrapolates a count in the sample to all pairs of the run. A pair belongs to two documents.
func (m *measured) all(inSample float64) float64 {
	return inSample * float64(m.run.Nodes()) / 2 / float64(m.sampled)
}

// recall returns the share of the wanted pairs that l keys of k signatures find.
func (m *measured) recall(k, l int) float64 {
	c := m.run.Config
	found := m.each(m.at, func(s float64) float64 { return lsh.Found(c.Signatures, k, l, c.Floor, s) })
	return found / max(1, m.each(m.at, func(float64) float64 { return 1 }))
}

// Bounds of the indexes that tune tries.
const (
	mostKeySize  = 5
	mostTuneKeys = 2000
)

func (t *tuning) print(w io.Writer, name string, m *measured) error {
	c := m.run.Config
	fmt.Fprintf(w, "%s: %d distinct bags; %d of them compared with all (seed %d)\n\n%-12s %10s %10s\n", harmless.Cell(name), m.run.Nodes(), m.sampled, t.seed, "similarity", "pairs", "found")
	for from := 0; from < bins; from += bins / 10 {
		n, found := 0.0, 0.0
		for bin := from; bin < from+bins/10 || bin == bins && from+bins/10 == bins; bin++ {
			n, found = n+m.pairs[bin], found+m.found[bin]
		}
		share := "–"
		if n > 0 {
			share = fmt.Sprintf("%.3f", found/n)
		}
		fmt.Fprintf(w, "%.1f to %-5.1f %10s %10s\n", float64(from)/bins, float64(from)/bins+0.1, brief(m.all(n)), share)
	}
	fmt.Fprintf(w, "\nwanted: recall %.3g at similarity %.3g and above; %d signatures, floor %.3g\n%-12s %10s %10s %14s\n", t.recall, t.at, c.Signatures, c.Floor, "key size", "keys", "recall", "candidates")
	best, bestCost := tune.IndexChoice{}, 0.0
	for k := 1; k <= min(mostKeySize, c.Signatures); k++ {
		most := min(lsh.MostKeys(c.Signatures, k), mostTuneKeys)
		l := 1 + sort.Search(most, func(i int) bool { return m.recall(k, i+1) >= t.recall })
		if l > most {
			fmt.Fprintf(w, "%-12d %10s %10s %14s\n", k, "–", "–", "–")
			continue
		}
		candidates := m.all(m.each(0, func(s float64) float64 { return lsh.Candidate(c.Signatures, k, l, s) }))
		fmt.Fprintf(w, "%-12d %10d %10.3f %14s\n", k, l, m.recall(k, l), brief(candidates))
		x := tune.IndexChoice{K: k, L: l, Formed: candidates / float64(max(1, m.run.Nodes()))}
		if best.L == 0 || x.Cost() < bestCost {
			best, bestCost = x, x.Cost()
		}
	}
	if m.wanted > 0 {
		fmt.Fprintf(w, "this run: %d keys of %d signatures, recall counted in the sample %.3f\n", c.Keys, c.KeySize, m.reached/m.wanted)
	}
	switch {
	case m.wanted == 0:
		return &exit{code: exitCondition, err: fmt.Errorf("no pair of similarity %.3g or more is in the sample: raise --sample or lower --at", t.at)}
	case best.L == 0:
		return &exit{code: exitCondition, err: fmt.Errorf("no index reaches recall %.3g at similarity %.3g and above: ask for less recall or a higher similarity, or build the run with more signatures or a lower floor (lshclust config)", t.recall, t.at)}
	}
	fmt.Fprintf(w, "\nuse: %s cluster -o NEW --preset %s --set key_size=%d --set keys=%d --set max_bucket=%d INPUT...\n", invocation(), c.Preset, best.K, best.L, c.MaxBucket)
	return nil
}

func (t *tuning) printBounds(w io.Writer) {
	rows := shingles.Bounds([]int{25, 50, 100, 200, 400}, []float64{0.2, 0.5, 0.8, 0.9, 0.95}, t.eps)
	fmt.Fprintf(w, "%8s %12s %14s %10s %16s\n", "samples", "resemblance", fmt.Sprintf("within ±%.3g", t.eps), "std error", "95 % between")
	for _, b := range rows {
		fmt.Fprintf(w, "%8d %12.2f %14.4f %10.4f %8.3f %7.3f\n", b.Samples, b.Resemblance, b.Within, b.StdErr, b.Low, b.High)
	}
	fmt.Fprintf(w, "\nMOD_%d: samples of a document\n%10s %10s %8s %14s\n", t.modulus, "shingles", "expected", "±", "none at all")
	for _, s := range shingles.ModBounds(t.modulus, []int{10, 100, 1000, 2500, 10000, 100000}) {
		fmt.Fprintf(w, "%10d %10.1f %8.1f %14.3g\n", s.Shingles, s.Expected, s.StdDev, s.Empty)
	}
}
