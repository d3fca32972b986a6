package torture

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

const (
	promiseTwice    = "a stage that is killed and resumed does at most a tenth of its work twice, or a second of it"
	promiseTogether = "of all kills together, at most a tenth of the work of the stages is done twice"
)

const (
	mostTwice    = 0.1
	mostSeconds  = 1
	leastSeconds = 0.2 // of a stage inside which a process can be killed
	killSeconds  = 3   // of a stage, for each kill inside it
	mostKills    = 6   // inside one stage of one run
	resumeTime   = 30 * time.Minute
)

// resuming builds two runs of the directory set in each trial: one that nothing disturbs, and one in which it kills a
// process inside every stage, several times if the stage takes long, at random moments.
var resuming = suite{name: "resumes", promises: []string{promiseTwice}, trials: 5, extra: true, alone: true, prepare: needWhole, try: func(t *trial) error {
	if err := t.undisturbed(); err != nil {
		return err
	}
	w := t.whole
	spent, kills, limits := make([]float64, mostStages), make([]int, mostStages), t.moments()
	for ended := false; !ended; {
		stage, err := t.untilMoment(spent, limits)
		if err != nil {
			return err
		}
		if ended = stage < 0; !ended {
			kills[stage]++
		}
	}
	for i := range w.Stages {
		if s := &w.Stages[i]; kills[i] > 0 {
			s.Killed = append(s.Killed, killedStage{kills[i], spent[i]})
		}
	}
	got, err := takeSnapshot(filepath.Join(t.dir, "run"))
	if err != nil {
		return err
	}
	return w.want.differs(got)
}}

// whole is a run that nothing disturbs, and what is known about runs that were killed.
type whole struct {
	inputs []string
	want   snapshot
	Stages []stageTwice `json:"stages"`
}

func needWhole(b *bench) error {
	b.whole = &whole{inputs: []string{b.crawl}}
	if b.crawl == "" {
		var err error
		if b.whole.inputs, err = sharedFiles([]string{"directory/pages.jsonl.gz"}); err != nil {
			return err
		}
	}
	t := &trial{bench: b, dir: filepath.Join(b.home, "whole")}
	if err := os.MkdirAll(t.dir, 0o777); err != nil {
		return err
	}
	return t.undisturbed()
}

// undisturbed builds a run that nothing disturbs, measures its stages and removes it. The first of these runs is the one
// that all others must equal.
func (t *trial) undisturbed() error {
	w, run := t.whole, filepath.Join(t.dir, "run")
	spent := make([]float64, mostStages)
	if _, err := t.untilMoment(spent, nil); err != nil {
		return err
	}
	got, err := takeSnapshot(run)
	if err != nil {
		return err
	}
	if w.want == nil {
		w.want = got
		for _, s := range recordedStages(filepath.Join(run, "run.json")) {
			w.Stages = append(w.Stages, stageTwice{Stage: s.Name})
		}
	}
	if err := w.want.differs(got); err != nil {
		return err
	}
	for i := range w.Stages {
		w.Stages[i].Whole = append(w.Stages[i].Whole, spent[i])
	}
	return os.RemoveAll(run)
}

func (w *whole) cluster() []string {
	return append([]string{"cluster", "-q", "-o", "run"}, w.inputs...)
}

// moments draws when processes are killed: for each stage, seconds of processor time after its begin, those of all
// processes added up. The stage is divided into as many stretches as there are kills, with one kill in each.
func (t *trial) moments() [][]float64 {
	limits := make([][]float64, len(t.whole.Stages))
	for i, s := range t.whole.Stages {
		takes := s.takes()
		if takes < leastSeconds {
			continue
		}
		n := min(1+int(takes/killSeconds), mostKills)
		for k := range n {
			limits[i] = append(limits[i], takes*(float64(k)+t.Float64())/float64(n))
		}
	}
	return limits
}

// untilMoment continues the run until the first of the moments in limits, at which it kills the process. It removes
// that moment, and adds to spent the processor time that the process has used in each stage. It returns the number of
// the stage in which the process was killed, -1 if the run is finished.
func (t *trial) untilMoment(spent []float64, limits [][]float64) (stage int, err error) {
	m := &meter{spent: spent, state: filepath.Join(t.dir, "run", "work", "state.json")}
	m.stage = len(recordedStages(m.state))
	p, err := t.start(t.whole.cluster()...)
	if err != nil {
		return 0, err
	}
	over := make(chan result, 1)
	go func() {
		r, err := p.end(resumeTime)
		if err != nil {
			r.code, r.said = -1, err.Error()
		}
		over <- r
	}()
	killed := false
	for {
		select {
		case r := <-over:
			m.look(r.cpu)
			switch {
			case r.code == exitDone:
				return -1, nil
			case !killed || r.hung:
				return 0, r.unexpected("0")
			}
			return m.stage, nil
		case <-time.After(5 * time.Millisecond):
		}
		m.look(processorTime(p.cmd.Process.Pid))
		if at := m.stage; !killed && at < len(limits) && len(limits[at]) > 0 && m.used() >= limits[at][0] {
			t.tell("killed after %.2f s in %s", m.used(), t.whole.Stages[at].Stage)
			limits[at], killed = limits[at][1:], true
			if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return 0, fmt.Errorf("kill: %w", err)
			}
		}
	}
}
