package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// orderedCase is what the items of a run of ordered emit, and what goes wrong.
type orderedCase struct {
	sizes                       [][]int // of what each item emits
	workers                     int
	budget                      int64
	failWork, failTake, stopsAt int // the item that fails, the result whose taking fails, the result at which all is cancelled; -1 for none
}

func drawOrdered(t *rapid.T) orderedCase {
	c := orderedCase{
		sizes:    rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 100), 0, 12), 0, 12).Draw(t, "sizes"),
		workers:  rapid.IntRange(1, 5).Draw(t, "workers"),
		budget:   int64(rapid.SampledFrom([]int{0, 1, 50, 100, 300, 1 << 20}).Draw(t, "budget")),
		failWork: -1, failTake: -1, stopsAt: -1,
	}
	switch rapid.IntRange(0, 5).Draw(t, "fault") {
	case 0:
		c.failWork = rapid.IntRange(0, 12).Draw(t, "failing item")
	case 1:
		c.failTake = rapid.IntRange(0, 20).Draw(t, "failing take")
	case 2:
		c.stopsAt = rapid.IntRange(0, 20).Draw(t, "cancel")
	}
	return c
}

var errWork, errTake = errors.New("work"), errors.New("take")

// run gives what was taken, and the error.
func (c orderedCase) run() (taken []string, err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var busy atomic.Int32
	err = ordered(ctx, len(c.sizes), c.workers, c.budget,
		func(worker, i int, emit func(string, int) error) error {
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
		},
		func(i int, s string) error {
			if len(taken) == c.failTake {
				return errTake
			}
			if len(taken) == c.stopsAt {
				cancel()
			}
			taken = append(taken, s)
			return nil
		})
	return taken, err
}

// What the items emit comes in order, whatever the budget, the workers and the sizes; an error of either side or the end of
// the context ends all of it, without anybody waiting for ever.
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
		case <-time.After(time.Minute):
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
