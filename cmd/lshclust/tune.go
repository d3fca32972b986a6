package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/tune"
	"github.com/spf13/cobra"
)

// tuning holds the flags of tune.
type tuning struct {
	goal      tune.Goal
	memory    byteSize
	sample    int
	maxBucket int
	seed      uint64
	top       int
	threshold bool
	output
	svg, html string
}

func newTune() *cobra.Command {
	t := &tuning{memory: pipeline.DefaultMemory}
	c := &cobra.Command{
		Use:   "tune RUN",
		Short: "Find the index that finds enough of the similar pairs at least cost",
		Long: `Tune compares a sample of the documents of a run with all others, exactly, and estimates from that how many pairs of each
similarity there are. From these numbers and the formulas of the index it predicts the recall and the cost of every choice of
signatures (m), key size (k), keys (l) and floor. The formulas do not know about large buckets (--max-bucket), so tune then
tries the cheapest choice on the sample (column "tried"). If the choice finds too little there, tune gives it more keys, and if
that is not enough, it goes on to the next choice. Tune prints the flags of the first choice that reaches the goal. The row
"this run" shows the choice of the run, and the row below it what the run counted.

With --threshold, tune keeps m, k and l of the run and chooses only the floor: the highest one that keeps the recall. Recall and
precision (the share of wanted pairs among those that pass the floor) are counted in the sample. Tune does not consider the
pairs that --neighbours leaves out afterwards. If nothing reaches the goal, tune says so and exits with 1.`,
		Example: `  lshclust tune RUN                                # recall 0.95 of pairs of similarity 0.3 and above
  lshclust tune RUN --recall 0.9 --at 0.2 --memory 8GiB
  lshclust tune RUN --at 0.15 --floor 0.075        # keep this floor, choose m, k and l
  lshclust tune RUN --max-bucket 1000              # if larger buckets were paired in full
  lshclust tune RUN --threshold --at 0.2           # keep m, k and l, choose the floor
  lshclust tune RUN --html tune.html               # with the S-curve and the histogram of similarities
  lshclust tune RUN --format json | jq -r .flags`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			t.goal.KeepFloor = c.Flags().Changed("floor")
			if err := t.check(); err != nil {
				return err
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			measured, err := r.Measure(c.Context(), t.sample, t.seed)
			if err != nil {
				return err
			}
			x, err := newTuned(c.Context(), t, r, measured, filepath.Base(filepath.Clean(args[0])))
			if err != nil {
				return err
			}
			return t.write(printed, x)
		},
	}
	f := c.Flags()
	f.Float64Var(&t.goal.Recall, "recall", 0.95, "find a share `R` of the pairs with a similarity of --at or more")
	f.Float64Var(&t.goal.At, "at", 0.3, "find pairs with a similarity of `S` or more")
	f.Float64Var(&t.goal.Floor, "floor", 0, "keep the floor of agreement `F` instead of choosing one")
	f.BoolVar(&t.threshold, "threshold", false, "keep m, k and l of the run and choose the floor only")
	f.IntVar(&t.maxBucket, "max-bucket", 0, "choose for a bound of `N` nodes in a bucket (default that of the run)")
	f.IntSliceVar(&t.goal.Signatures, "signatures", tune.DefaultSignatures, "numbers of signatures, m, to try: `M,M,...`")
	f.Var(&t.memory, "memory", "memory that a run may take")
	f.IntVar(&t.sample, "sample", 500, "`N` documents that are compared with all others")
	f.Uint64Var(&t.seed, "seed", 1, "`SEED` of the sample")
	f.IntVar(&t.top, "top", 5, "print `N` choices, each the best for its m and k")
	for _, name := range []string{"recall", "at", "floor"} {
		inRange(f, name, 0, 1)
	}
	counting(f, 0, "max-bucket")
	counting(f, 1, "sample", "top")
	t.output.bind(f, "")
	f.StringVar(&t.svg, "svg", "", "write the pictures to the folder `DIR`")
	f.StringVar(&t.html, "html", "", "write pictures and tables to `FILE`")
	f.SortFlags = false
	return c
}

// check returns an error if the flags cannot be used.
func (t *tuning) check() error {
	if err := t.output.check(); err != nil {
		return err
	}
	if t.maxBucket == 1 {
		return usage(fmt.Errorf("--max-bucket %d: must be 2 or more", t.maxBucket))
	}
	if t.threshold && t.goal.KeepFloor {
		return usage(errors.New("--threshold chooses the floor, --floor keeps it: give one"))
	}
	for _, m := range t.goal.Signatures {
		if _, err := lsh.NewIndex(m, 1, 1, 1); err != nil {
			return usage(fmt.Errorf("--signatures: %w", err))
		}
	}
	// A run gives half of its memory to the index.
	t.goal.Memory = int64(t.memory) / 2
	if err := t.goal.Validate(); err != nil {
		return usage(fmt.Errorf("--%w", err)) // it begins with the name
	}
	return nil
}

// write writes the figures and then the pictures. If nothing reaches the goal, the exit code is that of a condition.
func (t *tuning) write(w io.Writer, x *tuned) error {
	if err := t.figures(w, x); err != nil {
		return err
	}
	if err := t.pictures(x); err != nil {
		return err
	}
	if x.Flags == "" {
		return &exit{code: exitCondition, err: errors.New(x.none())}
	}
	return nil
}

func (t *tuning) figures(w io.Writer, x *tuned) error {
	switch t.format {
	case formatTable:
		tuneTable(w, x)
		return nil
	case formatJSON:
		return writeJSON(w, x)
	}
	if t.threshold {
		return floorRows(t.rows(w, "chosen", "floor", "equal_signatures", "recall", "recall_low", "recall_high",
			"precision", "precision_low", "precision_high", "survivors"), x)
	}
	return choiceRows(t.rows(w, "choice", "signatures", "key_size", "keys", "floor", "recall", "recall_low",
		"recall_high", "recall_at", "candidates", "candidates_low", "candidates_high", "survivors", "cpu_seconds", "memory", "tried_recall"), x)
}

func choiceRows(out *rowWriter, x *tuned) error {
	for i, p := range append([]choice{x.Present}, x.Choices...) {
		name := "run"
		if i > 0 {
			name = fmt.Sprint(i)
		}
		err := out.row(name, p.M, p.K, p.L, p.Floor, p.Recall.Value, p.Recall.Low, p.Recall.High, p.RecallAt,
			p.Candidates.Value, p.Candidates.Low, p.Candidates.High, p.Survivors.Value, p.Seconds, p.Memory, p.tried())
		if err != nil {
			return err
		}
	}
	return out.close()
}

func floorRows(out *rowWriter, x *tuned) error {
	for i, f := range x.Floors {
		err := out.row(i == x.best, f.Floor, f.Least, f.Recall.Value, f.Recall.Low, f.Recall.High,
			f.Precision.Value, f.Precision.Low, f.Precision.High, f.Survivors.Value)
		if err != nil {
			return err
		}
	}
	return out.close()
}

// tuneTable writes the figures for people.
func tuneTable(w io.Writer, x *tuned) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: %d distinct bags, %s pairs; %d bags compared with all (seed %d)\n", harmless.Cell(x.Run), x.Nodes, large(x.Pairs), x.Sample, x.Seed)
	fmt.Fprintf(w, "\n%-12s %28s   %s\n", "similarity", "pairs (95 %)", "found by this run's index (95 %)")
	for _, b := range x.Similarities {
		fmt.Fprintf(w, "%-12s %28s   %s\n", b.Range, b.Pairs.large(), b.Found.share())
	}
	if x.Floors != nil {
		floorTable(w, x)
	} else {
		choiceTable(w, x)
	}
	if x.Flags != "" {
		fmt.Fprintf(w, "\nuse: %s cluster -o NEW %s INPUT...\n", invocation(), x.Flags)
	}
	for _, n := range x.Notes {
		prose(w, "note: "+n, 0, 2)
	}
}

func choiceTable(w io.Writer, x *tuned) {
	fmt.Fprintf(w, "\nwanted: recall %.3g at similarity %.3g and above\n", x.Goal.Recall, x.Goal.At)
	fmt.Fprintf(w, "%-9s %4s %2s %6s %7s %22s %6s %7s\n", "", "m", "k", "l", "floor", "recall (95 %)", "tried", fmt.Sprintf("at %.3g", x.Goal.At))
	x.eachChoice(func(name string, p choice) {
		fmt.Fprintf(w, "%-9s %4d %2d %6d %7.4f %22s %6s %7.3f\n", name, p.M, p.K, p.L, p.Floor, p.Recall.share(), p.triedText(), p.RecallAt)
	})
	if x.Counted != nil {
		fmt.Fprintf(w, "%-9s %4s %2s %6s %7s %22s\n", " counted", "", "", "", "", x.FoundAbove.share())
	}
	fmt.Fprintf(w, "\n%-9s %24s %10s %9s %9s\n", "cost", "candidates (95 %)", "survivors", "cpu s", "memory")
	x.eachChoice(func(name string, p choice) {
		fmt.Fprintf(w, "%-9s %24s %10s %9s %9s\n", name, p.candidates().large(), large(p.survivors().Value), large(p.Seconds), sizeOf(p.Memory))
	})
	if x.Counted != nil {
		fmt.Fprintf(w, "%-9s %24s %10s %9s %9s\n", " counted", large(float64(x.Counted.Candidates)), large(float64(x.Counted.Survivors)), large(x.Counted.Seconds), sizeOf(x.Counted.PeakAnon))
	}
	fmt.Fprintln(w)
	prose(w, fmt.Sprintf("recall: share of the pairs of similarity %.3[1]g and above that are found. tried: the same, counted in the sample. at %.3[1]g: of pairs of exactly that similarity. candidates: pairs with a key in common that are compared. survivors: those that agree at the floor. Both are counted in the sample for choices that were tried. counted: what the run itself found and used.", x.Goal.At), 0, 0)
}

// eachChoice calls line with each choice, the best one marked, and with that of the run.
func (x *tuned) eachChoice(line func(name string, p choice)) {
	for i, p := range x.Choices {
		name := fmt.Sprint(i + 1)
		if i == x.best {
			name += " *"
		}
		line(name, p)
	}
	line("this run", x.Present)
}

// tried returns the recall of the choice in the sample, nil if it was not tried.
func (p choice) tried() any {
	if p.Checked == nil || p.Checked.Recall == nil {
		return nil
	}
	return p.Checked.Recall.Value
}

// candidates returns the number of candidates, from the trial if there was one.
func (p choice) candidates() *estimate {
	if p.Checked != nil {
		return p.Checked.Candidates
	}
	return p.Candidates
}

// survivors returns the number of survivors, from the trial if there was one.
func (p choice) survivors() *estimate {
	if p.Checked != nil {
		return p.Checked.Survivors
	}
	return p.Survivors
}

func (p choice) triedText() string {
	if v, ok := p.tried().(float64); ok {
		return fmt.Sprintf("%.3f", v)
	}
	return "–"
}

// leastShown is the recall below which the table leaves out a floor.
const leastShown = 0.1

func floorTable(w io.Writer, x *tuned) {
	fmt.Fprintf(w, "\nwanted: recall %.3g at similarity %.3g and above, with m=%d, k=%d, l=%d\n", x.Goal.Recall, x.Goal.At, x.Present.M, x.Present.K, x.Present.L)
	fmt.Fprintf(w, "  %7s %6s %22s %22s %10s\n", "floor", "equal", "recall (95 %)", "precision (95 %)", "survivors")
	for i, f := range x.Floors {
		if f.Recall.Value < leastShown && i > x.best {
			break
		}
		mark := " "
		if i == x.best {
			mark = "*"
		}
		fmt.Fprintf(w, "%s %7.4f %6d %22s %22s %10s\n", mark, f.Floor, f.Least, f.Recall.share(), f.Precision.share(), large(f.Survivors.Value))
	}
}

// none returns the message for a goal that no choice reaches.
func (x *tuned) none() string {
	what := "no choice of m, k, l and floor"
	if x.Floors != nil {
		what = "no floor"
	}
	hint := "ask for less recall, a higher similarity, more --memory or --signatures"
	if strings.Contains(strings.Join(x.Notes, " "), "large buckets") {
		hint += "; or raise --max-bucket: more keys do not bring back all that large buckets lose"
	}
	return fmt.Sprintf("%s reaches recall %.3g at similarity %.3g and above within the memory: %s", what, x.Goal.Recall, x.Goal.At, hint)
}
