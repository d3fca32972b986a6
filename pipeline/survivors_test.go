package pipeline

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/lsh"
)

// What each worker adds is read again, in its order, by any number of readers.
func TestSurvivors(t *testing.T) {
	s, err := newSurvivors(t.TempDir(), 3)
	if err != nil {
		t.Fatal(err)
	}
	want := make([][]lsh.Pair, 3)
	for i := range uint32(10_000) {
		p := lsh.Pair{A: i, B: 2*i + 1, Agreement: uint8(i)}
		w := int(i % 2) // the third worker has found nothing
		want[w] = append(want[w], p)
		if err := s.add(w, []lsh.Pair{p}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for w, part := range s.parts(t.Context()) {
			var got []lsh.Pair
			for pairs, err := range part {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, pairs...)
			}
			if !slices.Equal(got, want[w]) {
				t.Errorf("worker %d: %d pairs, want %d", w, len(got), len(want[w]))
			}
			for range part { // who has seen enough may leave
				break
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range s.parts(ctx)[0] {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v of a cancelled context", err)
		}
	}
}

// A file that is closed, as one on a full disk, is an error.
func TestSurvivorsError(t *testing.T) {
	s, err := newSurvivors(t.TempDir(), 1)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	if err := errors.Join(s.add(0, make([]lsh.Pair, 1<<18)), s.close()); err == nil {
		t.Error("no error")
	}
}
