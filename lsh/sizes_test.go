package lsh

import (
	"math/rand/v2"
	"testing"
)

// wholeKey returns, as a string, the signatures of a row that make up a key.
func wholeKey(sigs Signatures, subset []uint8, row int) string {
	r := sigs.Row(row)
	var key []byte
	for _, i := range subset {
		key = append(key, r[i], r[int(i)+sigs.M], r[int(i)+2*sigs.M])
	}
	return string(key)
}

// TestBucketSizes compares with counting. Keys that only look equal do not occur among so few rows.
func TestBucketSizes(t *testing.T) {
	g := newRows(40, 5)
	for range 60 {
		g.group(2+g.r.IntN(30), 0.3+0.7*g.r.Float64())
	}
	for range 500 {
		g.put(g.fresh())
	}
	sigs := g.shuffle().signatures()
	r := rand.New(rand.NewPCG(2, 3))
	for _, c := range []struct{ k, l, most int }{{1, 40, 1000}, {2, 30, 5}, {2, 30, 12}, {3, 50, 100}, {40, 1, 2}} {
		x := mustIndex(t, 40, c.k, c.l, 9)
		var rows []uint32
		for _, i := range r.Perm(sigs.Len())[:200] {
			rows = append(rows, uint32(i))
		}
		rows = append(rows, rows[0]) // twice
		large, several := 0, 0
		for _, workers := range []int{1, 2, 5} {
			sizes, err := x.BucketSizes(t.Context(), sigs, Config{Workers: workers, MaxBucket: c.most}, rows)
			if err != nil || len(sizes) != c.l {
				t.Fatalf("%d keys: %v", len(sizes), err)
			}
			for j, subset := range x.Subsets {
				count := map[string]int{}
				for row := range sigs.Len() {
					count[wholeKey(sigs, subset, row)]++
				}
				for i, row := range rows {
					want := min(count[wholeKey(sigs, subset, int(row))], c.most+1)
					if sizes[j][i] != want {
						t.Fatalf("%+v, %d workers, key %d, row %d: %d, want %d", c, workers, j, row, sizes[j][i], want)
					}
					if want > c.most {
						large++
					} else if want > 1 {
						several++
					}
				}
			}
		}
		if c.k == 2 && (large < 100 || several < 100) {
			t.Errorf("%+v: %d large buckets and %d smaller ones", c, large, several)
		}
	}
	x := mustIndex(t, 40, 2, 3, 1)
	if sizes, err := x.BucketSizes(t.Context(), sigs, Config{MaxBucket: 10}, nil); err != nil || len(sizes) != 3 || len(sizes[2]) != 0 {
		t.Errorf("no rows: %v, %v", sizes, err)
	}
	if _, err := x.BucketSizes(t.Context(), newRows(20, 1).group(3, 1).signatures(), Config{MaxBucket: 10}, nil); err == nil {
		t.Error("signatures of another length are accepted")
	}
}
