package resemble

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// common finds the values that are in enough of the sets, with few counts and with many, and however often a value
// occurs.
func TestCommonValues(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ sets, values, of, least int }{{12, 50, 100, 7}, {200, 300, 2000, 40}, {150, 1000, 1 << 20, 2}, {20, 10, 12, 1}} {
		sets := make([][]uint64, c.sets)
		times := map[uint64]int{}
		for i := range sets {
			for range c.values {
				sets[i] = append(sets[i], uint64(random.IntN(c.of)))
			}
			slices.Sort(sets[i])
			sets[i] = slices.Compact(sets[i])
			for _, v := range sets[i] {
				times[v]++
			}
		}
		var want []uint64
		for v, n := range times {
			if n >= c.least {
				want = append(want, v)
			}
		}
		slices.Sort(want)
		for _, part := range []int{1 << 20, 1000} {
			f := finder{part: part, scratch: make([][]uint64, 1), counts: make([]hashCounts, 1)}
			if got := f.common(0, sets, func(uint64) int { return c.least }); !slices.Equal(got, want) {
				t.Errorf("%+v, %d at a time: %d values, want %d", c, part, len(got), len(want))
			}
		}
	}
	var c hashCounts
	c.reset(1)
	for range 1 << 17 {
		c.add([]uint64{7})
	}
	if got := c.append(nil, []uint64{7}, 1<<16); len(got) != 1 {
		t.Error("a value that occurs more often than a count can tell")
	}
}
