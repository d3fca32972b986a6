package pipeline

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/run"
)

// Accepted are the numbers, from 1, of parts whose receipts came.
type Accepted struct {
	Accepted []int `json:"accepted"` // that are now recorded
	Known    []int `json:"known"`    // that were recorded already
}

// AcceptParts takes the parts of a step into the unfinished run in a directory that other processes have done with
// [DoFramed]. in brings their receipts, and those of their files that are not in the directory already, under the names
// in the receipts. A part is taken in when all its files are what its receipt says; otherwise nothing of it shows. It
// may be offered any number of times, by any number of attempts, of which the first is taken.
func AcceptParts(dir string, in io.Reader, o Options) (Accepted, error) {
	out := Accepted{[]int{}, []int{}}
	b, err := attach(dir, o)
	if err != nil {
		return out, err
	}
	files := frames.Files{Path: b.dir.Temp}
	defer files.Remove()
	var receipts []run.Receipt
	err = eachFrame(in, func(_ *frames.Reader, f *frames.Frame) error {
		switch f.Kind {
		case frames.File:
			return files.Add(f)
		case frames.Receipt:
			receipts = append(receipts, run.Receipt{})
			return json.Unmarshal(f.Data, &receipts[len(receipts)-1])
		}
		return fmt.Errorf("%w: %s are not for the driver", ErrTask, f.Kind)
	})
	if err != nil {
		return out, full(err)
	}
	names, err := files.Complete()
	if err != nil {
		return out, err
	}
	if stray := slices.IndexFunc(names, func(name string) bool { return !slices.ContainsFunc(receipts, hasFile(name)) }); stray >= 0 {
		return out, fmt.Errorf("%w: file %s came without the receipt of its part", run.ErrReceipt, names[stray])
	}
	to := accepting{build: b, came: names}
	for _, r := range receipts {
		known, err := to.accept(r)
		if err != nil {
			return out, full(fmt.Errorf("%s: step %s, part %d of %d: %w", dir, r.Step, r.Part, r.Parts, err))
		}
		if known {
			out.Known = append(out.Known, r.Part)
		} else {
			out.Accepted = append(out.Accepted, r.Part)
		}
	}
	return out, nil
}

func hasFile(name string) func(r run.Receipt) bool {
	return func(r run.Receipt) bool {
		return slices.ContainsFunc(r.Files, func(f run.LeftFile) bool { return f.Name == name })
	}
}

// accepting takes in parts.
type accepting struct {
	*build
	came  []string // the files that came as frames
	step  *step    // of the last part; nil: none
	stage string   // of this step
}

// accept takes in the part of a receipt.
func (b *accepting) accept(r run.Receipt) (known bool, err error) {
	if b.stepDone(r.Step) {
		return true, nil
	}
	if b.step == nil || b.step.name != r.Step {
		if b.step, b.stage, err = b.stepNamed(r.Step); err != nil {
			return false, err
		}
	}
	if r.Parts != b.step.parts || r.Part < 1 || r.Part > r.Parts {
		return false, fmt.Errorf("%w: the step has %d parts", ErrTask, b.step.parts)
	}
	known, err = b.dir.Accept(r, b.stage, b.partNumber(b.stage, r.Step, r.Part-1), func(f run.LeftFile) string {
		if slices.Contains(b.came, f.Name) {
			return b.dir.Temp(f.Name)
		}
		return b.dir.Path(f.Left)
	})
	if known {
		for _, f := range r.Files {
			os.Remove(b.dir.Path(f.Left))
		}
	}
	return known, err
}

// stepDone reports whether the stage of a step is done.
func (b *build) stepDone(step string) bool {
	return slices.ContainsFunc(b.stages(), func(s stage) bool {
		return b.dir.Done(s.name) && slices.ContainsFunc(b.stepsOf(s.name), func(s stepOf) bool { return s.name == step })
	})
}
