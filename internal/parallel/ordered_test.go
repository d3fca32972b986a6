package parallel

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// orderedCase is what the items of a call of Ordered or Stream emit, and what goes wrong.
type orderedCase struct {
	sizes                       [][]int // of what each item emits
	workers                     int
	budget                      int64
	failWork, failTake, stopsAt int // the item that fails, the result whose taking fails, the result at which all is cancelled; -1 for none
	stream                      bool
	failJob                     int // the item whose job is an error, -1 for none; of streams
}

func drawOrdered(t *rapid.T) orderedCase {
	c := orderedCase{
		sizes:    rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 100), 0, 12), 0, 12).Draw(t, "sizes"),
		workers:  rapid.IntRange(1, 5).Draw(t, "workers"),
		budget:   int64(rapid.SampledFrom([]int{0, 1, 50, 100, 300, 1 << 20}).Draw(t, "budget")),
		failWork: -1, failTake: -1, stopsAt: -1, failJob: -1,
		stream: rapid.Bool().Draw(t, "stream"),
	}
	switch rapid.IntRange(0, 6).Draw(t, "fault") {
	case 0:
		c.failWork = rapid.IntRange(0, 12).Draw(t, "failing item")
	case 1:
		c.failTake = rapid.IntRange(0, 20).Draw(t, "failing take")
	case 2:
		c.stopsAt = rapid.IntRange(0, 20).Draw(t, "cancel")
	case 3:
		c.stream, c.failJob = true, rapid.IntRange(0, 12).Draw(t, "failing job")
	}
	return c
}

var errWork, errTake, errJob = errors.New("work"), errors.New("take"), errors.New("job")

// run returns what was taken, and the error.
func (c orderedCase) run() (taken []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var busy atomic.Int32
	work := func(worker, i int, emit func(string, int) error) error {
		if worker < 0 || worker >= c.workers || busy.Add(1) > int32(c.workers) {
			return fmt.Errorf("worker %d of %d", worker, c.workers)
		}
		defer busy.Add(-1)
		for n, size := range c.sizes[i] {
			if rand.IntN(4) == 0 {
				time.Sleep(time.Duration(rand.IntN(50)) * time.Microsecond)
			}
			if err := emit(fmt.Sprint(i, ".", n), size); err != nil {
				return err
			}
		}
		if i == c.failWork {
			return errWork
		}
		return nil
	}
	take := func(s string) error {
		if len(taken) == c.failTake {
			return errTake
		}
		if len(taken) == c.stopsAt {
			cancel()
		}
		taken = append(taken, s)
		return nil
	}
	if c.stream {
		err = Stream(ctx, c.jobs, c.workers, c.budget, work, take)
		return taken, err
	}
	err = Ordered(ctx, len(c.sizes), c.workers, c.budget, work, func(i int, s string) error {
		if !strings.HasPrefix(s, fmt.Sprint(i, ".")) {
			return fmt.Errorf("%s is said to be of item %d", s, i)
		}
		return take(s)
	})
	return taken, err
}

// jobs yields the numbers of the items, and an error instead of the one at failJob.
func (c orderedCase) jobs(yield func(int, error) bool) {
	for i := range c.sizes {
		if i == c.failJob {
			yield(0, errJob)
			return
		}
		if !yield(i, nil) {
			return
		}
	}
}

// TestOrdered checks that results come in order, whatever the budget, the number of workers and the sizes. An error
// of the jobs, of work or of take, or a cancelled context, ends the call, and nobody waits for ever.
func TestOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawOrdered(t)
		var want []string
		for i, sizes := range c.sizes {
			for n := range sizes {
				want = append(want, fmt.Sprint(i, ".", n))
			}
		}
		var taken []string
		var err error
		done := make(chan struct{})
		go func() { taken, err = c.run(); close(done) }()
		select {
		case <-done:
		case <-time.After(10 * time.Minute):
			t.Fatal("it hangs")
		}
		if len(taken) > len(want) || !slices.Equal(taken, want[:len(taken)]) {
			t.Fatalf("taken %q of %q", taken, want)
		}
		var wantErr error
		switch {
		case c.failWork >= 0 && c.failWork < len(c.sizes):
			wantErr = errWork
		case c.failTake >= 0 && c.failTake < len(want):
			wantErr = errTake
		case c.failJob >= 0 && c.failJob < len(c.sizes):
			wantErr = errJob
		case c.stopsAt >= 0 && c.stopsAt < len(want):
			wantErr = context.Canceled
		}
		if errors.Is(wantErr, context.Canceled) && err == nil && len(taken) == len(want) {
			return // all was done before anybody heard of it
		}
		if !errors.Is(err, wantErr) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if err == nil && len(taken) != len(want) {
			t.Fatalf("%d of %d results", len(taken), len(want))
		}
	})
}

// TestStreamAhead checks that a slow item at the front does not let the queue behind it grow without bound, even if
// the items behind it emit nothing.
func TestStreamAhead(t *testing.T) {
	var begun atomic.Int64
	jobs := func(yield func(int, error) bool) {
		for i := range 3 * ahead {
			begun.Store(int64(i))
			if !yield(i, nil) {
				return
			}
		}
	}
	err := Stream(t.Context(), jobs, 2, 1<<20, func(_, i int, emit func(int, int) error) error {
		if i == 0 {
			time.Sleep(50 * time.Millisecond)
			if n := begun.Load(); n > ahead+1 {
				return fmt.Errorf("job %d was begun beside the first one", n)
			}
		}
		return nil
	}, func(int) error { return nil })
	if err != nil {
		t.Error(err)
	}
}

func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 5, 1000} {
			var done [1000]atomic.Int32
			err := Each(t.Context(), n, workers, func(worker, i int) error {
				if worker < 0 || worker >= max(1, workers) {
					return fmt.Errorf("worker %d of %d", worker, workers)
				}
				done[i].Add(1)
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			for i := range done {
				if want := int32(1); (i < n) != (done[i].Load() == want) || done[i].Load() > want {
					t.Errorf("%d workers, %d items: item %d was done %d times", workers, n, i, done[i].Load())
				}
			}
		}
	}
}

// TestEachStops checks that an error ends the work, and so does a cancelled context.
func TestEachStops(t *testing.T) {
	var done atomic.Int64
	err := Each(t.Context(), 1<<30, 3, func(_, i int) error {
		if done.Add(1); i == 10 {
			return errWork
		}
		return nil
	})
	if !errors.Is(err, errWork) || done.Load() == 1<<30 {
		t.Errorf("error %v after %d items", err, done.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Each(ctx, 1<<30, 3, func(_, i int) error {
		if i == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled context", err)
	}
}
