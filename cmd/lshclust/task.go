package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// taskFlags are the flags of task.
type taskFlags struct {
	run, part     string
	finish        bool
	frames, leave bool
	accept        bool
	parts         string
	workers       int
	memory        byteSize
}

func newTask() *cobra.Command {
	t := &taskFlags{memory: pipeline.DefaultMemory}
	c := &cobra.Command{
		Use:   "task [STAGE] --run RUN [flags]",
		Short: "Do one part of a stage of an unfinished run",
		Long: `Task does part I of N of the stage that is next in an unfinished run, and leaves it recorded. It is for programs that
distribute the work over processes and machines that share the run directory: any number of processes may do parts at the
same time. Each stage consists of steps, and each step of parts. Without a stage, task prints as JSON which step is next,
how many parts it has, and which of them are to be done. To begin a run and do no stage of it, give lshclust cluster the
flag --begin. Parts of the stage read need the inputs under the paths that they had then.

A part depends only on files of the run, so that it can be done in any order, again, and by two processes at once. When all
parts of the last step are done, --finish puts them together, and after the stage publish the run is finished; lshclust
cluster with the arguments that began the run does that too, does what is missing, and goes on. Neither may be started
before all parts that are being done have ended.

Engines such as Apache Spark, whose workers do not see the run directory, move blocks of files as frames. With --frames, RUN
is a folder of this worker that holds the files which task lists as "state" and "files", or an empty one; these files and the
blocks listed as "shuffled" come as frames on standard input, and the output of the part goes to standard output as frames,
whose form docs/format.md describes. With --part I-J/N one process does several parts, which is cheaper if they are small.
--accept takes the files and receipts of parts into the run directory: each part once, and only if all its files have the
checksums that its receipt states. With --parts, the last stage also writes the tables as many Parquet files each, for
engines; lshclust collect makes a run of them.`,
		Example: `  lshclust cluster --begin -o RUN crawl.warc.gz more.warc.gz
  lshclust task --run RUN
  lshclust task read --part 2/2 --run RUN
  lshclust task weigh --part 3/16 --run RUN
  lshclust task pair-search --part 1/8 --run RUN --memory 2GiB --workers 4
  lshclust task weigh --finish --run RUN
  lshclust task weigh --part 3/16 --run SCRATCH --frames < INPUT > OUTPUT
  lshclust task --accept --run RUN < OUTPUT`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return t.do(c, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&t.run, "run", "", "the run directory `RUN`")
	f.StringVar(&t.part, "part", "", "do part `I/N` of the stage, or of one of its steps; with --frames also parts I to J, written I-J/N")
	f.BoolVar(&t.finish, "finish", false, "do the parts that are missing, and put all of them together")
	f.BoolVar(&t.frames, "frames", false, "read frames from standard input, do the part in the folder RUN, and write frames to standard output")
	f.BoolVar(&t.leave, "leave", false, "with --frames, leave the files of the part in the folder under temporary names")
	f.BoolVar(&t.accept, "accept", false, "read frames from standard input, and take the parts in them into the run")
	f.StringVar(&t.parts, "parts", "", "with publish --finish, also write the tables in parts to the folder `PARTS`")
	f.Var(&t.memory, "memory", "keep to this much memory")
	f.IntVar(&t.workers, "workers", 0, "work in `N` goroutines where one part is divided further (default one for each processor)")
	inRange(f, "workers", 0, config.MostWorkers)
	c.Hidden = true
	return c
}

// do does what the flags say.
func (t *taskFlags) do(c *cobra.Command, args []string) error {
	if err := t.check(args); err != nil {
		return usage(err)
	}
	o := pipeline.Options{Workers: pipeline.WorkersFor(t.workers, int64(t.memory)), Memory: int64(t.memory), Version: version(), SmallParts: smallParts()}
	if t.accept {
		return t.takeIn(o)
	}
	parts := pipeline.PartRange{First: -1}
	if t.part != "" {
		var err error
		if parts, err = t.parseParts(); err != nil {
			return usage(fmt.Errorf("--part: %w", err))
		}
	}
	if len(args) == 0 {
		return t.next(parts.First, o)
	}
	limitMemory(int64(t.memory))
	building.Store(t.finish)
	switch {
	case t.finish:
		return asUsage(t.finishStage(c.Context(), args[0], o))
	case t.frames:
		return asUsage(pipeline.DoFramed(c.Context(), t.run, args[0], parts, t.leave, os.Stdin, os.Stdout, o))
	}
	return asUsage(pipeline.DoPart(c.Context(), t.run, args[0], parts.First, parts.Of, o))
}

// parseParts parses the flag --part: I/N, or I-J/N with --frames.
func (t *taskFlags) parseParts() (p pipeline.PartRange, err error) {
	first, rest, several := strings.Cut(t.part, "-")
	if !several || !t.frames {
		p.Last, p.Of, err = parsePart(t.part)
		p.Last--
		p.First = p.Last
		return p, err
	}
	p.Last, p.Of, err = parsePart(rest)
	p.Last--
	if p.First, _ = strconv.Atoi(first); err != nil || p.First < 1 || p.First > p.Last+1 {
		return p, fmt.Errorf("%q is not I-J/N with 1 ≤ I ≤ J ≤ N", t.part)
	}
	p.First--
	return p, nil
}

// check refuses flags that do not go together.
func (t *taskFlags) check(args []string) error {
	switch least := byteSize(pipeline.LeastMemory); {
	case t.run == "":
		return errors.New("name the run directory with --run RUN")
	case t.memory < least:
		return fmt.Errorf("--memory %s is too little to work with: the least is %s", &t.memory, &least)
	case t.accept && (len(args) > 0 || t.part != "" || t.finish || t.frames):
		return errors.New("--accept takes no stage, and neither --part, --finish nor --frames")
	case len(args) == 0 && (t.finish || t.frames):
		return errors.New("name the stage")
	case len(args) > 0 && (t.part != "") == t.finish:
		return errors.New("give one of --part I/N and --finish")
	case t.frames && t.finish:
		return errors.New("--frames is for a part: give --part I/N")
	case t.parts != "" && (!t.finish || args[0] != "publish"):
		return errors.New("--parts is for publish --finish")
	case t.leave && !t.frames:
		return errors.New("--leave is for --frames")
	}
	return nil
}

// finishStage finishes a stage, and writes the parts of the run if they are wanted, also of a run that is finished.
func (t *taskFlags) finishStage(ctx context.Context, stage string, o pipeline.Options) error {
	err := pipeline.FinishStage(ctx, t.run, stage, o)
	if t.parts == "" || err != nil && !errors.Is(err, run.ErrFinished) {
		return err
	}
	r, err := run.Open(t.run)
	if err != nil {
		return err
	}
	return r.WriteParts(ctx, t.parts)
}

// takeIn takes parts into the run, and prints which.
func (t *taskFlags) takeIn(o pipeline.Options) error {
	got, err := pipeline.AcceptParts(t.run, os.Stdin, o)
	if err != nil {
		return asUsage(err)
	}
	return writeJSON(printed, got)
}

// asUsage marks an error as wrong usage if there is no such task.
func asUsage(err error) error {
	if errors.Is(err, pipeline.ErrTask) {
		return usage(err)
	}
	return err
}

// next prints what is next, with what all parts need, or only one if it is not negative.
func (t *taskFlags) next(part int, o pipeline.Options) error {
	next, err := pipeline.NextNeeds(t.run, part, o)
	if err != nil {
		return asUsage(err)
	}
	for i := range next.Missing {
		next.Missing[i]++ // as --part numbers them
	}
	return writeJSON(printed, next)
}
