package main

import (
	"testing"
	"time"

	"github.com/lshclust/lshclust/internal/run"
)

// TestBarsOfParts checks that a stage of several parts leaves no bar without an end, for which close would wait
// forever.
func TestBarsOfParts(t *testing.T) {
	for _, total := range []int64{-1, 0, 7} {
		b := &bars{run: "run"}
		b.Stage("pair", "keys", total)
		b.At(3)
		b.Stage("pair, round 1", "bags", total)
		b.At(2)
		b.Done(run.StageStats{})
		b.Stage("cluster", "bags", total)
		closed := make(chan struct{})
		go func() { b.close(); close(closed) }()
		select {
		case <-closed:
		case <-time.After(time.Hour):
			t.Fatalf("total %d: the bars do not end", total)
		}
	}
}

// TestBarOfSteps checks that the steps of a stage that count the same rows share a bar.
func TestBarOfSteps(t *testing.T) {
	b := &bars{run: "run"}
	defer b.close()
	b.Stage("publish", "rows", 7)
	first := b.bar
	b.Stage("publish", "rows", 7)
	if b.bar != first {
		t.Error("a second bar for the same rows")
	}
	b.Done(run.StageStats{})
	if b.Stage("publish", "rows", 7); b.bar == first {
		t.Error("no bar for a new stage")
	}
	b.Done(run.StageStats{})
}
