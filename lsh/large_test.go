package lsh

import (
	"context"
	"errors"
	"testing"
)

// Twenty thousand equal rows are one bucket for each key: each row is paired once with the first and with the next
// Reach, and the rest is counted.
func TestIdenticalRowsInLargeBucket(t *testing.T) {
	const n, l, reach = 20_000, 20, 5
	sigs := newRows(80, 1).group(n, 1).signatures()
	pairs, stats := pairsOf(t, mustIndex(t, 80, 3, l, 1), sigs, Config{Floor: 0.2, MaxBucket: 200, Reach: reach})
	formed := n - 1
	for i := 1; i < n; i++ {
		formed += min(reach, n-1-i)
	}
	want := Stats{
		Rows: n, Keys: n * l, Buckets: l, LargestBucket: n,
		Collisions: uint64(l * formed), CandidatePairs: uint64(formed), Surviving: uint64(formed),
		CappedBuckets: l, CappedRows: n * l, PairsNotFormed: uint64(l * (n*(n-1)/2 - formed)),
	}
	if stats != want {
		t.Errorf("stats\n got %+v\nwant %+v", stats, want)
	}
	if len(pairs) != formed {
		t.Errorf("%d pairs, want %d", len(pairs), formed)
	}
}

func TestPairsErrors(t *testing.T) {
	x, sigs := mustIndex(t, 40, 2, 10, 1), small(1, 40)
	emit := func(int, []Pair) error { return nil }
	for name, run := range map[string]func() error{
		"zero index": func() error { _, err := new(Index).Pairs(t.Context(), sigs, Config{}, emit, nil); return err },
		"other m":    func() error { _, err := x.Pairs(t.Context(), Signatures{M: 80}, Config{}, emit, nil); return err },
		"part of row": func() error {
			_, err := x.Pairs(t.Context(), Signatures{40, make([]byte, 121)}, Config{}, emit, nil)
			return err
		},
		"floor":        func() error { _, err := x.Pairs(t.Context(), sigs, Config{Floor: 2}, emit, nil); return err },
		"reach":        func() error { _, err := x.Pairs(t.Context(), sigs, Config{Reach: -1}, emit, nil); return err },
		"zero rows, m": func() error { _, err := x.Pairs(t.Context(), Signatures{}, Config{}, emit, nil); return err },
	} {
		if run() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if stats, err := x.Pairs(t.Context(), Signatures{M: 40}, Config{}, emit, nil); err != nil || stats != (Stats{}) {
		t.Errorf("no rows: %v %v", stats, err)
	}
}

func TestPairsStop(t *testing.T) {
	x, sigs := mustIndex(t, 40, 2, 10, 1), small(1, 40)
	full := errors.New("disk full")
	if _, err := x.Pairs(t.Context(), sigs, Config{}, func(int, []Pair) error { return full }, nil); !errors.Is(err, full) {
		t.Errorf("error of emit: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Pairs(ctx, sigs, Config{}, func(int, []Pair) error { return nil }, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

// The progress rises to its total.
func TestProgress(t *testing.T) {
	x, sigs := mustIndex(t, 40, 2, 10, 1), small(1, 40)
	for _, memory := range []int64{0, 10_000, 2000} {
		last, end := 0, 1
		_, err := x.Pairs(t.Context(), sigs, Config{Workers: 3, Memory: memory}, func(int, []Pair) error { return nil }, func(done, total int) {
			if done <= last || done > total {
				t.Errorf("memory %d: %d of %d after %d", memory, done, total, last)
			}
			last, end = done, total
		})
		if err != nil || last != end {
			t.Errorf("memory %d: ended at %d of %d: %v", memory, last, end, err)
		}
	}
}

// The plan stays within the memory, and more memory holds more columns.
func TestPlan(t *testing.T) {
	for _, c := range []struct {
		rows   int
		memory int64
		want   plan
	}{
		{400_000, 1 << 30, plan{columns: 32, lowPlane: true}},
		{400_000, 100 << 20, plan{columns: 20, lowPlane: true}},
		{400_000, 16 << 20, plan{columns: 2}},
		{400_000, 2 << 20, plan{columns: 1}},
		{20_000_000, 8 << 30, plan{columns: 32, lowPlane: true}},
		{20_000_000, 1 << 30, plan{columns: 4}},
		{1, 1, plan{columns: 1}},
	} {
		if got := newPlan(c.rows, 80, 125, Config{Memory: c.memory, Workers: 2}); got != c.want {
			t.Errorf("%d rows in %d bytes: %+v, want %+v", c.rows, c.memory, got, c.want)
		}
	}
}
