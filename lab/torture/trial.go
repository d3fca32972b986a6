package torture

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// suite is one promise, or several that are tried together.
type suite struct {
	name     string
	promises []string // a trial counts for the first
	trials   int
	prepare  func(b *bench) error // nil if there is nothing to prepare
	try      func(t *trial) error // returns an error if a promise is broken
	alone    bool                 // one trial at a time
	parts    bool                 // every second trial has small parts
	extra    bool                 // runs only if it is named
}

// suites lists all suites in the order of the table.
func suites() []suite {
	return []suite{killing, interrupting, rivalling, filling, flipping, tearing, spoiling, writing, mutating, calling, remembering, resuming}
}

func suiteNames() (names []string) {
	for _, s := range suites() {
		names = append(names, s.name)
	}
	return names
}

func choose(only string) (chosen []suite, err error) {
	names := strings.FieldsFunc(only, func(r rune) bool { return r == ',' })
	for _, n := range names {
		if !slices.Contains(suiteNames(), n) {
			return nil, fmt.Errorf("unknown suite %q: there are %s", n, strings.Join(suiteNames(), ", "))
		}
	}
	for _, s := range suites() {
		if slices.Contains(names, s.name) || len(names) == 0 && !s.extra {
			chosen = append(chosen, s)
		}
	}
	return chosen, nil
}

// trial is one attempt to break a promise.
type trial struct {
	*bench
	*rand.Rand
	suite  *suite
	number int
	dir    string // the folder of the trial, in which commands run
	small  bool   // the work of its commands is divided into small parts
	said   strings.Builder

	trials, failures int  // how much the trial counts; 0 stands for 1
	keep             bool // keep the folder although the trial did not fail
}

// errSkipped is the error of a trial that is impossible on this system.
type errSkipped struct{ why string }

func (e errSkipped) Error() string { return "skipped: " + e.why }

// suite makes the trials of a suite, several at a time.
func (b *bench) suite(s suite) {
	for _, p := range s.promises {
		b.table.add(p, 0, 0)
	}
	if s.prepare != nil {
		if err := s.prepare(b); err != nil {
			fmt.Fprintf(b.log, "%s: %v\n", s.name, err)
			b.table.add(s.promises[0], 1, 1)
			return
		}
	}
	first, last := 0, max(1, int(float64(s.trials)*b.share))
	if b.options.trials > 0 {
		last = b.options.trials
	}
	if b.options.trial >= 0 {
		first, last = b.options.trial, b.options.trial+1
	}
	began, next, done := time.Now(), atomic.Int64{}, atomic.Int64{}
	next.Store(int64(first))
	var all sync.WaitGroup
	jobs := max(1, b.jobs)
	if s.alone {
		jobs = 1
	}
	for range jobs {
		all.Go(func() {
			for n := int(next.Add(1)) - 1; n < last; n = int(next.Add(1)) - 1 {
				b.attempt(&s, n)
				if d := int(done.Add(1)); d%max(1, (last-first)/5) == 0 {
					fmt.Fprintf(b.log, "%s: %d of %d, %v\n", s.name, d, last-first, time.Since(began).Round(time.Second))
				}
			}
		})
	}
	all.Wait()
}

// attempt makes one trial, counts it and reports what went wrong. It runs on a goroutine of its own, because a trial
// may end its thread (see ownMounts).
func (b *bench) attempt(s *suite, n int) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		t, err := b.newTrial(s, n)
		if err == nil {
			err = s.try(t)
		}
		b.judge(t, err)
	}()
	<-done
}

func (b *bench) newTrial(s *suite, n int) (*trial, error) {
	h := fnv.New64a()
	h.Write([]byte(s.name))
	t := &trial{bench: b, suite: s, number: n, dir: filepath.Join(b.home, fmt.Sprintf("%s-%d", s.name, n)), small: s.parts && n%2 == 1}
	t.Rand = rand.New(rand.NewPCG(b.seed^h.Sum64(), uint64(n)))
	return t, os.MkdirAll(t.dir, 0o777)
}

func (b *bench) judge(t *trial, err error) {
	promise := t.suite.promises[0]
	if skip, ok := err.(errSkipped); ok { //nolint:errorlint // never wrapped
		if skip.why != "" {
			b.table.remark(promise, skip.Error(), 0)
		}
		os.RemoveAll(t.dir)
		return
	}
	if err == nil {
		b.table.add(promise, max(1, t.trials), 0)
		if !t.keep {
			os.RemoveAll(t.dir)
		}
		return
	}
	b.table.add(promise, max(1, t.trials), max(1, t.failures))
	t.report(promise, err)
}

// also counts for a promise besides that of the suite.
func (t *trial) also(promise string, trials, failures int, err error) {
	t.table.add(promise, trials, failures)
	if err != nil {
		t.report(promise, err)
	}
}

// report reports a broken promise, and how to repeat the trial.
func (t *trial) report(promise string, err error) {
	t.keep = true
	fmt.Fprintf(t.log, "FAILED: %s\n  %s\n  %s  again: lab torture -only %s -seed %d -trial %d\n  left: %s\n", promise,
		strings.ReplaceAll(strings.TrimSpace(err.Error()), "\n", "\n  "), t.said.String(), t.suite.name, t.seed, t.number, t.dir)
}

// tell records what a trial did, for a report if it fails.
func (t *trial) tell(format string, args ...any) { fmt.Fprintf(&t.said, format+"\n  ", args...) }

// pick draws one of several values.
func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }
