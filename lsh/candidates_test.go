package lsh

import (
	"context"
	"slices"
	"testing"
)

// TestCandidates compares the candidates of some rows with the pairs that Pairs forms, with small and with large
// buckets.
func TestCandidates(t *testing.T) {
	r := newRows(40, 7)
	r.group(300, 0.9)
	r.group(150, 0.5)
	sigs := r.group(200, 0.2).signatures()
	for _, c := range []Config{{}, {MaxBucket: 20}, {MaxBucket: 2, Reach: 3}, {MaxBucket: 50, Reach: 1, Workers: 1}} {
		x := mustIndex(t, 40, 2, 70, 3)
		pairs, stats := pairsOf(t, x, sigs, c)
		all := make([][]uint32, sigs.Len())
		for _, p := range pairs {
			all[p.A], all[p.B] = append(all[p.A], p.B), append(all[p.B], p.A)
		}
		rows := []uint32{0, 1, 5, 299, 300, 444, 449, 450, 649, 17}
		got, err := x.Candidates(context.Background(), sigs, c, rows)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i, row := range rows {
			slices.Sort(all[row])
			if !slices.Equal(got[i], all[row]) {
				t.Errorf("%+v: row %d has %d candidates, Pairs forms %d", c, row, len(got[i]), len(all[row]))
			}
			n += len(got[i])
		}
		if n < 500 && c.MaxBucket != 2 || c.MaxBucket > 0 && stats.CappedBuckets == 0 {
			t.Errorf("%+v: %d candidates, %d large buckets: nothing is tested", c, n, stats.CappedBuckets)
		}
	}
}

func TestCandidatesErrors(t *testing.T) {
	x, sigs := mustIndex(t, 40, 2, 10, 1), small(3, 40)
	if _, err := x.Candidates(context.Background(), sigs, Config{}, []uint32{uint32(sigs.Len())}); err == nil {
		t.Error("a row that is not there")
	}
	if _, err := x.Candidates(context.Background(), small(3, 41), Config{}, []uint32{0}); err == nil {
		t.Error("rows of another number of signatures")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Candidates(ctx, sigs, Config{}, []uint32{0}); err == nil {
		t.Error("cancelled, and no error")
	}
}
