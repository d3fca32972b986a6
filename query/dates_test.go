package query

import (
	"testing"
	"time"
)

// TestReversed gives some captures of two crawls a wrong time.
func TestReversed(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	day := func(month time.Month, day int) int64 {
		return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC).UnixMilli()
	}
	future, longAgo := time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	crawl := func(month time.Month, n int, wrong ...int64) (out []int64) {
		for i := range n {
			out = append(out, day(month, 1+i%20))
		}
		return append(out, wrong...)
	}
	for _, x := range []struct {
		name         string
		older, newer []int64
		want         bool
	}{
		{"right order", crawl(1, 9), crawl(2, 9), false},
		{"swapped", crawl(2, 9), crawl(1, 9), true},
		{"equal", crawl(1, 9), crawl(1, 9), false},
		{"one page each", crawl(1, 1), crawl(2, 1), false},
		{"one page each, swapped", crawl(2, 1), crawl(1, 1), true},
		{"the only page in the future", []int64{future}, crawl(2, 9), false},
		{"one of two in the future", crawl(1, 1, future), crawl(2, 9), false},
		{"one of two too late", crawl(1, 1, day(5, 1)), crawl(2, 9), false},
		{"one of ten too late", crawl(1, 9, day(5, 1)), crawl(2, 9), false},
		{"a few of a hundred too late", crawl(1, 97, day(5, 1), future, future), crawl(2, 9), false},
		{"swapped, and one in the future", crawl(2, 9, future), crawl(1, 9), true},
		{"swapped, and one in the future in the other", crawl(2, 9), crawl(1, 9, future), true},
		{"swapped, and some wrong in the other", crawl(2, 9), crawl(1, 300, longAgo, future, day(5, 1)), true},
		{"one long ago", crawl(1, 9), crawl(2, 9, longAgo), false},
		{"one new page beside those of before", crawl(1, 9), crawl(1, 9, day(2, 1)), false},
		{"only some of the pages of before", crawl(1, 20), crawl(1, 19), false},
		{"no times", []int64{0, 0}, crawl(1, 9), false},
		{"no times then", crawl(1, 9), []int64{0}, false},
		{"nothing", nil, nil, false},
	} {
		var older, newer dates
		for _, m := range x.older {
			older.add(m)
		}
		for _, m := range x.newer {
			newer.add(m)
		}
		if got := reversed(older.late(), newer.last(now), now); got != x.want {
			t.Errorf("%s: %v", x.name, got)
		}
	}
}
