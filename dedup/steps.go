package dedup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
)

// A step consists of parts that do not depend on each other. A part that is done has left its file in the folder of the
// job, so that a stopped job continues, and processes that see the folder can share a step.
type step struct {
	name  string
	count func(j *job) int
	do    func(j *job, e *engine, i int) error
}

// The steps in their order.
var steps = []step{
	{"frames", func(j *job) int { return sets.One(j.IgnoreCommon) }, (*job).findFrames},
	{"scan", ofParts, (*job).scan},
	{"candidates", single, (*job).findCandidates},
	{"sets", ofParts, (*job).findSets},
	{"decide", single, (*job).decide},
	{"tell", single, (*job).tell},
	{"write", (*job).partsToWrite, (*job).write},
}

func single(*job) int    { return 1 }
func ofParts(j *job) int { return len(j.parts) }

// file returns the path of the file of a part of a step.
func (j *job) file(step string, i int) string {
	return filepath.Join(j.work, fmt.Sprintf("%s-%06d%s", step, i, tableSuffix))
}

// Run reads the inputs and writes them to the folder out without the records that go. If out holds a job of the same
// inputs and options that was stopped, Run continues it; if it is finished, Run returns its report. Otherwise the error
// wraps [ErrFinished].
func Run(ctx context.Context, out string, inputs []string, o Options) (*Report, error) {
	done, err := Begin(ctx, out, inputs, o)
	if done != nil || err != nil {
		return done, err
	}
	return Finish(ctx, out, o)
}

// Begin begins a job and does no step of it, so that other processes can. It returns the report if the job is finished.
func Begin(ctx context.Context, out string, inputs []string, o Options) (done *Report, err error) {
	if o, err = o.withDefaults(); err != nil {
		return nil, err
	}
	return newJob(ctx, out, o).begin(inputs)
}

// Tasks are the parts of the next step of a job.
type Tasks struct {
	Stage   string `json:"stage"` // always "dedup"
	Step    string `json:"step"`  // "" if only Finish is left to do
	Parts   int    `json:"parts"`
	Missing []int  `json:"missing"` // numbers, from 0, of the parts to do
	Several int    `json:"several"` // how many of them one process should do
}

// Begun reports whether a folder holds a job that is not finished.
func Begun(out string) bool { return exists(filepath.Join(out, workName, planName)) }

// Next returns what to do next for the job in a folder.
func Next(out string) (Tasks, error) {
	j, err := attach(context.Background(), out, Options{})
	if err != nil {
		return Tasks{}, err
	}
	for _, s := range steps {
		t := Tasks{Stage: "dedup", Step: s.name, Parts: s.count(j), Several: 1}
		for i := range t.Parts {
			if !exists(j.file(s.name, i)) {
				t.Missing = append(t.Missing, i)
			}
		}
		if len(t.Missing) > 0 {
			return t, nil
		}
	}
	return Tasks{Stage: "dedup"}, nil
}

// Do does some parts, numbered from 0, of a step whose former steps are done.
func Do(ctx context.Context, out, name string, first, last int, o Options) (err error) {
	j, err := attach(ctx, out, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	for _, s := range steps {
		if s.name == name && last < s.count(j) {
			return j.do(s, first, last+1)
		}
	}
	return fmt.Errorf("no part %d of a step %q is to be done", last+1, name)
}

// Finish does what is left of the job in a folder.
func Finish(ctx context.Context, out string, o Options) (r *Report, err error) {
	j, err := attach(ctx, out, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	for _, s := range steps {
		if err := j.do(s, 0, s.count(j)); err != nil {
			return nil, err
		}
	}
	if r, err = j.told(); err != nil {
		return nil, err
	}
	if err = errors.Join(j.close(), j.writeJSON(filepath.Join(out, ReportName), r)); err != nil || !r.Written {
		return r, err
	}
	return r, os.RemoveAll(j.work)
}

// do does the parts of a step from one number to another that are not done.
func (j *job) do(s step, from, to int) error {
	engines := make([]*engine, j.Workers)
	return parallel.Each(j.ctx, to-from, j.Workers, func(worker, i int) (err error) {
		if !exists(j.file(s.name, from+i)) {
			if engines[worker] == nil {
				if engines[worker], err = j.newEngine(); err != nil {
					return err
				}
			}
			err = s.do(j, engines[worker], from+i)
		}
		j.progress(s.name, int64(i+1), int64(to-from))
		return err
	})
}
