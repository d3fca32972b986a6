package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"text/tabwriter"
	"time"
)

const promiseTwice = "a stage that is killed and resumed does at most a tenth of its work twice, or a second of it"

const (
	mostTwice    = 0.1
	mostSeconds  = 1
	leastSeconds = 0.2 // of a stage inside which a process can be killed
	resumeTime   = 30 * time.Minute
)

// resuming builds a run of the directory set, in which it kills a process inside every stage, when the stage has used a
// random share of the processor time that it takes.
var resuming = suite{name: "resumes", promises: []string{promiseTwice}, trials: 5, extra: true, alone: true, prepare: needWhole, try: func(t *trial) error {
	spent, last, ended := map[int]float64{}, -1, false
	for !ended {
		var used float64
		var err error
		if last, used, ended, err = t.killInside(last); err != nil {
			return err
		}
		if used > 0 {
			spent[last] = used
		}
	}
	for i, s := range statsOf(filepath.Join(t.dir, "run", "run.json")) {
		if used, killed := spent[i]; killed {
			of := &t.whole.Stages[i]
			of.Twice = append(of.Twice, used+s.CPU-of.CPU)
		}
	}
	got, err := takeSnapshot(filepath.Join(t.dir, "run"))
	if err != nil {
		return err
	}
	return t.whole.want.differs(got)
}}

// whole is a run that nothing disturbs, and what is known about runs that were killed.
type whole struct {
	inputs []string
	want   snapshot
	Stages []stageTwice `json:"stages"`
}

// stageTwice is how much of the work of a stage was done twice.
type stageTwice struct {
	Stage string    `json:"stage"`
	CPU   float64   `json:"cpu_seconds"`
	Twice []float64 `json:"twice"` // seconds, of each kill
}

// mean and worst return the seconds that were done twice on average and at most.
func (s stageTwice) mean() (mean float64) {
	for _, seconds := range s.Twice {
		mean += seconds / float64(len(s.Twice))
	}
	return mean
}

func (s stageTwice) worst() float64 { return slices.Max(append([]float64{0}, s.Twice...)) }

// above reports whether more was done twice than is promised.
func (s stageTwice) above() bool {
	return s.mean() > mostTwice*s.CPU && s.mean() > mostSeconds
}

func needWhole(b *bench) error {
	w := &whole{inputs: []string{b.crawl}}
	if b.crawl == "" {
		var err error
		if w.inputs, err = sharedFiles([]string{"directory/pages.jsonl.gz"}); err != nil {
			return err
		}
	}
	b.whole = w
	t := &trial{bench: b, dir: filepath.Join(b.home, "whole"), binary: b.binary}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	p, err := t.start(w.cluster()...)
	if err != nil {
		return err
	}
	r, err := p.end(resumeTime)
	if err != nil || r.code != exitDone {
		return fmt.Errorf("%w: %.500s", err, r.said)
	}
	w.Stages = statsOf(filepath.Join(t.dir, "run", "run.json"))
	w.want, err = takeSnapshot(filepath.Join(t.dir, "run"))
	return err
}

func (w *whole) cluster() []string {
	return append([]string{"cluster", "-q", "--plan=false", "-o", "run"}, w.inputs...)
}

// statsOf reads the names and times of the stages in a manifest or in the state of a run.
func statsOf(path string) []stageTwice {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var state struct {
		Stages []struct {
			Name string
			CPU  float64 `json:"cpu_seconds"`
		}
	}
	if json.Unmarshal(b, &state) != nil {
		return nil
	}
	var out []stageTwice
	for _, s := range state.Stages {
		out = append(out, stageTwice{Stage: s.Name, CPU: s.CPU})
	}
	return out
}

// killInside continues the run and kills the process inside the next stage behind the last one that was killed. It
// returns the number of that stage and the seconds of processor time that the stage had used, 0 if it was done before the
// process was killed. ended reports that the run was finished before.
func (t *trial) killInside(last int) (stage int, used float64, ended bool, err error) {
	p, err := t.start(t.whole.cluster()...)
	if err != nil {
		return last, 0, false, err
	}
	over := make(chan result, 1)
	go func() {
		r, _ := p.end(resumeTime)
		over <- r
	}()
	stages := t.whole.Stages
	for stage = last + 1; stage < len(stages) && stages[stage].CPU < leastSeconds; {
		stage++
	}
	began, limit := 0.0, 0.0
	for {
		select {
		case r := <-over:
			if r.code != exitDone {
				err = r.unexpected("0")
			}
			return last, 0, true, err
		case <-time.After(2 * time.Millisecond):
		}
		if stage == len(stages) || len(t.stages()) < stage {
			continue
		}
		now := processorTime(p.cmd.Process.Pid)
		if limit == 0 {
			began, limit = now, t.Float64()*stages[stage].CPU
		}
		if used = now - began; used < limit {
			continue
		}
		_ = p.cmd.Process.Signal(syscall.SIGKILL)
		if r := <-over; r.code == exitDone {
			return stage, 0, true, nil
		}
		if len(t.stages()) > stage {
			used = 0
		}
		t.tell("killed after %.1f of %.1f s of %s", used, stages[stage].CPU, stages[stage].Stage)
		return stage, used, false, nil
	}
}

// judgeTwice counts the stages that did too much of their work twice.
func (b *bench) judgeTwice() {
	for _, s := range b.whole.Stages {
		if s.above() {
			b.table.add(promiseTwice, 0, 1)
		}
	}
}

// printTwice prints how much of each stage was done twice.
func (b *bench) printTwice(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "stage\tcpu s\tkills\ttwice, mean s\t%\tworst s\t")
	for _, s := range b.whole.Stages {
		if len(s.Twice) == 0 {
			continue
		}
		mark := ""
		if s.above() {
			mark = "ABOVE"
		}
		fmt.Fprintf(w, "%s\t%.1f\t%d\t%.2f\t%.0f\t%.2f\t%s\n", s.Stage, s.CPU, len(s.Twice), s.mean(), 100*s.mean()/s.CPU, s.worst(), mark)
	}
	return w.Flush()
}
