package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/dedup"
	"github.com/lshclust/lshclust/internal/pipeline"
)

// taskFlags holds the flags of task.
type taskFlags struct {
	run    string
	Part   string `value:"I/N" doc:"do part I/N of the stage, or of one of its steps, or parts I to J, written I-J/N"`
	Finish bool   `doc:"do missing parts and join all parts"`
	memory int64
	// Workers has at most config.MostWorkers.
	Workers int `most:"1024" value:"N" doc:"work in N goroutines where one part is divided further (default one for each processor)"`
}

func newTask() *cobra.Command {
	t := &taskFlags{memory: pipeline.DefaultMemory}
	c := &cobra.Command{
		Use:   "task [STAGE] --run RUN [flags]",
		Short: "Do one part of a stage of an unfinished run, or of dedup",
		Long: `Task does part I of N of the stage that is next in an unfinished run, and writes its receipt. It is for programs
that distribute the work over processes and machines that share the run directory: any number of processes may do parts
at the same time. Each stage consists of steps, and each step of parts. Without a stage, task prints as JSON which step
is next, how many parts it has, which of them are to be done, and how many one process should do because they are small.
To begin a run and do no stage of it, give lshclust cluster the flag --begin. Parts of the stage read need the inputs
under the paths that they had then.

A part depends only on files of the run, so that it can be done in any order, again, and by two processes at once. When
all parts of the last step are done, --finish puts them together, and after the stage publish the run is finished;
lshclust cluster with the arguments that began the run does that too, does what is missing, and goes on. Neither may be
started before all parts that are being done have ended.`,
		Example: `  lshclust cluster --begin -o RUN crawl.warc.gz more.warc.gz
  lshclust task --run RUN
  lshclust task read --part 2/2 --run RUN
  lshclust task weigh --part 3/16 --run RUN
  lshclust task weigh --part 4-16/16 --run RUN
  lshclust task pair-search --part 1/8 --run RUN --memory 2GiB --workers 4
  lshclust task weigh --finish --run RUN
  lshclust task scan --part 2/9 --run OUT`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return t.do(c, args) },
	}
	f := c.Flags()
	f.StringVar(&t.run, "run", "", "the run directory `RUN`")
	bindQuestion(f, t)
	f.Var((*byteSize)(&t.memory), "memory", "keep to this much memory")
	c.Hidden = true
	return c
}

// do does what the flags say.
func (t *taskFlags) do(c *cobra.Command, args []string) error {
	if err := t.check(args); err != nil {
		return usage(err)
	}
	o := pipeline.Options{Workers: pipeline.WorkersFor(t.Workers, t.memory), Memory: t.memory, Version: version(), SmallParts: smallParts()}
	if len(args) == 0 {
		return t.next(o)
	}
	limitMemory(t.memory)
	building.Store(t.Finish)
	ofDedup := dedup.Options{Workers: o.Workers, Memory: o.Memory}
	if isDedup := dedup.Begun(t.run); t.Finish && isDedup {
		_, err := dedup.Finish(c.Context(), t.run, ofDedup)
		return err
	} else if t.Finish {
		return asUsage(pipeline.FinishStage(c.Context(), t.run, args[0], o))
	}
	parts, err := t.parts()
	if err != nil {
		return usage(fmt.Errorf("--part: %w", err))
	}
	if dedup.Begun(t.run) {
		return dedup.Do(c.Context(), t.run, args[0], parts.First, parts.Last, ofDedup)
	}
	return asUsage(pipeline.DoParts(c.Context(), t.run, args[0], parts, o))
}

// parts parses the flag --part: I/N or I-J/N.
func (t *taskFlags) parts() (p pipeline.PartRange, err error) {
	if n, _ := fmt.Sscanf(t.Part, "%d-%d/%d", &p.First, &p.Last, &p.Of); n < 3 {
		fmt.Sscanf(t.Part, "%d/%d", &p.First, &p.Of) //nolint:errcheck // the text is compared below
		p.Last = p.First
	}
	one, several := fmt.Sprintf("%d/%d", p.First, p.Of), fmt.Sprintf("%d-%d/%d", p.First, p.Last, p.Of)
	if t.Part != several && (t.Part != one || p.First != p.Last) || p.First < 1 || p.First > p.Last || p.Last > p.Of {
		return p, fmt.Errorf("%q is neither I/N nor I-J/N with 1 ≤ I ≤ J ≤ N", t.Part)
	}
	p.First--
	p.Last--
	return p, nil
}

// check refuses flags that cannot be combined.
func (t *taskFlags) check(args []string) error {
	switch {
	case t.run == "":
		return errors.New("name the run directory with --run RUN")
	case len(args) == 0 && (t.Finish || t.Part != ""):
		return errors.New("name the stage")
	case len(args) > 0 && (t.Part != "") == t.Finish:
		return errors.New("give one of --part I/N and --finish")
	}
	return enoughMemory(t.memory)
}

// asUsage marks an error as wrong usage if the task does not exist.
func asUsage(err error) error {
	if errors.Is(err, pipeline.ErrTask) {
		return usage(err)
	}
	return err
}

// next prints the next task.
func (t *taskFlags) next(o pipeline.Options) error {
	var next pipeline.Tasks
	var err error
	if dedup.Begun(t.run) {
		var n dedup.Tasks
		n, err = dedup.Next(t.run)
		next = pipeline.Tasks(n)
	} else {
		next, err = pipeline.NextTasks(t.run, o)
	}
	if err != nil {
		return asUsage(err)
	}
	for i := range next.Missing {
		next.Missing[i]++ // --part counts from 1
	}
	return writeJSON(next)
}
